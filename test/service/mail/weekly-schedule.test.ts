/** One edition a week in the city's time zone, even when clocks change or are wrong. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { City } from '../../../src/register/profile/define.ts';
import {
  findDueSlot,
  skipEdition,
  type WeeklyContext,
} from '../../../src/service/mail/editions/decide-edition.ts';
import type { StoredEdition } from '../../../src/service/mail/editions/edition-store.ts';
import { findNewestSlot, findNextSlot } from '../../../src/service/mail/editions/weekly-schedule.ts';
import { rounds } from '../../depth.ts';
import { CITY } from '../web/a-door.ts';

const ZONES = [
  ...['America/Los_Angeles', 'America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'America/St_Johns'],
  ...['Asia/Kolkata', 'Pacific/Chatham', 'Asia/Tokyo', 'Pacific/Auckland', 'Pacific/Kiritimati'],
  'Pacific/Pago_Pago',
];
const START = Date.parse('2025-01-05T12:00:00Z');
const FIRST = '2025-01-06T12:00:00.000Z';
const QUARTER = 900_000;
const HALF_HOUR = 2 * QUARTER;
const WEEK = 7 * 86_400_000;
const WEEKS = rounds(522);
const HOUR = 3_600_000;

/** Editions in memory, in the order they were decided. Unlike a store it takes one twice, so that this is seen. */
function aCalendar(city: Partial<City>) {
  const decided: StoredEdition[] = [];
  const editions = {
    since: async () => new Date(START).toISOString(),
    last: async () => decided.toSorted((a, b) => (a.edition < b.edition ? -1 : 1)).at(-1),
    decide: async (one: StoredEdition) => decided.push(one) > 0,
  } as unknown as WeeklyContext['store']['editions'];
  const listings = { suppressions: async () => [], latestFiling: async () => null };
  const context: WeeklyContext = { city: { ...CITY, ...city }, store: { editions, listings } };
  return {
    decided,
    names: () => decided.map(({ edition }) => edition),
    late: () => decided.flatMap(({ edition, reason }) => (reason === 'late' ? [edition] : [])),
    async tick(at: number) {
      const now = new Date(at).toISOString();
      const slot = await findDueSlot(context, now);
      if (slot?.isLate) await skipEdition(context, slot, 'late', now);
      else if (slot !== undefined) {
        const { edition } = slot;
        await editions.decide({ edition, reason: null, decidedAt: now, content: '', expiresAt: now }, []);
      }
    },
  };
}

/** Ticks of a service from `from` to `to`: every half hour within three hours of the week's slot, else twice a day. */
function* ticks(from: number, to: number, slotUtc: number): Generator<number> {
  for (let at = from; at < to; at += HALF_HOUR) {
    yield at;
    const fromSlot = (((at - slotUtc) % WEEK) + WEEK) % WEEK;
    const isFar = fromSlot > 3 * HOUR && fromSlot < WEEK - 3 * HOUR;
    if (isFar) at += Math.min(12 * HOUR, WEEK - 3 * HOUR - fromSlot) - HALF_HOUR;
  }
}

/**
 * The Sundays of the ten years and the moments of their slots, by the wall clock alone: quarters of an hour are tried until
 * one shows the day and the time, or until clocks have skipped them.
 */
function sundaysByTheClock(timeZone: string, time: string): { edition: string; at: string }[] {
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  const slots: { edition: string; at: string }[] = [];
  const first = Date.parse('2025-01-05');
  let at = first - 15 * HOUR; // no zone is further ahead
  for (let sunday = first; slots.length < WEEKS; sunday += WEEK) {
    const edition = new Date(sunday).toISOString().slice(0, 10);
    const wanted = `${edition} ${time}`;
    while (clock.format(at) < wanted) at += QUARTER;
    const before = clock.format(at - QUARTER);
    const isSkipped = clock.format(at) !== wanted;
    const slot = isSkipped ? at - QUARTER + minutesBetween(before, wanted) * 60_000 : at;
    if (slot > START) slots.push({ edition, at: new Date(slot).toISOString() });
    at = slot + WEEK - 2 * HOUR;
  }
  return slots;
}

/** Of two texts such as `2026-03-08 01:45`. */
function minutesBetween(from: string, to: string): number {
  return (Date.parse(`${to.replace(' ', 'T')}Z`) - Date.parse(`${from.replace(' ', 'T')}Z`)) / 60_000;
}

for (const time of ['01:30', '02:30']) {
  test(`${WEEKS} editions on Sundays at ${time} come at the right minute in eleven time zones`, async () => {
    const weekly = { weekday: 'Sunday', time } as const;
    for (const timeZone of ZONES) {
      const expected = sundaysByTheClock(timeZone, time);
      for (const [i, slot] of expected.entries()) {
        assert.deepEqual(findNewestSlot({ weekly, timeZone }, slot.at), slot, timeZone);
        const justBefore = new Date(Date.parse(slot.at) - 1).toISOString();
        if (i === 0) continue;
        assert.deepEqual(findNewestSlot({ weekly, timeZone }, justBefore), expected[i - 1], timeZone);
        assert.equal(findNextSlot(expected[i - 1]!, { weekly, timeZone }).edition, slot.edition, timeZone);
      }
      const calendar = aCalendar({ timeZone, weekly });
      const slotUtc = Date.parse(findNewestSlot({ weekly, timeZone }, FIRST).at);
      for (const at of ticks(START, START + WEEKS * WEEK, slotUtc)) await calendar.tick(at);
      const names = expected.map(({ edition }) => edition);
      assert.deepEqual([calendar.names(), calendar.late()], [names, []], timeZone);
      for (const [i, { edition, at }] of expected.entries()) {
        const afterMs = Date.parse(calendar.decided[i]!.decidedAt) - Date.parse(at);
        assert.ok(afterMs >= 0 && afterMs < HALF_HOUR, `${timeZone} ${edition}: ${afterMs} ms`);
      }
      await turn();
    }
  });
}

const STEPS: [what: string, hours: number][] = [
  ['set back by an hour', -1],
  ['set on by an hour', 1],
  ['set back by a day', -24],
  ['set on by eight days, and back', 8 * 24],
  ['stopped for ten days', 240],
];

/** The third Monday's slot in New York, and when a clock may be set: at each half hour around it, and twice a day besides. */
const MONDAY = Date.parse('2025-01-20T13:00:00Z');
const SET_AT = [...ticks(MONDAY - WEEK / 2, MONDAY + WEEK / 2, MONDAY)];
const START_AT = MONDAY - 2 * WEEK + HALF_HOUR;

/** The Mondays of winter in New York whose slot is after the first instant and not after the second. */
function mondays(after: number, until: number): string[] {
  const weeks = Array.from({ length: 12 }, (_, i) => MONDAY + (i - 3) * WEEK);
  return weeks.filter((at) => at > after && at <= until).map((at) => new Date(at).toISOString().slice(0, 10));
}

for (const [what, hours] of STEPS) {
  test(`if the clock is ${what} at any time of the week, no edition is sent twice and none is missing`, async () => {
    for (const setAt of SET_AT) {
      const calendar = aCalendar({ timeZone: 'America/New_York' });
      const before = [...ticks(START_AT, setAt, MONDAY)];
      const then = setAt + hours * HOUR;
      const after = [...ticks(what.includes('and back') ? setAt : then, then + 5 * WEEK, MONDAY)];
      for (const at of [...before, then, ...after]) await calendar.tick(at);
      const lastBefore = Math.max(...before);
      const atThen = mondays(lastBefore, then).slice(-1); // of weeks that nobody saw, the newest
      const later = mondays(Math.max(lastBefore, then), Math.max(...after));
      const message = `${what} at ${new Date(setAt).toISOString()}`;
      assert.deepEqual(calendar.names(), [...mondays(START, lastBefore), ...atThen, ...later], message);
      const isLate = (name: string) => then - Date.parse(`${name}T13:00:00Z`) > 48 * HOUR;
      assert.deepEqual(calendar.late(), atThen.filter(isLate), message);
    }
  });
}

test('an edition more than 48 hours late is recorded as skipped, and not sent', async () => {
  for (const ms of [0, 48 * HOUR, 48 * HOUR + 1, 6 * 24 * HOUR]) {
    const calendar = aCalendar({ timeZone: 'America/New_York' });
    await calendar.tick(Date.parse('2026-11-23T13:00:00Z') + ms);
    const late = ms > 48 * HOUR ? ['2026-11-23'] : [];
    assert.deepEqual([calendar.names(), calendar.late()], [['2026-11-23'], late]);
  }
});

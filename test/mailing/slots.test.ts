/** One edition a week by the city's clocks, whatever clocks do. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { City } from '../../src/city/define.ts';
import { newestSlot } from '../../src/mailing/slots.ts';
import { dueSlot, skipLate, type WeeklyContext } from '../../src/mailing/weekly.ts';
import { CITY } from '../api/a-door.ts';

const ZONES = [
  ...['America/Los_Angeles', 'America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'America/St_Johns'],
  ...['Asia/Kolkata', 'Pacific/Chatham'],
];
const START = Date.parse('2025-01-05T12:00:00Z');
const HALF_HOUR = 1_800_000;
const WEEK = 7 * 86_400_000;
const WEEKS = 522;
const HOUR = 3_600_000;

/** Editions in memory: names, in the order they were decided. */
function aCalendar(city: City): { context: WeeklyContext; names: string[]; late: string[] } {
  const names: string[] = [];
  const late: string[] = [];
  const editions = {
    since: async () => new Date(START).toISOString(),
    last: async () =>
      names.length === 0
        ? undefined
        : {
            edition: names.toSorted().at(-1)!,
            state: 'finished',
            reason: null,
            decidedAt: '',
            content: null,
          },
    async decide({ edition, reason }: { edition: string; reason: string | null }) {
      if (names.some((name) => name >= edition)) return false;
      names.push(edition);
      if (reason === 'late') late.push(edition);
      return true;
    },
  } as unknown as WeeklyContext['editions'];
  return { context: { city, editions, suppressions: async () => [] }, names, late };
}

async function tick({ context }: ReturnType<typeof aCalendar>, at: number): Promise<void> {
  const now = new Date(at).toISOString();
  const slot = await dueSlot(context, now);
  if (slot === undefined) return;
  if (slot.isLate) await skipLate(context, slot, now);
  else
    await context.editions.decide(
      { edition: slot.edition, state: 'open', reason: null, decidedAt: now, content: '', expiresAt: now },
      [],
    );
}

/** Every half hour from Saturday noon to Sunday evening (UTC), when it is Sunday night somewhere; else every 12 hours. */
function isAroundSlot(at: number): boolean {
  const hour = (new Date(at).getUTCDay() * 24 + new Date(at).getUTCHours() + 12) % 168;
  return hour < 30;
}

for (const time of ['01:30', '02:30']) {
  test(`ten years of Sundays at ${time} have ${WEEKS} editions in each of seven zones`, {
    timeout: 110_000,
  }, async () => {
    for (const timeZone of ZONES) {
      const calendar = aCalendar({ ...CITY, timeZone, weekly: { weekday: 'Sunday', time } });
      const end = START + WEEKS * WEEK;
      for (let at = START; at < end; at += HALF_HOUR) {
        await tick(calendar, at);
        if (!isAroundSlot(at)) at += 23 * HALF_HOUR;
      }
      assert.equal(calendar.names.length, WEEKS, timeZone);
      assert.equal(new Set(calendar.names).size, WEEKS);
      assert.deepEqual(calendar.late, []);
      for (const name of calendar.names) assert.equal(new Date(name).getUTCDay(), 0, `${timeZone} ${name}`);
      await turn();
    }
  });
}

test('an edition is due at its minute, and neither before nor twice', async () => {
  const weekly = { weekday: 'Monday', time: '08:00' } as const;
  const slotAt = (now: string) => newestSlot(weekly, 'America/Los_Angeles', now);
  assert.deepEqual(slotAt('2026-11-23T15:59:59.999Z').edition, '2026-11-16');
  assert.deepEqual(slotAt('2026-11-23T16:00:00.000Z'), {
    edition: '2026-11-23',
    at: '2026-11-23T16:00:00.000Z',
  });
  assert.deepEqual(slotAt('2026-11-30T15:59:59.999Z').edition, '2026-11-23');
  const skipped = { weekday: 'Sunday', time: '02:30' } as const; // 2026-03-08: clocks go from 02:00 to 03:00
  assert.equal(
    newestSlot(skipped, 'America/Los_Angeles', '2026-03-08T12:00:00.000Z').at,
    '2026-03-08T10:30:00.000Z',
  );
  const twice = { weekday: 'Sunday', time: '01:30' } as const; // 2026-11-01: 01:30 comes twice
  assert.equal(
    newestSlot(twice, 'America/Los_Angeles', '2026-11-01T12:00:00.000Z').at,
    '2026-11-01T08:30:00.000Z',
  );
});

const STEPS: [what: string, hours: number][] = [
  ['set back by an hour', -1],
  ['set on by an hour', 1],
  ['set back by a day', -24],
  ['set on by eight days, and back', 8 * 24],
  ['stopped for ten days', 240],
];

for (const [what, hours] of STEPS) {
  test(`a clock that is ${what} at any hour of the week makes no edition twice`, {
    timeout: 60_000,
  }, async () => {
    for (let hour = 0; hour < 7 * 24; hour += 3) {
      const calendar = aCalendar({ ...CITY, timeZone: 'America/New_York' });
      const stepAt = START + 2 * WEEK + hour * HOUR;
      for (let at = START; at < stepAt; at += HOUR) await tick(calendar, at);
      let at = stepAt + hours * HOUR;
      if (what.includes('and back')) {
        await tick(calendar, at);
        at = stepAt;
      }
      for (const end = at + 4 * WEEK; at < end; at += HOUR) await tick(calendar, at);
      assert.equal(new Set(calendar.names).size, calendar.names.length);
      assert.deepEqual(calendar.names, calendar.names.toSorted());
    }
  });
}

test('an edition more than 48 hours late is written down as skipped, and not sent', async () => {
  const calendar = aCalendar({ ...CITY, timeZone: 'America/New_York' });
  const monday = Date.parse('2026-11-23T13:00:00Z');
  await tick(calendar, monday + 49 * HOUR);
  assert.deepEqual([calendar.names, calendar.late], [['2026-11-23'], ['2026-11-23']]);
  const inTime = aCalendar({ ...CITY, timeZone: 'America/New_York' });
  await tick(inTime, monday + 47 * HOUR);
  assert.deepEqual([inTime.names, inTime.late], [['2026-11-23'], []]);
});

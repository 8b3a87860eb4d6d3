/** What every store promises about concerns, the alert to the operator, and the instances that run. */

import assert from 'node:assert/strict';
import type { Concern } from '../../../src/service/mail/alerts.ts';
import { aFiling } from '../../a-filing.ts';
import { add, at, claim, DAY, decide, finish, MINUTE } from './mailing-steps.ts';
import { type Case, kept } from './store-cases.ts';

const HOUR = 60 * MINUTE;

const aConcern = (facts: Partial<Concern> = {}): Concern => ({
  ...{ kind: 'held', source: 'licences', summary: 'run 2 of licences held', steps: [] },
  ...facts,
});

export const ALERT_CASES: Record<string, Case> = {
  'requests are counted by route and day, added up over instances, and forgotten after 90 days': async ({
    usage,
  }) => {
    await usage.add('2026-08-20', new Map([['/', 7]]));
    await usage.add('2026-08-21', new Map([['/feed', 2]]));
    await usage.add('2026-11-18', new Map([['/', 3]]));
    const one = new Map(Object.entries({ '/': 1, '/api/search': 4 }));
    for (let instance = 0; instance < 2; instance++) await usage.add('2026-11-19', one);
    assert.deepEqual(
      (await usage.since('2000-01-01')).map(({ day, route, requests }) => `${day} ${route} ${requests}`),
      ['2026-11-19 /api/search 8', '2026-11-19 / 2', '2026-11-18 / 3', '2026-08-21 /feed 2'],
    );
  },
  'a concern lasts from when it began until it is over, whatever its sentence is': async ({ alerts }) => {
    const began = at(-HOUR);
    const [first] = await alerts.observe([aConcern({ since: began })], at());
    assert.deepEqual(first, aConcern({ since: began }));
    assert.deepEqual(await alerts.observed(), [{ concern: 'held licences', since: began }]);
    const later = aConcern({ detail: 'run 3 of licences held', since: at(HOUR) });
    const other = aConcern({ source: 'permits' });
    const both = await alerts.observe([later, other], at(HOUR));
    assert.deepEqual(both, [
      { ...later, since: began },
      { ...other, since: at(HOUR) },
    ]);
    assert.deepEqual(await alerts.observe([], at(2 * HOUR)), []);
    assert.deepEqual(await alerts.observed(), []);
    assert.equal((await alerts.observe([aConcern()], at(3 * HOUR)))[0]?.since, at(3 * HOUR));
    assert.deepEqual(await alerts.observe([], at(4 * HOUR)), []);
  },
  'an alert is claimed once a day, and an interrupted one again under its name, twice at most': async ({
    alerts,
  }) => {
    assert.equal(await alerts.newest(), undefined);
    const first = (await alerts.claim(at()))!;
    assert.deepEqual([first.state, first.attempts, first.madeAt], ['sending', 1, at()]);
    for (const attempts of [2, 3]) {
      const again = (await alerts.claim(at(attempts * MINUTE)))!; // whoever held the lock has died
      assert.deepEqual([again.message, again.attempts, again.madeAt], [first.message, attempts, at()]);
    }
    assert.equal(await alerts.claim(at(HOUR)), undefined);
    assert.equal((await alerts.newest())?.state, 'uncertain');
    assert.equal(await alerts.claim(at(3 * MINUTE + DAY - 1)), undefined, 'it may have arrived');
    const second = (await alerts.claim(at(3 * MINUTE + DAY)))!;
    assert.notEqual(second.message, first.message);
    await finish({ outbox: alerts }, second, 'sent', { ms: HOUR + DAY });
    assert.equal(await alerts.claim(at(HOUR + 2 * DAY - 1)), undefined);
    assert.notEqual(await alerts.claim(at(HOUR + 2 * DAY)), undefined);
  },
  'an alert that was put off waits for its time, and is not sent once there is nothing to tell': async ({
    alerts,
  }) => {
    const first = (await alerts.claim(at()))!;
    const putOff = (ms: number) =>
      finish({ outbox: alerts }, first, 'pending', { nextAt: at(ms), isDoubtful: false });
    await putOff(5 * MINUTE);
    assert.equal(await alerts.claim(at(5 * MINUTE - 1)), undefined);
    assert.equal((await alerts.claim(at(5 * MINUTE)))?.message, first.message);
    await putOff(DAY);
    await alerts.drop();
    const next = (await alerts.claim(at(HOUR)))!;
    assert.notEqual(next.message, first.message, 'nothing was sent, so the next one need not wait for a day');
    await finish({ outbox: alerts }, next, 'failed', { ms: HOUR, isRefused: true });
    assert.equal(await alerts.claim(at(DAY)), undefined, 'a refused one waits, too');
  },
  'an alert that may have arrived counts as sent: within a day of its last try leaves no other': async ({
    alerts,
  }) => {
    const killed = (await alerts.claim(at()))!;
    await alerts.drop(); // what it told of is over when the service starts again
    assert.equal((await alerts.newest())?.state, 'uncertain');
    assert.equal(await alerts.claim(at(DAY - 1)), undefined);
    const second = (await alerts.claim(at(DAY)))!;
    assert.notEqual(second.message, killed.message);
    const late = 2 * DAY - MINUTE; // at the end of its day
    const putOff = { code: null, nextAt: at(late), isDoubtful: false };
    await finish({ outbox: alerts }, second, 'pending', { ms: DAY, ...putOff });
    assert.equal((await alerts.claim(at(late)))?.message, second.message);
    assert.equal(await alerts.claim(at(late + HOUR)), undefined, 'it was killed');
    assert.equal(await alerts.claim(at(late + DAY - 1)), undefined);
    const third = (await alerts.claim(at(late + DAY)))!;
    assert.notEqual(third.message, second.message);
    await finish({ outbox: alerts }, third, 'pending', { ms: late + DAY, ...putOff, isDoubtful: true });
    assert.equal(await alerts.claim(at(late + 2 * DAY - 1)), undefined, 'nobody knows whether it arrived');
    assert.notEqual((await alerts.claim(at(late + 2 * DAY)))?.message, third.message);
  },
  'an alert of a clock that was years ahead holds up no other one': async ({ alerts }) => {
    const early = (await alerts.claim(at(999 * DAY)))!;
    await finish({ outbox: alerts }, early, 'sent', { ms: 999 * DAY });
    const next = (await alerts.claim(at()))!;
    assert.notEqual(next.message, early.message);
    await finish({ outbox: alerts }, next, 'sent');
    assert.equal(await alerts.claim(at(DAY - 1)), undefined);
  },
  'messages that were not delivered are counted among those finished, of so many days': async (store) => {
    for (const name of ['ann', 'bo', 'cy']) await add(store, `${name}@b.example`);
    await decide(store);
    await finish(store, (await claim(store))!, 'sent');
    await finish(store, (await claim(store))!, 'failed', { isRefused: false });
    const count = (ms: number) => store.alerts.countUndelivered(at(ms));
    assert.deepEqual(await count(-DAY), { finished: 2, undelivered: 1 });
    assert.deepEqual(await count(1), { finished: 0, undelivered: 0 });
  },
  'an instance is there while it says so, and forgotten a day after it was seen': async ({ alerts }) => {
    const pulse = (instance: string, ms?: number) =>
      alerts.pulse({ instance, command: 'start', startedAt: at(-HOUR) }, ms === undefined ? ms : at(ms));
    const seen = async () =>
      (await alerts.instances()).map(({ instance, startedAt, seenAt }) => [instance, startedAt, seenAt]);
    await pulse('a', 0);
    await pulse('b', MINUTE);
    await pulse('a', 2 * MINUTE);
    const [a, b] = [
      ['a', at(-HOUR), at(2 * MINUTE)],
      ['b', at(-HOUR), at(MINUTE)],
    ];
    assert.deepEqual(await seen(), [a, b]);
    await pulse('a');
    assert.deepEqual(await seen(), [b]);
    await pulse('a', 2 * DAY);
    assert.deepEqual(await seen(), [['a', at(-HOUR), at(2 * DAY)]]);
    await pulse('b', 999 * DAY); // its clock is wrong
    await pulse('a', 3 * DAY);
    assert.deepEqual(await seen(), [['a', at(-HOUR), at(3 * DAY)]]);
  },
  'the newest filing of each source leaves out days to come': async (store) => {
    await kept(store, [
      aFiling({ key: 'a', filedOn: '2026-01-02' }),
      aFiling({ key: 'b', filedOn: '2026-03-01' }),
    ]);
    await kept(store, [aFiling({ key: 'c', filedOn: '2026-02-01' })], { source: 'permits' });
    for (const [today, licences] of Object.entries({
      '2026-03-01': '2026-03-01',
      '2026-02-28': '2026-01-02',
    })) {
      const newest = await store.listings.newestFilings(['licences', 'permits', 'none'], today);
      assert.deepEqual(Object.fromEntries(newest), { licences, permits: '2026-02-01' });
    }
  },
  'a run that is still running does not hide how the one before ended': async (store) => {
    const start = { source: 'licences', place: 'a.csv', profileDigest: 'p', snapshot: true };
    const states = async () => (await store.filings.sourceStates()).map(({ last }) => last?.state);
    const number = await store.filings.start({ ...start, content: '1', command: '1', startedAt: at() });
    assert.deepEqual(await states(), ['running']);
    const counts = { read: 0, openings: 0, updates: 0, skipped: {}, rejected: [] };
    await store.filings.end(number, 'held', { counts, endedAt: at(1), detail: 'too few' });
    await store.filings.start({ ...start, content: '2', command: '2', startedAt: at(2) });
    assert.deepEqual(await states(), ['held']);
  },
};

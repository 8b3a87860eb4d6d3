/** What every store promises about concerns, the alert to the operator, and the instances that run. */

import assert from 'node:assert/strict';
import type { Concern } from '../../../src/service/mail/alerts.ts';
import { aFiling } from '../../a-filing.ts';
import { add, at, claim, DAY, MINUTE } from './mailing-steps.ts';
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
    const one = new Map([
      ['/', 1],
      ['/api/search', 4],
    ]);
    for (let instance = 0; instance < 2; instance++) await usage.add('2026-11-19', one);
    assert.deepEqual(
      (await usage.since('2000-01-01')).map(({ day, route, requests }) => [day, route, Number(requests)]),
      [
        ['2026-11-19', '/api/search', 8],
        ['2026-11-19', '/', 2],
        ['2026-11-18', '/', 3],
        ['2026-08-21', '/feed', 2],
      ],
    );
  },
  'a concern lasts from when it began until it is over, whatever its sentence is': async ({ alerts }) => {
    const began = at(-HOUR);
    const [first] = await alerts.observe([aConcern({ since: began })], at());
    assert.deepEqual(first, aConcern({ since: began }));
    assert.deepEqual(await alerts.observed(), [{ concern: 'held licences', since: began }]);
    const later = aConcern({ detail: 'run 3 of licences held', since: at(HOUR) });
    const other = aConcern({ source: 'permits' });
    assert.deepEqual(
      (await alerts.observe([later, other], at(HOUR))).map(({ detail, since }) => [detail, since]),
      [
        ['run 3 of licences held', began],
        [undefined, at(HOUR)],
      ],
    );
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
    const { message } = second;
    await alerts.finish({ message, at: at(HOUR + DAY), code: '250', state: 'sent' });
    assert.equal(await alerts.claim(at(HOUR + 2 * DAY - 1)), undefined);
    assert.notEqual(await alerts.claim(at(HOUR + 2 * DAY)), undefined);
  },
  'an alert that was put off waits for its time, and is not sent once there is nothing to tell': async ({
    alerts,
  }) => {
    const { message } = (await alerts.claim(at()))!;
    const putOff = { message, at: at(), code: '451', state: 'pending', isDoubtful: false } as const;
    await alerts.finish({ ...putOff, nextAt: at(5 * MINUTE) });
    assert.equal(await alerts.claim(at(5 * MINUTE - 1)), undefined);
    assert.equal((await alerts.claim(at(5 * MINUTE)))?.message, message);
    await alerts.finish({ ...putOff, nextAt: at(DAY) });
    await alerts.drop();
    const next = (await alerts.claim(at(HOUR)))!;
    assert.notEqual(next.message, message, 'nothing was sent, so the next one need not wait for a day');
    await alerts.finish({
      message: next.message,
      at: at(HOUR),
      code: '550',
      state: 'failed',
      isRefused: true,
    });
    assert.equal(await alerts.claim(at(DAY)), undefined, 'a refused one waits, too');
  },
  'an alert that may have arrived counts as sent: no other one leaves within a day of its last attempt':
    async ({ alerts }) => {
      const killed = (await alerts.claim(at()))!;
      await alerts.drop(); // what it told of is over when the service starts again
      assert.equal((await alerts.newest())?.state, 'uncertain');
      assert.equal(await alerts.claim(at(DAY - 1)), undefined);
      const { message } = (await alerts.claim(at(DAY)))!;
      assert.notEqual(message, killed.message);
      const late = 2 * DAY - MINUTE; // at the end of its day
      const putOff = { message, at: at(DAY), code: null, state: 'pending', nextAt: at(late) } as const;
      await alerts.finish({ ...putOff, isDoubtful: false });
      assert.equal((await alerts.claim(at(late)))?.message, message);
      assert.equal(await alerts.claim(at(late + HOUR)), undefined, 'it was killed');
      assert.equal(await alerts.claim(at(late + DAY - 1)), undefined);
      const next = (await alerts.claim(at(late + DAY)))!;
      assert.notEqual(next.message, message);
      await alerts.finish({ ...putOff, message: next.message, at: at(late + DAY), isDoubtful: true });
      assert.equal(await alerts.claim(at(late + 2 * DAY - 1)), undefined, 'nobody knows whether it arrived');
      assert.notEqual((await alerts.claim(at(late + 2 * DAY)))?.message, next.message);
    },
  'an alert of a clock that was years ahead holds up no other one': async ({ alerts }) => {
    const { message } = (await alerts.claim(at(999 * DAY)))!;
    await alerts.finish({ message, at: at(999 * DAY), code: '250', state: 'sent' });
    const next = (await alerts.claim(at()))!;
    assert.notEqual(next.message, message);
    await alerts.finish({ message: next.message, at: at(), code: '250', state: 'sent' });
    assert.equal(await alerts.claim(at(DAY - 1)), undefined);
  },
  'messages that were not delivered are counted among those that are finished, of so many days': async (
    store,
  ) => {
    for (const name of ['ann', 'bo', 'cy']) await add(store, `${name}@b.example`);
    const edition = { edition: '2026-11-16', reason: null, content: '{}' } as const;
    await store.editions.decide({ ...edition, decidedAt: at(), expiresAt: at(DAY) }, []);
    for (const ended of [{ state: 'sent' }, { state: 'failed', isRefused: false }] as const) {
      const { message } = (await claim(store))!;
      await store.outbox.finish({ message, at: at(), code: null, ...ended });
    }
    const count = (ms: number) => store.alerts.countUndelivered(at(ms));
    assert.deepEqual(await count(-DAY), { finished: 2, undelivered: 1 });
    assert.deepEqual(await count(1), { finished: 0, undelivered: 0 });
  },
  'an instance is there while it says so, and forgotten a day after it was seen': async ({ alerts }) => {
    const [a, b] = [
      { instance: 'a', command: 'start', startedAt: at(-HOUR) },
      { instance: 'b', command: 'serve', startedAt: at(-HOUR) },
    ] as const;
    await alerts.pulse(a, at());
    await alerts.pulse(b, at(MINUTE));
    await alerts.pulse(a, at(2 * MINUTE));
    const seen = async () => (await alerts.instances()).map(({ instance, seenAt }) => [instance, seenAt]);
    assert.deepEqual(await seen(), [
      ['a', at(2 * MINUTE)],
      ['b', at(MINUTE)],
    ]);
    await alerts.pulse(a, undefined);
    assert.deepEqual(await seen(), [['b', at(MINUTE)]]);
    await alerts.pulse(a, at(2 * DAY));
    assert.deepEqual(await seen(), [['a', at(2 * DAY)]]);
    assert.equal((await alerts.instances())[0]?.startedAt, at(-HOUR));
    await alerts.pulse(b, at(999 * DAY)); // its clock is wrong
    await alerts.pulse(a, at(3 * DAY));
    assert.deepEqual(await seen(), [['a', at(3 * DAY)]]);
  },
  'the newest filing of each source leaves out days to come': async (store) => {
    await kept(store, [
      aFiling({ key: 'a', filedOn: '2026-01-02' }),
      aFiling({ key: 'b', filedOn: '2026-03-01' }),
    ]);
    await kept(store, [aFiling({ key: 'c', filedOn: '2026-02-01' })], { source: 'permits' });
    const newest = (today: string) => store.listings.newestFilings(['licences', 'permits', 'none'], today);
    assert.deepEqual(
      [...(await newest('2026-03-01'))],
      [
        ['licences', '2026-03-01'],
        ['permits', '2026-02-01'],
      ],
    );
    assert.deepEqual(
      [...(await newest('2026-02-28'))],
      [
        ['licences', '2026-01-02'],
        ['permits', '2026-02-01'],
      ],
    );
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

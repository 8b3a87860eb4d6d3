/** Whichever call fails, once or from then on: nobody is told yes in vain, nothing is half done, and the next try succeeds. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { ingestSources } from '../../src/app/ingest/ingest-sources.ts';
import { loadCity } from '../../src/register/profile/load.ts';
import { decideEdition } from '../../src/service/mail/editions/decide-edition.ts';
import { parseAddress } from '../../src/service/subscribers/address.ts';
import { ShingleError } from '../../src/shared/errors.ts';
import { aCity, businesses, csvText } from '../a-city.ts';
import { aFiling } from '../a-filing.ts';
import { aFolder } from '../a-folder.ts';
import { addSubscribers } from '../a-subscriber.ts';
import { atDepth } from '../depth.ts';
import { kept, keysIn } from '../service/database/store-cases.ts';
import { aMailing, confirmed, tokenIn } from '../service/mail/a-mailing.ts';
import { aDoor, CITY } from '../service/web/a-door.ts';
import { aWorld, LIMITS, type Plan, type Seam, type World } from './a-failing-world.ts';

const READERS = 5;
const HOUR = 3_600_000;
const city = aCity();
const file = city.file('a.csv', csvText(businesses(25)));
const folder = aFolder();
const atTheDesk = join(folder, 'desk.db');
const decided = join(folder, 'decided.db');
const links: Record<string, string> = {};

before(async () => {
  const mailing = await aMailing();
  const bob = await confirmed(mailing, 'bob@b.example');
  await mailing.subscriptions.requestSignup(parseAddress('ann@b.example')!, 'weekly', 'form');
  const ann = (await mailing.deliver()).at(-1)!;
  Object.assign(links, { confirm: tokenIn(ann.links.confirm!), manage: tokenIn(bob.links.manage!) });
  await kept(mailing.store, [aFiling({ key: 'news' })], { snapshot: false });
  const readers = Array.from({ length: READERS - 1 }, (_, i) => `reader${i + 1}@b.example`);
  await addSubscribers(mailing.store, readers, { at: new Date(mailing.clock.now).toISOString() });
  await mailing.store.backup(atTheDesk);
  const { store } = mailing;
  await decideEdition({ city: CITY, store }, new Date(mailing.clock.now).toISOString(), false);
  await store.backup(decided);
});

let world: World;
const SIGNUP = JSON.stringify({ email: 'new@b.example', type: 'weekly' });
/** `gone`: there is nothing left to do it to. */
type Act = (url: string) => Promise<'yes' | 'no' | 'gone'>;

/** Whether the answer says yes. Anything but that and "not now" is wrong, and so is a bare error. */
const asking =
  (path: () => string, init: () => RequestInit): Act =>
  async (url) => {
    const answer = await fetch(url + path(), { method: 'POST', ...init() });
    const text = await answer.text();
    if (answer.ok) return 'yes';
    if (answer.status === 404) return 'gone';
    assert.ok(answer.status === 503 || answer.status === 500, `${answer.status} ${text}`);
    assert.match(answer.headers.get('content-type') ?? '', /^(application\/problem\+json|text\/html)/);
    assert.ok(!/ENOSPC|database|select|\.ts/.test(text), 'an answer says nothing of what happened inside');
    return 'no';
  };
const form = (action: string) => () => ({ body: new URLSearchParams({ action }) });
const json = () => ({ body: SIGNUP, headers: { 'content-type': 'application/json' } });

/** What it says yes to must be done; an operator's command may throw, but only what has a sentence for the operator. */
const commanding =
  (work: () => Promise<boolean>): Act =>
  async () => {
    try {
      return (await work()) ? 'yes' : 'no';
    } catch (error) {
      assert.ok(
        error instanceof ShingleError || (error as { code?: string }).code === 'ENOSPC',
        String(error),
      );
      return 'no';
    }
  };

/** `steps`: what may stand half way, where it is done in several steps that are each whole. */
const OPERATIONS: Record<string, { act: Act; steps?: readonly RegExp[] }> = {
  'an ingest': {
    act: commanding(async () => {
      const loaded = await loadCity(city.config.city);
      const context = { loaded, store: world.ports.filings, tempFolder: join(folder, 'downloads') };
      const order = { from: file, now: world.now, progress: () => undefined };
      const job = { ...context, userAgent: 'test', command: String(Math.random()) };
      const [run] = await ingestSources({ ...job, ...order });
      return run!.state === 'kept' || run!.state === 'unchanged';
    }),
  },
  'a signup': { act: asking(() => '/api/signup', json) },
  'a confirmation': { act: asking(() => `/confirm?token=${links.confirm}`, form('')) },
  leaving: { act: asking(() => `/manage?token=${links.manage}`, form('leave-weekly')) },
  'an erasure': {
    act: asking(() => `/manage?token=${links.manage}`, form('erase')),
    steps: [/bob@b\.example left/],
  },
  'an edition': {
    act: commanding(async () => {
      const { outcome } = await decideEdition(world.weekly, world.now(), false);
      return outcome === 'decided' || outcome === 'already';
    }),
  },
};

/** All there is to see: listings, people and what they asked for, who has mail to come, editions. */
async function standing({ ports }: World): Promise<string> {
  const people = (await ports.subscribers.all()).map(({ address, subscriptions }) =>
    [address, ...subscriptions.map(({ state }) => state)].join(' '),
  );
  const edition = await ports.editions.last();
  const sent = edition && (await ports.editions.progress(edition.edition));
  const { waiting } = await ports.outbox.standing('2026-11-23T19:00:00.000Z');
  const news = (await ports.editions.news()).runs.length;
  const lines = [await keysIn(ports), people.toSorted().join(', '), `${edition?.edition} ${edition?.reason}`];
  return [...lines, JSON.stringify(sent ?? null), `${waiting} wait`, `news of ${news} runs`].join('\n');
}

const planned = (seam: Seam, at: number, onward: boolean): Plan => ({ seam, at, onward, calls: 0 });
const NEVER = Number.MAX_SAFE_INTEGER;
const upTo = (calls: number): number[] => Array.from({ length: calls }, (_, i) => i + 1);

for (const [what, { act, steps = [] }] of Object.entries(OPERATIONS)) {
  test(`${what}: if any call fails, success is reported only for completed work, and the next attempt succeeds`, async (t) => {
    const subscriptions = new Proxy({} as World['subscriptions'], {
      get: (_, name) => Reflect.get(world.subscriptions, name),
    });
    const door = await aDoor(t, { subscriptions, limits: 'off' });
    const open = async (plan: Plan) => {
      world = await aWorld(atTheDesk, plan);
      return world;
    };
    await open(planned('database', NEVER, false));
    const old = await standing(world);
    assert.equal(await act(door.url), 'yes');
    const done = await standing(world);
    assert.notEqual(done, old);
    await world.close();
    const figures: string[] = [];
    for (const seam of ['database', 'answer', 'disk'] as const) {
      const undisturbed = planned(seam, NEVER, false);
      await open(undisturbed);
      assert.equal(await act(door.url), 'yes');
      await world.close();
      const { calls } = undisturbed;
      // the last call ends it: everything else is done, and must be undone
      for (const at of atDepth([calls], upTo(calls)))
        for (const onward of [false, true]) {
          const plan = planned(seam, at, onward);
          await open(plan);
          const said = await act(door.url);
          world.mend();
          const where = `${seam} call ${at}${onward ? ' and all after it' : ''}: said ${said}`;
          const now = await standing(world);
          const isWhole = now === old || now === done || steps.some((step) => step.test(now));
          assert.ok(isWhole, `${where}, and then stood\n${now}`);
          if (said !== 'no') assert.equal(now, done, where);
          assert.ok(plan.calls >= at, `${where}: it was to fail`);
          assert.notEqual(await act(door.url), 'no', `${where}; the next try`);
          assert.equal(await standing(world), done, `${where}; the next try`);
          await world.close();
        }
      figures.push(`${seam} ${calls}`);
    }
    t.diagnostic(figures.join(', '));
  });
}

/** What a mail server can do is in `test/service/mail/failures.test.ts`. */
const DELIVERIES: [what: string, seam: Seam, twice: number][] = [
  ['the database fails', 'database', 2],
  ['a commit is not heard of', 'answer', 2],
  ['the disk fails', 'disk', 2],
  ['the sender stumbles', 'mail', 1],
];

/** Two rounds, and what a plan lets fail in them: a message that is interrupted a third time is not sent again. */
async function delivered(plan: Plan) {
  const world = await aWorld(decided, plan);
  const round = () => world.ports.alone('mail', 0, world.delivery.round);
  for (let tried = 0; tried < 2; tried++)
    await round().catch((error: unknown) => {
      assert.ok(
        error instanceof ShingleError || (error as { code?: string }).code === 'ENOSPC',
        String(error),
      );
    });
  world.mend();
  return { ...world, round };
}

for (const [what, seam, most] of DELIVERIES) {
  test(`${what}: if any call fails, every subscriber gets the edition, at most ${most} get it twice, and only a delivered email counts as sent`, async (t) => {
    const undisturbed = planned(seam, NEVER, false);
    await (await delivered(undisturbed)).close();
    const { calls } = undisturbed;
    for (const at of atDepth([Math.ceil(calls / 2)], upTo(calls))) // amid the messages
      for (const onward of [false, true]) {
        const plan = planned(seam, at, onward);
        const { ports, taken, clock, now, close, round } = await delivered(plan);
        const where = `${seam} call ${at}${onward ? ' and all after it' : ''}`;
        assert.ok(plan.calls >= at, `${where}: it was to fail`);
        const { edition } = (await ports.editions.last())!;
        const { sent } = await ports.editions.progress(edition);
        assert.ok(sent <= new Set(taken).size, `${where}: ${sent} marked, ${taken.length} taken`);
        for (let hours = 0; hours < 12; hours++) {
          clock.now += HOUR;
          if (await ports.outbox.isDue(now(), LIMITS)) await round();
        }
        assert.equal(new Set(taken).size, READERS, where);
        const again = taken.length - READERS;
        assert.ok(again <= most, `${where}: ${again} too many`);
        const { waiting, failed, expired } = await ports.editions.progress(edition);
        assert.deepEqual([waiting, failed, expired], [0, 0, 0], where);
        await close();
      }
    t.diagnostic(`${calls} calls`);
  });
}

/**
 * Random courses on each engine, of ingest, held runs, weekly slots, signups, changed preferences, reviews, crashes and delivery, over any store. Each person
 * must get each new listing that they wanted when it was announced, once. A reader who wants everything tells when that was.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openEmailWriter } from '../../../src/app/operations/email-writer.ts';
import type { Repositories } from '../../../src/service/data/store.ts';
import { openDelivery } from '../../../src/service/mail/delivery.ts';
import {
  decideEdition,
  findDueSlot,
  readComing,
  skipEdition,
} from '../../../src/service/mail/editions/decide-edition.ts';
import type { MailTransport, Outgoing } from '../../../src/service/mail/smtp.ts';
import { parseAddress } from '../../../src/service/subscribers/address.ts';
import { openSubscriptionService } from '../../../src/service/subscribers/subscription-service.ts';
import { messageOf } from '../../../src/shared/errors.ts';
import { installProbe } from '../../../src/shared/probe.ts';
import { formatPreferences } from '../../../src/shared/signup/preferences.ts';
import { aFiling } from '../../a-filing.ts';
import { aFolder } from '../../a-folder.ts';
import { openPostgresStore, openStore } from '../../a-store.ts';
import { atDepth, seedFrom } from '../../depth.ts';
import { aServer } from '../database/a-postgres.ts';
import { kept, staged } from '../database/store-cases.ts';
import { CITY } from '../web/a-door.ts';
import { tokenIn } from './a-mailing.ts';

const HOUR = 3_600_000;
const START = Date.parse('2026-01-05T12:00:00Z');
const KINDS = ['Restaurants', 'Legal', 'Auto Repair'];
const PLACES = ['Café Row', 'Old Town', 'The Hill'];
const PEOPLE = 4;
const MOST_NEWS = 25; // what an email shows
const EVERYBODY = 'everything@b.example';
const NO_LISTINGS = { suppressions: async () => [], latestFiling: async () => null };

type Wanted = { categories: string[]; neighborhoods: string[] };
const REVIEWS = ['look', 'approve', 'introduce', 'leaveOut', 'takeBack'] as const;
const CRASHING = ['accept', 'fire', 'tick', ...REVIEWS] as const;
const MOST_POINTS = 3; // where a step can crash

type Step =
  | { do: 'ingest'; filings: { category: string; neighborhood: string }[] }
  | { do: 'want'; who: number; wanted: Wanted }
  | { do: 'hold' | 'deliver' | (typeof CRASHING)[number] }
  | { do: 'crash'; point: number; step: (typeof CRASHING)[number] }
  | { do: 'wait'; hours: number };

const wanted = fc.record({
  categories: fc.subarray(KINDS, { maxLength: 2 }),
  neighborhoods: fc.subarray(PLACES, { maxLength: 2 }),
});
const filing = fc.record({ category: fc.constantFrom(...KINDS), neighborhood: fc.constantFrom(...PLACES) });
const doing = <Name extends string>(...names: Name[]) => ({ do: fc.constantFrom(...names) });
const often = (weight: number, arbitrary: fc.Arbitrary<Step>) => ({ weight, arbitrary });

const courses: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    often(3, fc.record({ ...doing('ingest'), filings: fc.array(filing, { maxLength: 8 }) })),
    often(3, fc.record({ ...doing('want'), who: fc.nat(PEOPLE - 1), wanted })),
    often(3, fc.record(doing('hold', 'accept', 'fire', 'tick', 'deliver'))),
    often(3, fc.record(doing(...REVIEWS))),
    often(
      2,
      fc.record({ ...doing('crash'), point: fc.nat(MOST_POINTS - 1), step: fc.constantFrom(...CRASHING) }),
    ),
    often(2, fc.record({ ...doing('wait'), hours: fc.integer({ min: -2, max: 200 }) })),
  ),
  { minLength: 6, maxLength: 16 },
);

const AN_OPENING = { category: KINDS[0]!, neighborhood: PLACES[0]! };

type News = { name: string; category: string; neighborhood: string };
/** An email about an edition, and the names in it. */
type Got = { to: string; edition: string; names: string[] };

/** What becomes of an edition without an approval, or `undefined` where nobody asks for one. */
const approvals = fc.constantFrom(undefined, 'send' as const, 'skip' as const);

async function tryPreferenceCourse(
  store: Repositories,
  course: readonly Step[],
  unapproved: 'send' | 'skip' | undefined,
): Promise<void> {
  const world = openWorld(store, unapproved);
  for (const source of ['licences', 'held']) await world.ingest([AN_OPENING], source); // the baseline is not news
  world.news.length = 0;
  await world.want(EVERYBODY, { categories: [], neighborhoods: [] });
  for (const step of course) {
    if (step.do === 'wait') await world.wait(step.hours);
    else if (step.do === 'want') await world.want(`p${step.who}@b.example`, step.wanted);
    else if (step.do === 'ingest') {
      if (world.unannounced() + step.filings.length + 2 <= MOST_NEWS) await world.ingest(step.filings); // and what is held
    } else if (step.do === 'crash') await world.crash(step.step, step.point);
    else await world[step.do]();
  }
  await world.wait(400); // past whatever slot a clock ran ahead to
  for (let day = 0; day < 9; day++) {
    await world.look();
    await world.approve();
    await world.fire();
    await world.wait(24);
  }
  world.check();
}

/** One store and all that happens around it. */
function openWorld(store: Repositories, unapproved: 'send' | 'skip' | undefined) {
  const clock = { now: START };
  const now = () => new Date(clock.now).toISOString();
  const news: News[] = [];
  const announced = new Map<string, ReadonlyMap<string, Wanted>>();
  const wants = new Map<string, Wanted>();
  const links = new Map<string, string>();
  const got: Got[] = [];
  const leftOut = new Set<string>();
  let seen: string | undefined;
  /** What may be approved: one digest or, after a crash, one of two. */
  let approved: readonly (string | null)[] = [];
  let [sends, filed] = [0, 0];
  let held: { fresh: News[]; run: Awaited<ReturnType<typeof staged>> } | undefined;
  const made = (filings: readonly Omit<News, 'name'>[]) => {
    const fresh = filings.map((one) => ({ ...one, name: `Shop ${++filed}` }));
    return { fresh, rows: fresh.map((one) => aFiling({ key: one.name, ...one })) };
  };
  const facts = (source: string) => ({ source, snapshot: false, startedAt: now(), endedAt: now() });
  const post: MailTransport = {
    async send(_lane, outgoing, isWanted) {
      if (!(await isWanted())) return { end: 'canceled' };
      if (outgoing.what !== 'confirmation' && ++sends % 7 === 0)
        return { end: 'failure', of: 'later', code: '451' };
      note(outgoing);
      return { end: 'sent', code: '250' };
    },
    close: () => undefined,
  };
  function note({ to, what, text }: Outgoing): void {
    if (what === 'confirmation') {
      for (const [, link, purpose] of text.matchAll(/(https?:\S+\/(confirm|manage)\?token=\S+)/g))
        links.set(`${purpose} ${to}`, tokenIn(link!));
      return;
    }
    const names = [...text.matchAll(/^\* (.+)$/gm)].map(([, name]) => name!);
    got.push({ to, edition: what, names });
  }
  const weekly = { weekday: 'Monday', time: '08:00', approval: true, unapproved } as const;
  const city = unapproved === undefined ? CITY : { ...CITY, weekly };
  const shared = {
    ...{ city, now, confirmationsAnHour: 1e9, recipientDomain: { hour: 1e9, day: 1e9, providers: [] } },
    ...{ store: { ...store, listings: NO_LISTINGS }, transport: post, postalAddress: undefined },
    from: { name: 'Rivermouth', address: 'news@rivermouth.example' },
    publicUrl: 'https://rivermouth.example',
  };
  const subscriptions = openSubscriptionService(shared);

  /** Until nothing waits: what is put off is tried again a few minutes later. */
  async function deliver(): Promise<void> {
    for (let round = 0; round < 20; round++) {
      await openDelivery(shared, openEmailWriter).round();
      await store.outbox.resume();
      const last = await store.editions.last();
      const waiting = last === undefined ? 0 : (await store.editions.progress(last.edition)).waiting;
      const standing = await store.outbox.standing(now());
      if (waiting === 0 && standing.waiting === 0 && standing.waitingSince === null) return;
      clock.now += HOUR / 2;
    }
    assert.fail('mail waits for ever');
  }

  async function fire(): Promise<void> {
    const { outcome, edition, digest } = await decideEdition(shared, now(), false);
    if (outcome !== 'decided') return;
    announced.set(`weekly-${edition}`, new Map(wants));
    const isLate = Date.parse(now()) - Date.parse(`${edition}T08:00:00Z`) >= 24 * HOUR;
    assert.ok(unapproved === undefined || approved.includes(digest) || (unapproved === 'send' && isLate));
  }

  const world = {
    news,
    fire,
    /** Fails a step at one of its writes, and takes up from what is stored, as another process does. */
    async crash(step: (typeof CRASHING)[number], point: number) {
      let points = 0;
      installProbe((name) => {
        if (points++ === point) throw new Error(`a crash at ${name}`);
      });
      const before = approved;
      const failed = await world[step]().then(() => undefined, messageOf);
      installProbe(undefined);
      if (failed === undefined) return;
      assert.match(failed, /^a crash at /);
      if (step === 'approve') approved = [...before, seen!];
      leftOut.clear();
      for (const { key } of await store.editions.leftOut()) leftOut.add(key);
      const edition = `weekly-${(await store.editions.last())?.edition}`;
      if (!announced.has(edition)) announced.set(edition, new Map(wants));
      if (held !== undefined && (await store.filings.run(held.run.run))?.state === 'kept') {
        news.push(...held.fresh);
        held = undefined;
      }
    },
    deliver,
    unannounced: () =>
      news.length - got.filter(({ to }) => to === EVERYBODY).flatMap(({ names }) => names).length,
    async ingest(filings: readonly Omit<News, 'name'>[], source = 'licences') {
      const { fresh, rows } = made(filings);
      await kept(store, rows, facts(source));
      news.push(...fresh);
    },
    async hold() {
      if (held !== undefined) return;
      const { fresh, rows } = made([AN_OPENING, AN_OPENING]);
      held = { fresh, run: await staged(store, rows, facts('held')) };
    },
    /** The news is that of the moment at which the run is accepted. */
    async accept() {
      if (held === undefined) return;
      await store.filings.keep({ ...held.run, endedAt: now() });
      news.push(...held.fresh);
      held = undefined;
    },
    async look() {
      seen = (await readComing(shared, now())).digest;
    },
    /** Approves what was seen, which may have changed since. */
    async approve() {
      if (seen === undefined) return;
      const { edition } = await readComing(shared, now());
      if (await store.editions.prepare(edition, { digest: seen })) approved = [seen];
    },
    async introduce() {
      const { edition } = await readComing(shared, now());
      await store.editions.prepare(edition, { introduction: `Words of ${now()}.` });
    },
    async leaveOut() {
      const [one] = (await readComing(shared, now())).made.listings;
      if (one === undefined) return;
      await store.editions.leaveOut([one], now());
      leftOut.add(one.name);
    },
    async takeBack() {
      const one = (await store.editions.news()).listings.find(({ name }) => leftOut.has(name));
      if (one === undefined) return;
      await store.editions.leaveOut([one]);
      leftOut.delete(one.name);
    },
    /** As the schedule does: nothing before it is due, and an edition that is late is only written down. */
    async tick() {
      const slot = await findDueSlot(shared, now());
      if (slot?.isLate) await skipEdition(shared, slot, 'late', now());
      else if (slot?.isWaiting === false) await fire();
    },
    async wait(hours: number) {
      await deliver(); // an edition waits for two days at most
      clock.now += hours * HOUR;
    },
    /** The first time by a signup, then on the manage page. */
    async want(address: string, wish: Wanted) {
      const preferences = formatPreferences(wish, {});
      if (wants.has(address)) {
        await subscriptions.changePreferences(links.get(`manage ${address}`)!, preferences);
      } else {
        await subscriptions.requestSignup(parseAddress(address)!, 'weekly', 'form', { preferences });
        await deliver();
        assert.ok(await subscriptions.confirm(links.get(`confirm ${address}`)!));
      }
      wants.set(address, wish);
    },
    check() {
      const all = got.filter(({ to }) => to === EVERYBODY);
      const wanted = news.flatMap(({ name }) => (leftOut.has(name) ? [] : [name]));
      assert.deepEqual(all.flatMap(({ names }) => names).toSorted(), wanted.toSorted());
      for (const address of wants.keys()) {
        const expected = all.flatMap(({ edition, names }) => {
          const wish = announced.get(edition)!.get(address);
          return wish === undefined ? [] : names.filter((name) => isWished(wish, news, name));
        });
        const mails = got.filter(({ to }) => to === address);
        assert.deepEqual(mails.flatMap(({ names }) => names).toSorted(), expected.toSorted(), address);
        assert.ok(mails.every(({ names }) => names.length > 0));
      }
    },
  };
  return world;
}

function isWished({ categories, neighborhoods }: Wanted, news: readonly News[], name: string): boolean {
  const { category, neighborhood } = news.find((one) => one.name === name)!;
  return (
    (categories.length === 0 || categories.includes(category)) &&
    (neighborhoods.length === 0 || neighborhoods.includes(neighborhood))
  );
}

const SEED = seedFrom(20261123);

const folder = aFolder();
let stores = 0;

/** 500 on each engine in full depth, as the promise says it. */
async function tryCourses(
  quick: number,
  open: () => Promise<{ store: Repositories; end(): Promise<void> }>,
): Promise<void> {
  const property = fc.asyncProperty(courses, approvals, async (course, unapproved) => {
    const { store, end } = await open();
    try {
      await tryPreferenceCourse(store, course, unapproved);
    } finally {
      await end();
    }
  });
  await fc.assert(property, { seed: SEED, numRuns: atDepth(quick, 500) });
}

test('SQLite: in random courses, each subscriber gets each new listing they wanted in exactly one edition', () =>
  tryCourses(15, async () => {
    const store = await openStore(`${folder}/${++stores}`);
    return { store, end: store.close };
  }));

test('PostgreSQL: in random courses, each subscriber gets each new listing they wanted in exactly one edition', async () => {
  const primary = await aServer();
  await tryCourses(4, async () => {
    const url = await primary.migrated();
    const store = await openPostgresStore(url);
    return {
      store,
      async end() {
        await store.close();
        await primary.drop(url);
      },
    };
  });
});

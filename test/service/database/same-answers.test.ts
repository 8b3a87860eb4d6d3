/** A store and its copy in PostgreSQL know the same, in the same order, so all answers are the same bytes. */

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { moveStore } from '../../../src/service/data/move.ts';
import {
  openPostgresStore,
  openStore,
  openStoreToRead,
  type Repositories,
} from '../../../src/service/data/store.ts';
import { openIndexBuilder } from '../../../src/service/search/index/build.ts';
import { parseAddress } from '../../../src/service/subscribers/address.ts';
import { hashToken } from '../../../src/service/subscribers/tokens.ts';
import { aFiling, anUpdate } from '../../a-filing.ts';
import { aFolder } from '../../a-folder.ts';
import { seedFrom } from '../../depth.ts';
import { manyListings, TODAY } from '../search/made-up.ts';
import { aServer } from './a-postgres.ts';
import { kept, listingsIn, staged } from './store-cases.ts';

const LISTINGS = 4_000;
const SEED = seedFrom(20_261_120);
const PEOPLE = 40;
const NOW = '2026-03-01T09:00:00.000Z';
const LIMITS = { confirmationsAnHour: 200, recipientDomain: { hour: 10, day: 30 } };
const SUPPRESSED = ['p7-a p7b', '11', 'Blue Heron Café'];

const EDITION = {
  decidedAt: NOW,
  expiresAt: '2026-03-09T09:00:00.000Z',
  reason: null,
  content: JSON.stringify({ total: 7, name: 'Zoë’s' }),
} as const;

const folder = aFolder();
const primary = await aServer();
const url = await primary.migrated();
after(async () => {
  await Promise.all([here.close(), there.close()]);
});

const filings = manyListings(LISTINGS, SEED).map(
  ({ arrivedAt: _, arrival: _arrival, isNews: _isNews, ...facts }) => ({
    ...aFiling(),
    ...facts,
    termOn: facts.filedOn,
  }),
);

/** A year of a small city: a baseline, news, renewals, a second source, a held run, a failed one, people and editions. */
async function live(store: Repositories): Promise<void> {
  await kept(store, filings.slice(0, 2_500), { startedAt: '2026-01-01T00:00:00.000Z', mark: { etag: 'é' } });
  await kept(store, filings.slice(400, 3_200), { startedAt: '2026-02-01T00:00:00.000Z' });
  const renewed = filings
    .slice(0, 300)
    .map(({ key }) => anUpdate({ key, status: 'closed', expiresOn: '2026-02-28' }));
  await kept(store, renewed, { startedAt: '2026-02-02T00:00:00.000Z', snapshot: false });
  await kept(store, filings.slice(2_000), { source: 'permits', startedAt: '2026-02-03T00:00:00.000Z' });
  const held = await staged(store, filings.slice(0, 50), { startedAt: '2026-02-10T00:00:00.000Z' });
  await store.filings.end(held.run, 'held', {
    counts: held.counts,
    endedAt: NOW,
    detail: 'fewer than 90 %',
    shape: {
      openings: 50,
      category: {},
      neighborhood: {},
      status: {},
      empty: {},
      repeated: 0,
      newest: [],
      undecided: {},
    },
  });
  const torn = await staged(store, [], { source: 'permits', startedAt: '2026-02-11T00:00:00.000Z' });
  await store.filings.end(torn.run, 'failed', { counts: torn.counts, endedAt: NOW, detail: 'línea 7' });
  await store.filings.keepOutline('{"width":1,"height":1,"areas":[]}');
  for (const value of SUPPRESSED) await store.suppressions.add({ value, reason: 'é', addedAt: NOW });
  await people(store);
}

/** The hashes of the manage links that were sent: some expire, and some do not. */
const links: string[] = [];

async function people(store: Repositories): Promise<void> {
  const consent = { version: 'v', words: 'Ja, ich möchte.' };
  for (let i = 0; i < PEOPLE; i++) {
    const who = { ...parseAddress(`P.${i}@Bücher.example`)!, consent };
    if (i % 4 === 0)
      await store.subscribers.requestSignup({ ...who, type: 'pro-waitlist', source: 'form', at: NOW });
    if (i % 3 > 0) await store.subscribers.addConfirmed({ ...who, type: 'weekly', at: NOW });
  }
  await store.editions.decide(
    { ...EDITION, edition: '2026-02-23', state: 'skipped', reason: 'empty', content: null },
    [1],
  );
  await store.editions.decide({ ...EDITION, edition: '2026-03-01', state: 'open' }, [2, 3]);
  for (let i = 0; i < 30; i++) {
    const claimed = await store.outbox.claim({ now: NOW, done: undefined, ...LIMITS });
    links.push(hashToken(claimed!.tokens.manage!)!);
    const outcome = { message: claimed!.message, at: NOW, code: '250' };
    if (i % 5 === 0) await store.outbox.finish({ ...outcome, end: 'refused', code: '550' });
    else if (i % 5 < 4) await store.outbox.finish({ ...outcome, end: 'sent' }); // one in five is on its way
  }
  await store.outbox.pause('2026-03-01T09:05:00.000Z', 'the log-in was refused', 2);
}

async function made(): Promise<
  [here: Pick<Repositories, 'listings' | 'close'>, there: Repositories, before: unknown]
> {
  const store = await openStore(folder);
  await live(store);
  const before = await told(store);
  await store.close();
  await moveStore({
    folder: folder,
    url,
    city: { city: { name: 'Rivermouth', region: 'Oregon' }, path: 'city.yaml' },
    now: NOW,
    progress: () => undefined,
  });
  return [
    await openStoreToRead({ dataFolder: folder, databaseUrl: undefined }),
    await openPostgresStore(url),
    before,
  ];
}

/** What a store knows, through its ports, in the order they give it. */
async function told(store: Repositories) {
  const runs = await store.filings.runs({ limit: 100 });
  const held = { purpose: 'manage', at: NOW } as const;
  return {
    runs,
    listings: await listingsIn(store),
    version: await store.listings.version(),
    outline: await store.listings.outline(),
    suppressions: await store.listings.suppressions(),
    sources: await store.filings.sourceStates(),
    decisions: await Promise.all(runs.map((run) => store.filings.decision(run))),
    subscribers: await store.subscribers.all(),
    waiting: await store.subscribers.countAhead({ ...LIMITS, now: NOW, client: undefined, most: 1_000 }),
    holders: await Promise.all(
      [...links, '0'.repeat(64)].map((hash) => store.subscribers.findTokenHolder({ ...held, hash })),
    ),
    editions: [await store.editions.edition('2026-02-23'), await store.editions.last()],
    progress: await store.editions.progress('2026-03-01'),
    news: await store.editions
      .news()
      .then(({ runs: numbers, listings }) => [numbers, listings.map(rowOf).sort()]),
    since: await store.editions.since(),
    recipients: await store.editions.recipients(),
    standing: await store.outbox.standing(NOW),
    isDue: await store.outbox.isDue(NOW, LIMITS),
  };
}

const rowOf = (listing: object): string => JSON.stringify(Object.entries(listing).sort());

/** What every request is answered from, as src/app/operations/build-worker.ts builds it. */
async function indexOn({ listings }: Pick<Repositories, 'listings'>) {
  const suppressed = (await listings.suppressions()).map(({ value }) => value);
  const builder = openIndexBuilder({ version: await listings.version(), day: TODAY, suppressed });
  for await (const batch of listings.listings()) builder.add(batch);
  return builder.finish();
}

const [here, there, before] = await made();

test(`both engines make the same bytes of the index, without suppressed listings (seed ${SEED})`, async () => {
  const [sqlite, postgres] = await Promise.all([indexOn(here), indexOn(there)]);
  assert.deepEqual(postgres, sqlite);
  assert.ok(sqlite.size > LISTINGS, `${sqlite.size} listings of two sources`);
  assert.ok((await listingsIn(there)).length > sqlite.size, 'some are suppressed');
});

test('runs, suppressions, subscribers, links, editions and the outbox are the same in both engines', async () => {
  const copy = await told(there);
  assert.ok(copy.subscribers.length > 20 && copy.runs.length === 6 && copy.recipients.recipients > 10);
  assert.deepEqual(copy, before);
});

test('both engines continue in the same way after one more run and one more edition', async (t) => {
  rmSync(join(folder, 'moved.txt')); // as the refusal says
  const back = await openStore(folder);
  const next = filings
    .slice(100, 3_900)
    .map((filing, i) => (i % 9 === 0 ? { ...filing, name: `${filing.name} é` } : filing));
  const facts = { startedAt: '2026-03-02T00:00:00.000Z', content: 'next', command: 'next' };
  const runs = [];
  for (const store of [back, there]) {
    await store.outbox.tidy('2026-03-02T00:00:00.000Z');
    runs.push(await kept(store, next, facts));
    await store.editions.decide({ ...EDITION, edition: '2026-03-08', state: 'open' }, [7]);
  }
  t.diagnostic(`the run after the move: ${JSON.stringify(runs[0])}`);
  assert.deepEqual(runs[1], runs[0]);
  const [one, other] = [await told(back), await told(there)];
  assert.deepEqual({ ...other, version: '' }, { ...one, version: '' });
  await back.close();
});

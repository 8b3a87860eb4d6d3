/**
 * Grades the answers to the questions of `test/service/search/questions.json`, asked through the page: 3 where the first ten listings are right and
 * most of the right ones are found, 2 where half of that holds or one click on a suggestion leads there, 1 where something right is among the
 * first ten, else 0. Comparisons are right if the page states both counts, rankings if the first row is right, and others only if the page
 * says what it must. What nothing fits deserves an empty page; a page that says what it did not use gets 2.
 */

import { existsSync, readFileSync } from 'node:fs';
import { openService, type Service } from '../src/app/operations/service.ts';
import { buildApp } from '../src/app/web/app.ts';
import { readConfig } from '../src/config.ts';
import { kindOfPhrase } from '../src/register/profile/categories/kind.ts';
import type { City } from '../src/register/profile/define.ts';
import { openIndexBuilder } from '../src/service/search/index/build.ts';
import { type ListingIndex, openIndex } from '../src/service/search/index/open.ts';
import { parseSearchQuery } from '../src/service/search/query.ts';
import type { SubscriptionService } from '../src/service/subscribers/subscription-service.ts';
import type { Listing } from '../src/shared/listing.ts';
import { NARROWING } from '../src/shared/question.ts';
import { BOUNDARIES, LONG_BEACH, REAL, workFolder } from './data.ts';
import type { Result } from './report.ts';

type Predicate = {
  category?: string[];
  name?: string;
  neighborhood?: string[];
  status?: string[];
  filedFrom?: string;
  filedTo?: string;
  any?: Predicate[];
  none?: Predicate[];
};
type Asked = {
  id: string;
  city: keyof typeof CITIES;
  kind: string;
  q: string;
  heldOut: boolean;
  relevant: Predicate | null;
  least: number;
  /** Sets of listings whose numbers the page should compare. */
  compared?: Predicate[];
  ranked?: { by: string; first: string };
  /** A pattern of what the page must say. */
  said?: string;
};
type Graded = Asked & { grade: number; page: Page };

const QUESTIONS = new URL('../test/service/search/questions.json', import.meta.url);
const FIRST = 10;
/** The registers, and the day on which they are asked: shortly after the newest filing. */
const CITIES = {
  'long-beach': { day: '2016-10-07', order: { from: LONG_BEACH, boundaries: BOUNDARIES } },
  sample: { day: '2026-11-23', order: {} },
  vancouver: { day: '2025-10-04', order: { from: `${REAL}vancouver/business-licences.csv` } },
  // long after its last file: some filings take effect weeks later
  'pasco-county': { day: '2026-11-29', order: { from: `${REAL}pasco-county/daily` } },
  'san-luis-obispo': { day: '2026-06-02', order: { from: `${REAL}san-luis-obispo/raw_data.xlsx` } },
  'little-rock': { day: '2021-04-27', order: { from: `${REAL}little-rock/business_licenses.csv` } },
  chicago: {
    day: '2020-07-16',
    order: {
      from: `${REAL}chicago/business-licenses-sample.csv`,
      boundaries: `${REAL}chicago/neighborhoods.geojson`,
    },
  },
};

export async function benchQuestions(): Promise<Result> {
  const questions: Asked[] = JSON.parse(readFileSync(QUESTIONS, 'utf8'));
  const graded: Graded[] = [];
  for (const [name, { day, order }] of Object.entries(CITIES)) {
    if ('from' in order && !existsSync(order.from)) continue;
    const door = await openDoor(name, day, order);
    for (const asked of questions.filter(({ city }) => city === name)) graded.push(await grade(door, asked));
    await door.close();
  }
  const isWeak = ({ kind }: Asked) => WEAK.includes(kind);
  const isNew = ({ city }: Asked) => city !== 'long-beach' && city !== 'sample';
  const groups = (['tuned', 'held out'] as const).flatMap((half) => {
    const some = graded.filter(({ heldOut }) => heldOut === (half === 'held out'));
    return [
      [half, some],
      [`${half}, two old cities`, some.filter((one) => !isNew(one))],
      [`${half}, four new cities`, some.filter(isNew)],
      [`${half}, weak kinds`, some.filter(isWeak)],
    ] as const;
  });
  const fits = graded.filter(({ relevant, compared, ranked }) => relevant ?? compared ?? ranked);
  const silent = fits.filter(({ page }) => page.found.length === 0 && page.text.includes('<table') === false);
  const worse = graded.filter((one) => one.grade < 3 && (!one.heldOut || process.env.HELD_OUT === '1'));
  return {
    bench: 'questions',
    listings: graded.length,
    rows: [
      ...groups.map(([what, some]) => ({ what, value: describe(some) })),
      { what: `pages that list nothing, of ${fits.length} that could`, value: String(silent.length) },
      ...worse.map(({ id, q, grade, page }) => ({
        what: `  ${id} "${q}"`,
        value: `${grade}: ${page.found.length} found at ${page.address} ${page.doubts}`,
      })),
    ],
    figures: { silent: silent.length },
  };
}

const WEAK = ['time', 'comparison', 'negation', 'two', 'superlative', 'home', 'voice', 'street', 'form'];

function describe(some: readonly Graded[]): string {
  const well = some.filter(({ grade }) => grade === 3).length;
  const mean = some.reduce((sum, { grade }) => sum + grade, 0) / some.length;
  return `${((100 * well) / some.length).toFixed(0)} % answered well, mean grade ${mean.toFixed(2)} of 3, of ${some.length}`;
}

/** A page as people see it: the listings of its search, its words, and what its first suggestion leads to. */
type Page = { address: string; found: readonly Listing[]; text: string; doubts: string; next: string[] };
type Door = Awaited<ReturnType<typeof openDoor>>;

async function grade(door: Door, asked: Asked): Promise<Graded> {
  const page = await door.open(`/?q=${encodeURIComponent(asked.q)}`);
  const own = gradePage(door.index, page, asked);
  let best = own;
  for (const address of page.next.slice(0, 1))
    if (own < 2 && gradePage(door.index, await door.open(address), asked) === 3) best = 2;
  return { ...asked, grade: best, page };
}

function gradePage(
  index: ListingIndex,
  page: Page,
  { relevant, least, compared, ranked, said }: Asked,
): number {
  const text = page.text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
  const isSaid = said === undefined || new RegExp(said).test(text);
  if (compared) {
    const all = readAll(index, '');
    const counts = compared.map((one) => all.filter((listing) => isRelevant(listing, one)).length);
    return counts.every((n) => new RegExp(`(?<![\\d,])${n.toLocaleString('en')}(?![\\d,])`).test(text))
      ? 3
      : 0;
  }
  if (ranked) {
    // all years are bars, the newest last
    const [, first = ''] =
      /<th scope="row">(.*?)<\/th>/s.exec(page.text) ??
      [...page.text.matchAll(/<span class="unseen">[^<]*?(\d{4}): /g)].at(-1) ??
      [];
    return first
      .replace(/<[^>]+>/g, '')
      .replaceAll('&amp;', '&')
      .replace(/\s+/g, ' ') // of a month, a no-break space
      .trim() === ranked.first
      ? 3
      : 0;
  }
  if (relevant === null && said !== undefined) return isSaid ? 3 : 0;
  if (relevant === null) return page.found.length === 0 ? 3 : /We ignored|No listing says/.test(text) ? 2 : 0;
  const isRight = page.found.map((listing) => isRelevant(listing, relevant));
  const shown = isRight.slice(0, FIRST);
  const share = shown.filter(Boolean).length / Math.max(1, shown.length);
  const right = isRight.filter(Boolean).length;
  if (share >= 0.8 && right >= least && isSaid) return 3;
  if (share >= 0.5 && right >= least / 2) return 2;
  return shown.includes(true) ? 1 : 0;
}

function isRelevant(listing: Listing, relevant: Predicate): boolean {
  const { category, name, neighborhood, status, filedFrom, filedTo, any, none } = relevant;
  return (
    (category?.includes(listing.category) ?? true) &&
    (name === undefined || new RegExp(name, 'iu').test(listing.name)) &&
    (neighborhood?.includes(listing.neighborhood) ?? true) &&
    (status?.includes(listing.status) ?? true) &&
    (filedFrom === undefined || listing.filing_date >= filedFrom) &&
    (filedTo === undefined || listing.filing_date <= filedTo) &&
    (any?.some((one) => isRelevant(listing, one)) ?? true) &&
    !none?.some((one) => isRelevant(listing, one))
  );
}

function readAll(index: ListingIndex, query: string): Listing[] {
  const { question } = parseSearchQuery(query, NARROWING);
  return index.readListings(index.search({ ...question, limit: index.size }).rows);
}

/** Opens the pages of a city. A page states its search as the address for programs. */
async function openDoor(city: string, day: string, order: Parameters<Service['ingest']>[0]) {
  const { index, profile } = await ingestCity(city, day, order);
  const app = buildApp({
    city: profile,
    version: 'bench',
    index: () => index,
    outline: () => undefined,
    dataAsOf: () => null,
    health: () => ({ status: 'ok', detail: [] }),
    now: () => Date.parse(`${day}T12:00:00Z`),
    publicUrl: 'https://city.example',
    trustProxy: [],
    limits: 'off',
    log: { warn: (sentence) => sentence },
    subscriptions: {} as SubscriptionService,
  });
  await app.ready();
  async function open(address: string): Promise<Page> {
    const { body, statusCode } = await app.inject({ url: address });
    if (statusCode !== 200) throw new Error(`${address}: ${statusCode} ${body.slice(0, 500)}`);
    const text = body.slice(body.indexOf('id="view"'), body.indexOf('</main>'));
    const shown = /href="\/api\/search(?:\?([^"]*))?"/.exec(text);
    const query = shown?.[1]?.replaceAll('&amp;', '&') ?? '';
    const doubts = Array.from(text.matchAll(/<p class="doubt">(.*?)<\/p>/gs), ([, one = '']) => one).join(
      ' ',
    );
    const links = `${doubts} ${/<ul class="nearest">.*?<\/ul>/s.exec(text)?.[0]}`;
    const next = Array.from(links.matchAll(/href="(\/[^"#]*)"/g), ([, one = '']) =>
      one.replaceAll('&amp;', '&'),
    );
    return {
      address: decodeURIComponent(query),
      found: shown === null ? [] : readAll(index, query),
      text,
      doubts: doubts.replace(/<[^>]+>/g, ''),
      next,
    };
  }
  return { index, open, close: () => app.close() };
}

async function ingestCity(
  city: string,
  day: string,
  order: Parameters<Service['ingest']>[0],
): Promise<{ index: ListingIndex; profile: City }> {
  const dataFolder = workFolder(`questions-${city}`);
  const service = await openService({ ...readConfig({}), city, dataFolder });
  await service.ingest(order);
  const builder = openIndexBuilder({ version: 'bench', day, suppressed: [] });
  for await (const batch of service.store.listings.listings()) builder.add(batch);
  await service.close();
  const profile = service.loaded.city;
  const index = openIndex(builder.finish(), {
    kindOfWord: kindOfPhrase,
    placeNames: [profile.name, profile.region],
    alsoCalled: profile.alsoCalled ?? {},
    language: profile.language ?? 'en',
  });
  return { index, profile };
}

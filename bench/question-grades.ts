/**
 * Grades the answers to the questions of `test/service/search/questions.json`: 3 where the first ten listings are right and most of the right ones are
 * found, 2 where half of that holds or one click on the suggestion leads there, 1 where something right is among the first ten, else 0.
 * The answer is what the page shows: where the words as typed find nothing, the query that was probably meant.
 */

import { readFileSync } from 'node:fs';
import { openService, type Service } from '../src/app/operations/service.ts';
import { readConfig } from '../src/config.ts';
import { kindOf } from '../src/register/profile/categories/kind.ts';
import { openIndexBuilder } from '../src/service/search/index/build.ts';
import { openIndex } from '../src/service/search/index/open.ts';
import type { ListingIndex } from '../src/service/search/listing-index.ts';
import type { Listing } from '../src/shared/listing.ts';
import { EVERYTHING, type Question } from '../src/shared/question.ts';
import { BOUNDARIES, LONG_BEACH, workFolder } from './data.ts';
import type { Result } from './report.ts';

type Predicate = {
  category?: string[];
  name?: string;
  neighborhood?: string[];
  status?: string[];
  filedFrom?: string;
  filedTo?: string;
  any?: Predicate[];
};
type Asked = {
  id: string;
  city: 'long-beach' | 'sample';
  kind: string;
  q: string;
  heldOut: boolean;
  relevant: Predicate | null;
  least: number;
};
type Graded = Asked & { grade: number; total: number; hint: string };

const QUESTIONS = new URL('../test/service/search/questions.json', import.meta.url);
const FIRST = 10;
/** The day after the newest filing of Long Beach's register. */
const DAYS = { 'long-beach': '2016-10-07', sample: '2026-11-23' };

export async function benchQuestions(): Promise<Result> {
  const questions: Asked[] = JSON.parse(readFileSync(QUESTIONS, 'utf8'));
  const indexes = {
    'long-beach': await ingestCity('long-beach', { from: LONG_BEACH, boundaries: BOUNDARIES }),
    sample: await ingestCity('sample', {}),
  };
  const graded = questions.map((asked) => gradeQuestion(indexes[asked.city], asked));
  const rows = (['tuned', 'held out'] as const).flatMap((half) => {
    const some = graded.filter(({ heldOut }) => heldOut === (half === 'held out'));
    const well = some.filter(({ grade }) => grade === 3).length;
    const mean = some.reduce((sum, { grade }) => sum + grade, 0) / some.length;
    return [
      {
        what: `${half}: answered well, of ${some.length}`,
        value: `${((100 * well) / some.length).toFixed(0)} %`,
      },
      { what: `${half}: mean grade, of 3`, value: mean.toFixed(2) },
    ];
  });
  const silent = graded.filter(({ total, hint }) => total === 0 && hint === '').length;
  const worse = graded.filter(
    ({ grade, heldOut }) => grade < 3 && (!heldOut || process.argv.includes('--all')),
  );
  return {
    bench: 'questions',
    listings: indexes['long-beach'].size,
    rows: [
      ...rows,
      { what: 'no listings and no hint', value: String(silent) },
      ...worse.map(({ id, q, grade, total, hint }) => ({
        what: `  ${id} "${q}"`,
        value: `${grade}: ${total} found ${hint}`,
      })),
    ],
    figures: { silent },
  };
}

function gradeQuestion(index: ListingIndex, asked: Asked): Graded {
  const question = { ...EVERYTHING, q: asked.q };
  const { total } = index.search(question);
  const warnings = index.suggest(question, total);
  const warning = warnings.find(({ meant }) => meant !== undefined);
  const meant = warning?.meant;
  const hint = warnings.map(({ didYouMean, detail }) => didYouMean ?? detail).join('; ');
  const isShown = total === 0 && (warning?.code === 'filter-words' || warning?.code === 'misspelled');
  const answer = isShown && meant !== undefined ? meant : question;
  const grade = gradeAnswer(index, answer, asked);
  const offered = meant === undefined ? 0 : gradeAnswer(index, meant, asked);
  return { ...asked, grade: Math.max(grade, offered === 3 ? 2 : 0), total, hint };
}

function gradeAnswer(index: ListingIndex, question: Question, { relevant, least }: Asked): number {
  const { rows, total } = index.search({ ...question, limit: index.size });
  if (relevant === null) return total === 0 ? 3 : 0;
  const isRight = index.readListings(rows).map((listing) => isRelevant(listing, relevant));
  const shown = isRight.slice(0, FIRST);
  const share = shown.filter(Boolean).length / Math.max(1, shown.length);
  const right = isRight.filter(Boolean).length;
  if (share >= 0.8 && right >= least) return 3;
  if (share >= 0.5 && right >= least / 2) return 2;
  return shown.includes(true) ? 1 : 0;
}

function isRelevant(listing: Listing, relevant: Predicate): boolean {
  const { category, name, neighborhood, status, filedFrom, filedTo, any } = relevant;
  return (
    (category?.includes(listing.category) ?? true) &&
    (name === undefined || new RegExp(name, 'iu').test(listing.name)) &&
    (neighborhood?.includes(listing.neighborhood) ?? true) &&
    (status?.includes(listing.status) ?? true) &&
    (filedFrom === undefined || listing.filing_date >= filedFrom) &&
    (filedTo === undefined || listing.filing_date <= filedTo) &&
    (any?.some((one) => isRelevant(listing, one)) ?? true)
  );
}

async function ingestCity(
  city: keyof typeof DAYS,
  order: Parameters<Service['ingest']>[0],
): Promise<ListingIndex> {
  const dataFolder = workFolder(`questions-${city}`);
  const service = await openService({ ...readConfig({}), city, dataFolder });
  await service.ingest(order);
  const builder = openIndexBuilder({ version: 'bench', day: DAYS[city], suppressed: [] });
  for await (const batch of service.store.listings.listings()) builder.add(batch);
  await service.close();
  const { name, region } = service.loaded.city;
  return openIndex(builder.finish(), {
    kindOfWord: (word) => kindOf({ name: word }),
    placeNames: [name, region],
  });
}

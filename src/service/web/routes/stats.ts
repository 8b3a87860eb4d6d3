/**
 * Adds GET /api/stats: the matching listings by each dimension. Counts of the whole city are rendered once for each index, so they
 * are free.
 */

import type { FastifyInstance } from 'fastify';
import { countsBy, DIMENSIONS, type Dimension } from '../../../shared/answers.ts';
import type { Counts } from '../../../shared/listing.ts';
import { type Asked, formatList, formatQuestion, NARROWING } from '../../../shared/question.ts';
import { countListings, countPairs, dimensions, type ListingCounts } from '../../search/counts.ts';
import type { Pairs } from '../../search/index/tally.ts';
import { formatWarnings } from '../../search/warnings.ts';
import type { ServedData, ServerContext } from '../context.ts';
import { countCellsOf, priceOf } from '../limits/charge.ts';
import { invalidParametersProblem, type Problem } from '../problems.ts';
import { addQuestionRoute } from './route-kinds.ts';

/** Options of all routes with counts. Counts have no pages. */
export const COUNTS = { names: NARROWING, cacheControl: 'private, max-age=300' };

/** The most counts by two dimensions in an answer: months by category of a large city, over a century. */
export const MOST_CELLS = 20_000;

export type By = { by: readonly Dimension[] };

/** The dimensions as the reference writes them. */
const QUOTED = DIMENSIONS.map((name) => `\`${name}\``);

const BY_TWO = dimensions(2, {
  usual: [],
  description: `Adds \`breakdown\`: the counts by two of ${formatList(QUOTED)}, such as \`month,category\`.`,
});

export function statsRoute(app: FastifyInstance, context: ServerContext): void {
  addQuestionRoute<By>(app, context, {
    ...COUNTS,
    path: '/api/stats',
    config: { isCrossOrigin: true },
    isFree: isWhole,
    isKept: true,
    others: { by: BY_TWO },
    answer(data, asked) {
      // a test compares the text with StatsSchema
      const write = (found: Counted) => writeStats(data, asked.others, found);
      if (isWhole(asked)) return { render: () => write({ counts: countListings(data.index, asked) }) };
      const found = countForProgram(data, asked, MOST_CELLS);
      if ('tooMany' in found) return tooManyProblem(found.tooMany);
      return { price: found.price, render: () => write(found) };
    },
  });
}

function isWhole({ question, others }: Asked<By>): boolean {
  return others.by.length === 0 && formatQuestion(question) === '';
}

/** Counts by each dimension and, if asked, by two, with the price of these counts. */
export function countForProgram(data: ServedData, asked: Asked<By>, mostCells: number) {
  const { question, others } = asked;
  const counts = countListings(data.index, asked);
  const found = others.by.length > 0 ? countPairs(data.index, question, others.by, mostCells) : undefined;
  if (found && 'tooMany' in found) return found;
  const cells = countCellsOf(question, ...DIMENSIONS.map((one) => countsBy(counts, one)));
  const kind = `counts by ${others.by.join()}`;
  return {
    counts,
    pairs: found?.pairs,
    price: priceOf(data, kind, question, { cells: cells + (found?.singles ?? 0) }),
  };
}

/** Makes the problem for counts by two dimensions that are too many for an answer. */
export function tooManyProblem(detail: string): Problem {
  return invalidParametersProblem([{ parameter: 'by', detail }]);
}

type Counted = { counts: ListingCounts; pairs?: Pairs | undefined };

/** Writes counts as JSON (StatsSchema). Making objects with hundreds of keys would take three times as long. */
export function writeStats(
  { dataAsOf, caveats }: ServedData,
  { by }: By,
  { counts, pairs }: Counted,
): string {
  const { total, latestFiling, warnings } = counts;
  const fields = DIMENSIONS.map((one) => `"by_${one}":${writeCounts(countsBy(counts, one))}`);
  const breakdown = pairs?.map((one) => `${JSON.stringify(one.value)}:${writeCounts(one.counts)}`);
  if (breakdown !== undefined) fields.push(`"breakdown":{${breakdown.join()}}`);
  if (warnings.length > 0) {
    const other = by.length > 0 ? `by=${by.join()}` : '';
    fields.push(`"warnings":${JSON.stringify(formatWarnings(warnings, '/api/stats', other))}`);
  }
  if (caveats.length > 0) fields.push(`"caveats":${JSON.stringify(caveats)}`);
  const plain = JSON.stringify({ total, data_as_of: dataAsOf, latest_filing: latestFiling });
  return `${plain.slice(0, -1)},${fields.join()}}`;
}

function writeCounts(counts: Counts): string {
  let text = '';
  for (const { value, count } of counts) text += `,${JSON.stringify(value)}:${count}`;
  return `{${text.slice(1)}}`;
}

/**
 * Adds GET /api/stats, the matching listings by each dimension, and GET /api/stats.csv, such counts as a table for a spreadsheet.
 * Counts of the whole city are rendered once for each index, so they are free.
 */

import type { FastifyInstance } from 'fastify';
import { countsBy, DIMENSIONS, type Dimension } from '../../../shared/answers.ts';
import { addMonths, type Day, type Month } from '../../../shared/day.ts';
import { type Counts, isException } from '../../../shared/listing.ts';
import {
  clipDays,
  compareCounts,
  compareMonths,
  findDataStart,
  findDaysBefore,
  isBeforeData,
  spanMonths,
} from '../../../shared/periods.ts';
import {
  type Asked,
  EVERYTHING,
  formatAlternatives,
  formatList,
  formatQuestion,
  NARROWING,
} from '../../../shared/question.ts';
import { formatCsv } from '../../../shared/text/csv-text.ts';
import {
  countListings,
  countPairs,
  dimensions,
  type ListingCounts,
  selectMonths,
} from '../../search/counts.ts';
import type { ListingIndex } from '../../search/index/open.ts';
import type { Pairs } from '../../search/index/tally.ts';
import { formatWarnings } from '../../search/warnings.ts';
import type { Caveat, ServedData, ServerContext } from '../context.ts';
import { countCellsOf, priceOf } from '../limits/charge.ts';
import { invalidParametersProblem, type Problem } from '../problems.ts';
import { addQuestionRoute } from './route-kinds.ts';

/** Options of all routes with counts. Counts have no pages. */
export const COUNTS = { names: NARROWING, cacheControl: 'private, max-age=300' };

/** The most counts by two dimensions in an answer: months by category of a large city, over a century. */
const MOST_CELLS = 20_000;

export type By = { by: readonly Dimension[] };

/** The dimensions as the reference writes them. */
const QUOTED = DIMENSIONS.map((name) => `\`${name}\``);

const BY_TWO = dimensions(2, {
  usual: [],
  description: `Adds \`breakdown\`: the counts by two of ${formatList(QUOTED)}, such as \`month,category\`.`,
});

const BY_ROWS = dimensions(1, {
  usual: ['month'],
  description: `What the rows are: ${formatAlternatives(QUOTED)}, or two of them, such as \`month,category\`.`,
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
      // a test compares the text with `Stats` of the API document
      const write = (found: FoundCounts) => writeStats(data, asked.others, found);
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

type FoundCounts = { counts: ListingCounts; pairs?: Pairs | undefined };

/** Writes counts as JSON, the `Stats` of the API document. Making objects with hundreds of keys would take three times as long. */
export function writeStats(
  { dataAsOf, caveats }: ServedData,
  { by }: By,
  { counts, pairs }: FoundCounts,
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

type Row = readonly (string | number)[];

export function statsTableRoute(app: FastifyInstance, context: ServerContext): void {
  addQuestionRoute<By>(app, context, {
    ...COUNTS,
    path: '/api/stats.csv',
    config: { isCrossOrigin: true },
    type: 'text/csv',
    others: { by: BY_ROWS },
    answer(data, asked) {
      const { index } = data;
      const headers = {
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': nameFile(context.city.name, asked),
      };
      const { question, others } = asked;
      const write = (rows: Row[]) => `${BYTE_ORDER_MARK}${formatCsv(rows)}`;
      const kind = `table by ${others.by.join()}`;
      if (others.by.length === 1) {
        const table = addCaveats(makeTable(index, asked), data.caveats);
        const counts = table.flat().flatMap((count) => (typeof count === 'number' ? { count } : []));
        const price = priceOf(data, kind, question, { cells: countCellsOf(question, counts) });
        return { price, headers, render: () => write(table) };
      }
      const found = countPairs(index, question, others.by, MOST_CELLS);
      if ('tooMany' in found) return tooManyProblem(found.tooMany);
      // one count a row, as programs for statistics and pivot tables read them
      const rows = found.pairs.flatMap((pair) =>
        pair.counts.map((one) => [pair.value, one.value, one.count]),
      );
      const render = () => write([[...others.by, 'count'], ...rows]);
      return { price: priceOf(data, kind, question, { cells: found.singles }), headers, render };
    },
  });
}

/** Adds a column that says in each compared row what biases the comparison, so that a copied row says it too. */
function addCaveats(table: Row[], caveats: readonly Caveat[]): Row[] {
  const [header = [], ...rows] = table;
  const compared = header.indexOf('year_before');
  if (caveats.length === 0 || compared === -1) return table;
  const details = caveats.map(({ detail }) => detail).join(' ');
  return [[...header, 'caveat'], ...rows.map((row) => [...row, row[compared] === '' ? '' : details])];
}

const BYTE_ORDER_MARK = '\ufeff'; // without this mark, Excel misreads accents

const LONGEST_NAME = 120; // so that a name with ` by neighborhood.csv` is allowed in every file system

/** Returns the header that names the downloaded file (RFC 6266): its city, its search and what it counts by. */
function nameFile(city: string, { question, others }: Asked<By>): string {
  const search = NARROWING.flatMap((name) => question[name]).filter(Boolean);
  const name = `${[...[city, ...search].join(' ')].slice(0, LONGEST_NAME).join('')} by ${others.by.join(' and ')}`;
  const plain = name.replaceAll(/[^\w .-]/g, '_');
  const exact = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${Buffer.from(character).toString('hex')}`,
  );
  return `attachment; filename="${plain}.csv"; filename*=UTF-8''${exact}.csv`;
}

function makeTable(index: ListingIndex, { question, others }: Asked<By>): Row[] {
  const [by] = others.by as [Dimension];
  const stats = index.stats(question);
  const known = index.stats(EVERYTHING).byMonth;
  const days = clipDays(question, index.dataEnd);
  const yearBefore = { ...question, ...findDaysBefore(days) };
  // newer filings had less time to end
  const isCompared = by !== 'status' && !question.status.some(isException);
  if (by === 'month') {
    const months = selectMonths(index, question, stats.byMonth);
    const before = isCompared ? index.stats(yearBefore).byMonth : undefined;
    return listMonthRows(months, before, { start: findDataStart(known) ?? '', end: days.filed_to });
  }
  const values = stats.by[by];
  const isKnown = !isBeforeData(yearBefore, known);
  if (!isCompared || question.filed_from <= yearBefore.filed_to)
    return [[by, 'count'], ...values.map(({ value, count }) => [value, count])];
  const rows = compareCounts(values, index.stats(yearBefore).by[by]);
  return [
    [by, 'count', 'year_before'],
    ...rows.map(({ value, now, before }) => [value, now, isKnown ? before : '']),
  ];
}

/** Lists the rows of months of data from `start` to `end`. `through` is the last day counted in both years. Omit `before` if years differ. */
function listMonthRows(
  months: Counts,
  before: Counts | undefined,
  { start, end }: { start: Month; end: Day },
): Row[] {
  const compared = compareMonths(
    months.map(({ value }) => value),
    months,
    before ?? [],
  );
  const rows = compared.map(({ value: month, now, before: then }): Row => {
    const days = clipDays(spanMonths(month), end);
    const isKnown = before !== undefined && addMonths(month, -12) >= start;
    return days.filed_from > end ? [month, now, '', ''] : [month, now, isKnown ? then : '', days.filed_to];
  });
  return [['month', 'count', 'year_before', 'through'], ...rows];
}

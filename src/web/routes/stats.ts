/**
 * Adds GET /api/stats (the matching listings by month, category, neighborhood and status), /api/stats.csv (the same as a
 * table), /chart.svg (a picture of the months for other sites) and /chart.png (the same for previews of links). Counts
 * of the whole city are rendered once for each index as JSON, so they are free. The table and the pictures are rendered
 * for each request, so they cost a listing.
 */

import type { FastifyInstance } from 'fastify';
import { formatCsv } from '../../data/csv-text.ts';
import type { Day } from '../../listings/day.ts';
import { type Counts, isException } from '../../listings/listing.ts';
import {
  choosePeriod,
  clipDays,
  compareCounts,
  compareMonths,
  findDataEnd,
  findDaysBefore,
  spanMonths,
} from '../../listings/periods.ts';
import {
  COUNTED,
  countListings,
  countPairs,
  dimensions,
  type ListingCounts,
  selectMonths,
} from '../../search/counts.ts';
import type { Dimension, ListingIndex, Pairs, Stats } from '../../search/listing-index.ts';
import {
  type Asked,
  EVERYTHING,
  formatQuestion,
  NARROWING,
  type OtherParameter,
} from '../../search/parameters.ts';
import { placeLetters } from '../bitmap/letters.ts';
import { paintDrawing } from '../bitmap/paint.ts';
import type { ServedData, ServerContext } from '../context.ts';
import { countCellsOf, priceOf } from '../limits/charge.ts';
import { describeComparison } from '../pages/changes/summary.ts';
import {
  drawPicture,
  type Picture,
  PREVIEW,
  renderChartPicture,
  USUAL_WIDTH,
} from '../pages/chart/chart-picture.ts';
import { invalidParametersProblem, type Problem } from '../problems.ts';
import { addQuestionRoute } from './data-routes.ts';

/** Options of all routes with counts. Counts have no pages. */
const COUNTS = { tag: 'Listings', names: NARROWING, cacheControl: 'private, max-age=300' };

export function statsRoute(app: FastifyInstance, context: ServerContext): void {
  const whole = new WeakMap<ServedData, string>();
  addQuestionRoute<By>(app, context, {
    ...COUNTS,
    path: '/api/stats',
    config: { isCrossOrigin: true },
    operationId: 'countListings',
    summary: 'Counts by month, category, neighborhood and status',
    returns: { description: 'The counts', id: 'Stats' },
    isFree: isWhole,
    others: { by: BY_TWO },
    answer(data, asked) {
      // a test compares the text with StatsSchema
      const write = (counts: ListingCounts, pairs?: Pairs) =>
        JSON.stringify(toStatsBody(counts, data.dataAsOf, pairs));
      if (isWhole(asked)) {
        const writeWhole = () => write(countListings(data.index, asked));
        return { render: () => whole.getOrInsertComputed(data, writeWhole) };
      }
      const found = countForProgram(data, asked, MOST_CELLS);
      if ('tooMany' in found) return tooManyProblem(found.tooMany);
      return { price: found.price, render: () => write(found.counts, found.pairs) };
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
  const { byMonth, byCategory, byNeighborhood, byStatus } = counts;
  const cells = countCellsOf(question, byMonth, byCategory, byNeighborhood, byStatus);
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

/** Formats counts as an object of numbers, with the largest first. */
const toObject = (counts: Counts) => Object.fromEntries(counts.map(({ value, count }) => [value, count]));

/** Formats counts as fields of StatsSchema. */
function formatCounts(counts: Stats) {
  const fields = Object.entries(COUNTED).map(([dimension, field]) => [
    `by_${dimension}`,
    toObject(counts[field]),
  ]);
  return Object.fromEntries(fields) as Record<`by_${Dimension}`, Record<string, number>>;
}

/** Formats counts as a value of StatsSchema. */
export function toStatsBody(counts: ListingCounts, dataAsOf: string | null, pairs?: Pairs) {
  return {
    total: counts.total,
    data_as_of: dataAsOf,
    latest_filing: counts.latestFiling,
    ...formatCounts(counts),
    ...(pairs && { breakdown: Object.fromEntries(pairs.map((one) => [one.value, toObject(one.counts)])) }),
    ...(counts.warnings.length > 0 && { warnings: counts.warnings }),
  };
}

/** The most counts by two dimensions in an answer: months by category of a large city, over a century. */
const MOST_CELLS = 20_000;

type By = { by: readonly Dimension[] };

const BY_TWO = dimensions(2, {
  usual: [],
  description:
    'Adds `breakdown`: the counts by two of `month`, `category`, `neighborhood` and `status`, such as `month,category`.',
});
const BY_ROWS = dimensions(1, {
  usual: ['month'],
  description:
    'What the rows are: `month`, `category`, `neighborhood` or `status`, or two of them, such as `month,category`.',
});

type Row = readonly (string | number)[];

export function statsTableRoute(app: FastifyInstance, context: ServerContext): void {
  addQuestionRoute<By>(app, context, {
    ...COUNTS,
    path: '/api/stats.csv',
    config: { isCrossOrigin: true },
    operationId: 'tabulateListings',
    summary: 'Counts as a table for a spreadsheet',
    returns: { description: 'The counts as CSV', type: 'text/csv', own: ['Content-Disposition'] },
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
        const table = makeTable(index, asked);
        const counts = table.flat().flatMap((count) => (typeof count === 'number' ? { count } : []));
        const price = priceOf(data, kind, question, { cells: countCellsOf(question, counts) });
        return { price, headers, render: () => write(table) };
      }
      const found = countPairs(index, question, others.by, MOST_CELLS);
      if ('tooMany' in found) return tooManyProblem(found.tooMany);
      const render = () => write([[...others.by, 'count'], ...listPairRows(found.pairs)]);
      return { price: priceOf(data, kind, question, { cells: found.singles }), headers, render };
    },
  });
}

/** Lists the counts by two dimensions, one a row, as programs for statistics and pivot tables read them. */
function listPairRows(pairs: Pairs): Row[] {
  return pairs.flatMap((pair) => pair.counts.map(({ value, count }) => [pair.value, value, count]));
}

const BYTE_ORDER_MARK = '\ufeff'; // without this mark, Excel misreads accents

const LONGEST_NAME = 120; // so that a name with ` by neighborhood.csv` is allowed in every file system

/** Returns the header that names the downloaded file (RFC 6266): its city, its search and what it counts by. */
function nameFile(city: string, { question, others }: Asked<By>): string {
  const { q, category, neighborhood, status, filed_from, filed_to, added_from } = question;
  const search = [q, ...category, ...neighborhood, ...status, filed_from, filed_to, added_from].filter(
    Boolean,
  );
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
  const dataEnd = findDataEnd(index.latestFiling, index.day);
  const days = clipDays(question, dataEnd);
  const yearBefore = { ...question, ...findDaysBefore(days) };
  // newer filings had less time to end
  const isCompared = by !== 'status' && !question.status.some(isException);
  if (by === 'month') {
    const months = selectMonths(index, question, stats.byMonth);
    return listMonthRows(months, isCompared ? index.stats(yearBefore).byMonth : undefined, days.filed_to);
  }
  const values = stats[COUNTED[by]];
  if (!isCompared || question.filed_from <= yearBefore.filed_to)
    return [[by, 'count'], ...values.map(({ value, count }) => [value, count])];
  const rows = compareCounts(values, index.stats(yearBefore)[COUNTED[by]]);
  return [[by, 'count', 'year_before'], ...rows.map(({ value, now, before }) => [value, now, before])];
}

/** Lists the rows of months. `through` is the last day counted in both years. Omit `before` if years differ. */
function listMonthRows(months: Counts, before: Counts | undefined, end: Day): Row[] {
  const compared = compareMonths(
    months.map(({ value }) => value),
    months,
    before ?? [],
  );
  const rows = compared.map(({ value: month, now, before: then }): Row => {
    const days = clipDays(spanMonths(month), end);
    return days.filed_from > end ? [month, now, '', ''] : [month, now, before ? then : '', days.filed_to];
  });
  return [['month', 'count', 'year_before', 'through'], ...rows];
}

const WIDTH = { usual: USUAL_WIDTH, least: 240, most: 2000 };

const width: OtherParameter<number> = {
  schema: {
    type: 'integer',
    minimum: WIDTH.least,
    maximum: WIDTH.most,
    default: WIDTH.usual,
    description: 'Width of the picture in pixels.',
  },
  isList: false,
  read([text = String(WIDTH.usual)]) {
    const value = /^[1-9][0-9]{0,4}$/.test(text) ? Number(text) : 0;
    if (value >= WIDTH.least && value <= WIDTH.most) return { value };
    return { fault: `width must be a whole number from ${WIDTH.least} to ${WIDTH.most}.` };
  },
};

const compare: OtherParameter<boolean> = {
  schema: {
    type: 'string',
    enum: ['year_before'],
    description:
      'Shows the same days a year before beside each month. Without dates, the days are those of `/changes`. Ignored for a status such as `closed`, more than a year, or too few earlier filings.',
  },
  isList: false,
  read([text = '']) {
    if (text === '' || text === 'year_before') return { value: text !== '' };
    return { fault: 'compare must be year_before.' };
  },
};

export function chartRoute(app: FastifyInstance, context: ServerContext): void {
  addQuestionRoute<{ width: number; compare: boolean }>(app, context, {
    ...COUNTS,
    path: '/chart.svg',
    config: { priority: 'page', isPicture: true },
    operationId: 'getChart',
    summary: 'New businesses per year or month as a picture',
    returns: { description: 'An SVG with a text alternative', type: 'image/svg+xml' },
    others: { width, compare },
    headers: { 'cross-origin-resource-policy': 'cross-origin' },
    answer(data, asked) {
      const picture = preparePicture(context, data, asked);
      return {
        price: priceOfPicture(data, asked, picture),
        render: () => renderChartPicture({ ...picture, width: asked.others.width }),
      };
    },
  });
  addQuestionRoute<{ compare: boolean }>(app, context, {
    ...COUNTS,
    path: '/chart.png',
    config: { priority: 'page', isPicture: true },
    operationId: 'getChartPreview',
    summary: 'New businesses per year or month as a preview of a link',
    returns: { description: 'A PNG with the texts of the SVG', type: 'image/png' },
    others: { compare },
    headers: { 'cross-origin-resource-policy': 'cross-origin' },
    answer(data, asked) {
      const picture = preparePicture(context, data, asked);
      return {
        price: priceOfPicture(data, asked, picture),
        headers: { 'content-type': 'image/png' },
        render() {
          const { width, height, scale } = PREVIEW;
          const measure = (text: string) => placeLetters(text)?.width;
          return paintDrawing(drawPicture({ ...picture, width, height, measure }), scale);
        },
      };
    },
  });
}

/** Returns the price of a picture, which shows the months of a search. */
function priceOfPicture(
  data: ServedData,
  { question, others: { compare } }: Asked<{ compare: boolean }>,
  { stats, compared }: Omit<Picture, 'width'>,
) {
  const months = (compared?.months ?? []).flatMap(({ count, before }) => [{ count }, { count: before }]);
  const cells = countCellsOf(question, stats.byMonth, months);
  return priceOf(data, compare ? 'compared months' : 'months', question, { cells });
}

function preparePicture(
  context: ServerContext,
  { index }: ServedData,
  { question: asked, others }: Asked<{ compare: boolean }>,
): Omit<Picture, 'width'> {
  const { layout } = context;
  const spelled = index.spellQuestion(asked);
  const dataEnd = findDataEnd(index.latestFiling, index.day);
  const period = choosePeriod(spelled, { dataEnd, byMonth: index.stats(EVERYTHING).byMonth });
  const isCompared = others.compare && period.caveat === undefined && !spelled.status.some(isException);
  const question = isCompared ? { ...spelled, ...period.now } : spelled;
  const stats = index.stats(question);
  const compareMonths = () => {
    const before = index.stats({ ...question, ...period.before }).byMonth;
    return describeComparison({ layout, question, period, dataEnd }, { now: stats.byMonth, before });
  };
  return {
    layout,
    stats,
    question,
    compared: isCompared ? compareMonths() : undefined,
    dataEnd,
  };
}

/** Adds GET /api/stats.csv: counts as a table for a spreadsheet. */

import type { FastifyInstance } from 'fastify';
import { DIMENSIONS, type Dimension } from '../../../shared/answers.ts';
import type { Day } from '../../../shared/day.ts';
import { type Counts, isException } from '../../../shared/listing.ts';
import {
  clipDays,
  compareCounts,
  compareMonths,
  findDaysBefore,
  spanMonths,
} from '../../../shared/periods.ts';
import { type Asked, formatAlternatives, NARROWING } from '../../../shared/question.ts';
import { formatCsv } from '../../../shared/text/csv-text.ts';
import { countPairs, dimensions, selectMonths } from '../../search/counts.ts';
import type { ListingIndex } from '../../search/index/open.ts';
import type { Pairs } from '../../search/index/tally.ts';
import type { Caveat, ServerContext } from '../context.ts';
import { countCellsOf, priceOf } from '../limits/charge.ts';
import { addQuestionRoute } from './route-kinds.ts';
import { type By, COUNTS, MOST_CELLS, tooManyProblem } from './stats.ts';

const BY_ROWS = dimensions(1, {
  usual: ['month'],
  description: `What the rows are: ${formatAlternatives(DIMENSIONS.map((name) => `\`${name}\``))}, or two of them, such as \`month,category\`.`,
});

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
      const render = () => write([[...others.by, 'count'], ...listPairRows(found.pairs)]);
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

/** Lists the counts by two dimensions, one a row, as programs for statistics and pivot tables read them. */
function listPairRows(pairs: Pairs): Row[] {
  return pairs.flatMap((pair) => pair.counts.map(({ value, count }) => [pair.value, value, count]));
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
  const { dataEnd } = index;
  const days = clipDays(question, dataEnd);
  const yearBefore = { ...question, ...findDaysBefore(days) };
  // newer filings had less time to end
  const isCompared = by !== 'status' && !question.status.some(isException);
  if (by === 'month') {
    const months = selectMonths(index, question, stats.byMonth);
    return listMonthRows(months, isCompared ? index.stats(yearBefore).byMonth : undefined, days.filed_to);
  }
  const values = stats.by[by];
  if (!isCompared || question.filed_from <= yearBefore.filed_to)
    return [[by, 'count'], ...values.map(({ value, count }) => [value, count])];
  const rows = compareCounts(values, index.stats(yearBefore).by[by]);
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

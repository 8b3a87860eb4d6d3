/** GET /chart.svg: filings per month of any search as a picture, for the pages of others. Charged like counts of a search. */

import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { findToday } from '../../listings/day.ts';
import {
  EVERYTHING,
  formatQuestion,
  NARROWING,
  type ReadQuestion,
  readQuestion,
} from '../../search/parameters.ts';
import { splitQuery } from '../../search/query.ts';
import { spellQuestion } from '../../search/search.ts';
import type { ServedData, ServerContext } from '../context.ts';
import { costOf } from '../limits/charge.ts';
import { findDataEnd } from '../pages/chart/chart-months.ts';
import { renderChartPicture } from '../pages/chart/chart-picture.ts';
import { CHARGED_HEADERS, describeResponse } from '../responses.ts';
import { addQuestionRoute } from './question-route.ts';

const WIDTH = { usual: 800, least: 240, most: 2000 };
const WIDTH_FAULT = `width must be a whole number from ${WIDTH.least} to ${WIDTH.most}.`;
const WIDTH_SCHEMA = Type.Integer({
  minimum: WIDTH.least,
  maximum: WIDTH.most,
  default: WIDTH.usual,
  description: 'Width of the picture in pixels.',
});

export function chartRoute(app: FastifyInstance, context: ServerContext): void {
  addQuestionRoute(app, context, {
    path: '/chart.svg',
    config: { priority: 'page' },
    operationId: 'getChart',
    tag: 'Listings',
    summary: 'Filings per month as a picture',
    response: describeResponse('An SVG with a text alternative', {
      type: 'image/svg+xml',
      headers: CHARGED_HEADERS,
    }),
    names: NARROWING,
    others: { width: Type.Optional(WIDTH_SCHEMA) },
    read: readChartQuery,
    spell: ({ question, width }) => `${formatQuestion(question)}&width=${width}`,
    cacheControl: 'private, max-age=300',
    headers: { 'cross-origin-resource-policy': 'cross-origin' },
    answer: (data, asked) => ({
      rows: costOf(asked.question, 0),
      headers: { 'content-type': 'image/svg+xml; charset=utf-8' },
      render: () => renderChart(context, data, asked),
    }),
  });
}

function renderChart(context: ServerContext, { index }: ServedData, { question, width }: ChartQuery): string {
  const { layout, city } = context;
  const asOf = context.dataAsOf();
  const { total, byMonth, warnings } = index.stats(question);
  return renderChartPicture({
    layout,
    width,
    stats: { total, byMonth },
    question: spellQuestion(index, question, warnings),
    asOf: asOf && findToday(city, asOf),
    dataEnd: findDataEnd(index.stats(EVERYTHING).latestFiling, index.day),
  });
}

type ChartQuery = ReadQuestion & { width: number };

function readChartQuery(query: string): ChartQuery {
  const { given, faults } = splitQuery(query, [...NARROWING, 'width']);
  const read = readQuestion(given);
  const width = readWidth(given.width);
  const all = [...faults, ...read.faults];
  if (typeof width === 'number') return { ...read, width, faults: all };
  return { ...read, width: WIDTH.usual, faults: [...all, { parameter: 'width', detail: width }] };
}

/** The width, or what is wrong with it. */
function readWidth(given: readonly string[] = []): number | string {
  const [text] = given;
  if (text === undefined) return WIDTH.usual;
  if (given.length > 1) return 'width can only be given once.';
  const width = /^[1-9][0-9]{0,4}$/.test(text) ? Number(text) : 0;
  return width >= WIDTH.least && width <= WIDTH.most ? width : WIDTH_FAULT;
}

/** Adds GET /chart.svg: filings per month of any search as a picture for other sites. It costs as much as counts. */

import type { FastifyInstance } from 'fastify';
import { findToday } from '../../listings/day.ts';
import { type Asked, EVERYTHING, NARROWING, type SearchParameter } from '../../search/parameters.ts';
import type { ServedData, ServerContext } from '../context.ts';
import { costOf } from '../limits/charge.ts';
import { findDataEnd } from '../pages/changes/periods.ts';
import { renderChartPicture } from '../pages/chart/chart-picture.ts';
import { addQuestionRoute } from './data-routes.ts';

const WIDTH = { usual: 800, least: 240, most: 2000 };

const width: SearchParameter<number> = {
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
  write: (value) => (value === WIDTH.usual ? [] : [String(value)]),
};

type ChartOthers = { width: number };

export function chartRoute(app: FastifyInstance, context: ServerContext): void {
  addQuestionRoute<ChartOthers>(app, context, {
    path: '/chart.svg',
    config: { priority: 'page' },
    operationId: 'getChart',
    tag: 'Listings',
    summary: 'Filings per month as a picture',
    returns: { description: 'An SVG with a text alternative', type: 'image/svg+xml' },
    names: NARROWING,
    others: { width },
    cacheControl: 'private, max-age=300',
    headers: { 'cross-origin-resource-policy': 'cross-origin' },
    answer: (data, asked) => ({
      rows: costOf(asked.question, 0),
      render: () => renderChart(context, data, asked),
    }),
  });
}

function renderChart(
  context: ServerContext,
  { index }: ServedData,
  { question, others }: Asked<ChartOthers>,
): string {
  const { layout, city } = context;
  const asOf = context.dataAsOf();
  const { total, byMonth } = index.stats(question);
  return renderChartPicture({
    layout,
    width: others.width,
    stats: { total, byMonth },
    question: index.spellQuestion(question),
    asOf: asOf && findToday(city, asOf),
    dataEnd: findDataEnd(index.stats(EVERYTHING).latestFiling, index.day),
  });
}

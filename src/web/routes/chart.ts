/** GET /chart.svg: filings per month of any search as a picture, for the pages of others. Charged like counts of a search. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { findToday } from '../../listings/day.ts';
import type { ListingIndex } from '../../search/listing-index.ts';
import {
  EVERYTHING,
  formatQuestion,
  type ParameterFault,
  type Question,
  readQuestion,
} from '../../search/parameters.ts';
import { splitQuery } from '../../search/query.ts';
import { spellQuestion } from '../../search/search.ts';
import { formatDataState, formatInstant, sendCharged } from '../answers.ts';
import type { ServerContext } from '../context.ts';
import { costOf } from '../limits/charge.ts';
import { makeEtag } from '../limits/hash.ts';
import { findDataEnd } from '../pages/chart/chart-months.ts';
import { renderChartPicture } from '../pages/chart/chart-picture.ts';
import { readQuery } from '../plugins/strict-http.ts';
import { invalidParametersProblem, notReadyProblem } from '../problems.ts';
import {
  CHARGED_HEADERS,
  describeNotModified,
  describeProblems,
  describeTextResponse,
} from '../responses.ts';
import { buildQuerySchema } from '../schemas.ts';
import { STATS_PARAMETERS } from './stats.ts';

const WIDTH = { usual: 800, least: 240, most: 2000 };
const WIDTH_FAULT = `width must be a whole number from ${WIDTH.least} to ${WIDTH.most}.`;

const SCHEMA = {
  operationId: 'getChart',
  tags: ['Listings'],
  summary: 'Filings per month as a picture',
  querystring: buildQuerySchema(STATS_PARAMETERS, {
    width: Type.Optional(
      Type.Integer({
        ...{ minimum: WIDTH.least, maximum: WIDTH.most, default: WIDTH.usual },
        description: 'Width of the picture in pixels.',
      }),
    ),
  }),
  response: {
    200: describeTextResponse('An SVG with a text alternative', 'image/svg+xml', CHARGED_HEADERS),
    304: describeNotModified(CHARGED_HEADERS),
    ...describeProblems('invalid-parameter', 'not-ready'),
  },
};

export function chartRoute(app: FastifyInstance, context: ServerContext): void {
  const config = { priority: 'page', isForPrograms: true } as const;
  app.get('/chart.svg', { config, schema: SCHEMA }, (request, reply) => {
    const index = context.index();
    if (index === undefined) return reply.problem(notReadyProblem());
    return answerChart(context, index, request, reply);
  });
}

function answerChart(
  context: ServerContext,
  index: ListingIndex,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { question, width, faults } = readChartQuery(readQuery(request.raw));
  if (faults.length > 0) return reply.problem(invalidParametersProblem(faults));
  const { layout, city } = context;
  const asOf = context.dataAsOf();
  const state = formatDataState(context, index, formatInstant(asOf));
  const render = () => {
    const { total, byMonth, warnings } = index.stats(question);
    return renderChartPicture({
      ...{ layout, width, stats: { total, byMonth } },
      question: spellQuestion(index, question, warnings),
      asOf: asOf && findToday(city, asOf),
      dataEnd: findDataEnd(index.stats(EVERYTHING).latestFiling, index.day),
    });
  };
  reply.header('cross-origin-resource-policy', 'cross-origin');
  return sendCharged(context, request, reply, {
    ...{ rows: costOf(question, 0), type: 'image/svg+xml; charset=utf-8', render },
    etag: makeEtag(`chart\n${state}\n${formatQuestion(question)}\n${width}`),
  });
}

type ChartQuery = { question: Question; width: number; faults: readonly ParameterFault[] };

function readChartQuery(query: string): ChartQuery {
  const { given, faults } = splitQuery(query, [...STATS_PARAMETERS, 'width']);
  const read = readQuestion(given);
  const width = readWidth(given.width);
  const all = [...faults, ...read.faults];
  if (typeof width === 'number') return { question: read.question, width, faults: all };
  return {
    question: read.question,
    width: WIDTH.usual,
    faults: [...all, { parameter: 'width', detail: width }],
  };
}

/** The width, or what is wrong with it. */
function readWidth(given: readonly string[] = []): number | string {
  const [text] = given;
  if (text === undefined) return WIDTH.usual;
  if (given.length > 1) return 'width can only be given once.';
  const width = /^[1-9][0-9]{0,4}$/.test(text) ? Number(text) : 0;
  return width >= WIDTH.least && width <= WIDTH.most ? width : WIDTH_FAULT;
}

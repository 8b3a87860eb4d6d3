/** Adds GET /api/health: the state of the service, for monitoring. It is free and never cached. */

import type { FastifyInstance } from 'fastify';
import { formatInstant, JSON_TYPE } from '../answers.ts';
import type { ServerContext } from '../context.ts';
import { UNVOUCHED } from '../limits/client-address.ts';
import { describeProblems, describeResponse, FRESH_HEADERS } from '../openapi.ts';

const { 429: _limited, 503: _shed, ...PROBLEMS } = describeProblems(); // health is neither limited nor shed

export function healthRoute(app: FastifyInstance, context: ServerContext): void {
  app.get(
    '/api/health',
    {
      config: { isCrossOrigin: true, isUnlimited: true, priority: 'health' },
      schema: {
        operationId: 'getHealth',
        tags: ['Service'],
        summary: 'The state of the service',
        response: {
          200: describeResponse('The service is up', { id: 'Health', headers: FRESH_HEADERS }),
          503: describeResponse('The service cannot answer', { id: 'Health', headers: FRESH_HEADERS }),
          ...PROBLEMS,
        },
      },
    },
    (_request, reply) => {
      const { status, detail: reported } = context.health();
      // at once: the concern is found by the next look
      const detail = context.sawUnvouched() ? [...new Set([...reported, UNVOUCHED])] : reported;
      reply.headers({ 'content-type': JSON_TYPE, 'cache-control': 'no-store' });
      return reply.code(status === 'fail' ? 503 : 200).send({
        status: status === 'ok' && detail.length > 0 ? 'warn' : status,
        listings: context.index()?.size ?? 0,
        data_as_of: formatInstant(context.dataAsOf()),
        latest_filing: context.index()?.latestFiling ?? null,
        version: context.version,
        ...(detail.length > 0 && { detail: detail.join('; ') }),
      });
    },
  );
}

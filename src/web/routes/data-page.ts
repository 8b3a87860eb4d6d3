/** Adds pages that show listings: handles conditional requests and charges, and caches rendered pages. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Answer, sendVersion } from '../answers.ts';
import type { RouteConfig, ServedData, ServerContext } from '../context.ts';
import { readQuery } from '../plugins/strict-http.ts';
import { notReadyProblem, type Problem } from '../problems.ts';

type PageRequest = {
  data: ServedData;
  query: string;
  params: FastifyRequest['params'];
  /** The `X-Robots-Tag` header of a view of a search. Search engines may index only a view without a query. */
  robots: 'noarchive' | 'noindex';
};

type DataPage = {
  config?: RouteConfig;
  cacheControl?: string;
  answer(request: PageRequest): Answer | Problem;
  /** Sends the response before the first run is kept. */
  wait?(reply: FastifyReply): FastifyReply;
};

/** Adds a page. Without a query it stays rendered until the data changes. */
export function addDataPage(
  app: FastifyInstance,
  context: ServerContext,
  path: string,
  { config = {}, cacheControl = 'private, max-age=60', answer, wait }: DataPage,
): void {
  let plain: { data: ServedData; answer: Answer | Problem } | undefined;
  const options = { config: { priority: 'page', ...config } as const };
  app.get(path, options, ({ raw, params }, reply) => {
    const data = context.data();
    if (data === undefined) return wait?.(reply) ?? reply.problem(notReadyProblem());
    const version = { etag: data.makeEtag(`page ${raw.url}`), cacheControl };
    return sendVersion(context, reply, version, () => {
      const query = readQuery(raw);
      if (raw.url !== path) return answer({ data, query, params, robots: 'noindex' });
      if (plain?.data !== data)
        plain = { data, answer: keepBody(answer({ data, query, params, robots: 'noarchive' })) };
      return plain.answer;
    });
  });
}

function keepBody(answer: Answer | Problem): Answer | Problem {
  if ('code' in answer) return answer;
  let body: string | object | undefined;
  const render = () => {
    body ??= answer.render();
    return body;
  };
  return { ...answer, render, isLasting: true };
}

/** What all GET routes for programs that answer a question have in common: parameters, problems, charges and conditional requests. */

import type { FastifyInstance } from 'fastify';
import type { TProperties } from 'typebox';
import {
  formatQuestion,
  PARAMETER_NAMES,
  type ReadQuestion,
  type SearchParameterName,
} from '../../search/parameters.ts';
import { parseSearchQuery } from '../../search/query.ts';
import { type Answer, sendVersion } from '../answers.ts';
import type { RouteConfig, ServedData, ServerContext } from '../context.ts';
import { readQuery } from '../plugins/strict-http.ts';
import { invalidParametersProblem, notReadyProblem, type Problem } from '../problems.ts';
import { CHARGED_HEADERS, describeEmptyResponse, describeProblems } from '../responses.ts';
import { buildQuerySchema } from '../schemas.ts';

export type QuestionRoute<Asked extends ReadQuestion> = {
  path: string;
  config?: RouteConfig;
  /** For the OpenAPI document; docs/api.md has the description. */
  operationId: string;
  tag: string;
  summary: string;
  response: object;
  /** The parameters; by default those of a search, which can lead too far. */
  names?: readonly SearchParameterName[];
  /** Further parameters, which `read` reads. */
  others?: TProperties;
  read?(query: string): Asked;
  /** The canonical query; by default that of the question. */
  spell?(asked: Asked): string;
  cacheControl: string;
  /** Headers of 200 and 304. */
  headers?: Record<string, string>;
  /** Whether the answer is the same for everybody and costs nothing. */
  isFree?(asked: Asked): boolean;
  answer(data: ServedData, asked: Asked): Answer | Problem;
};

export function addQuestionRoute<Asked extends ReadQuestion = ReadQuestion>(
  app: FastifyInstance,
  context: ServerContext,
  route: QuestionRoute<Asked>,
): void {
  const { path, operationId, tag, summary, names = PARAMETER_NAMES, cacheControl, headers } = route;
  const read = route.read ?? ((query) => parseSearchQuery(query, names) as Asked);
  const schema = {
    operationId,
    tags: [tag],
    summary,
    querystring: buildQuerySchema(names, route.others),
    response: {
      200: route.response,
      304: describeEmptyResponse('Not modified', CHARGED_HEADERS),
      ...describeProblems(
        'invalid-parameter',
        ...(names.includes('offset') ? ['too-far' as const] : []),
        'not-ready',
      ),
    },
  };
  const config = { ...route.config, isForPrograms: true };
  app.get(path, { config, schema }, (request, reply) => {
    const data = context.data();
    if (data === undefined) return reply.problem(notReadyProblem());
    const asked = read(readQuery(request.raw));
    if (asked.faults.length > 0) return reply.problem(invalidParametersProblem(asked.faults));
    const etag = data.makeEtag(
      `${path}?${route.spell?.(asked) ?? formatQuestion(asked.question)} ${asked.warnings.length}`,
    );
    const isFree = route.isFree?.(asked) ?? false;
    const version = { etag, cacheControl: isFree ? 'public, max-age=300' : cacheControl, isFree, headers };
    return sendVersion(context, reply, version, () => route.answer(data, asked));
  });
}

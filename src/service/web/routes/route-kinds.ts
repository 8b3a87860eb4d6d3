/** Adds GET routes that answer with data: for programs and as pages. Handles conditional requests and charges. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  type Asked,
  formatAddress,
  LONGEST_Q,
  NARROWING,
  type OtherParameters,
  PARAMETER_NAMES,
  type ParameterProblem,
  type SearchParameterName,
  searchParameters,
} from '../../../shared/question.ts';
import { parseSearchQuery, splitQuery } from '../../search/query.ts';
import { type Answer, sendVersion } from '../answers.ts';
import type { RouteConfig, ServedData, ServerContext } from '../context.ts';
import type { Price } from '../limits/limiter.ts';
import { type PageOptions, pageHeaders } from '../pages.ts';
import { readPath, readQuery } from '../plugins/strict-http.ts';
import { invalidParametersProblem, notReadyProblem, type Problem } from '../problems.ts';

type QuestionRoute<Others extends object> = {
  path: string;
  config?: RouteConfig;
  /** The content type of the response. Default: JSON. */
  type?: string;
  /** The parameters. Default: those of a search. */
  names?: readonly SearchParameterName[];
  others?: OtherParameters<Others>;
  cacheControl: string;
  headers?: Record<string, string>;
  /** The page for people. Browsers that open the address are redirected to it. */
  pageForPeople?: string;
  /** Whether the response may have the time of the data. Default: true. */
  isDated?: boolean;
  /** Whether the answer to an address without parameters is kept until the data changes. */
  isKept?: boolean;
  /** Returns whether the response is the same for everybody and costs nothing. */
  isFree?(asked: Asked<Others>): boolean;
  answer(data: ServedData, asked: Asked<Others>): Answer | Problem;
};

/** The header in which browsers say what they will do with an answer. */
const SENT_FOR = 'Sec-Fetch-Dest';

export function addQuestionRoute<Others extends object = object>(
  app: FastifyInstance,
  context: ServerContext,
  route: QuestionRoute<Others>,
): void {
  const { path, type = 'application/json', names = PARAMETER_NAMES, cacheControl, headers } = route;
  const others = route.others ?? ({} as OtherParameters<Others>);
  const parameters = {
    ...Object.fromEntries(names.map((name) => [name, searchParameters[name]])),
    ...others,
  };
  const kept = new WeakMap<ServedData, Answer | Problem>();
  app.get(path, { config: { ...route.config, parameters } }, (request, reply) => {
    if (route.pageForPeople !== undefined && request.headers[SENT_FOR.toLowerCase()] === 'document')
      return reply.header('vary', SENT_FOR).redirect(`${route.pageForPeople}?${readQuery(request.raw)}`, 303);
    const data = context.data();
    if (data === undefined) return reply.problem(notReadyProblem());
    const asked = parseSearchQuery(readQuery(request.raw), names, others);
    if (asked.problems.length > 0) {
      const [q = ''] = splitQuery(readQuery(request.raw), names).given.q ?? [];
      const reading = q.length > LONGEST_Q ? undefined : data.index.read({ ...asked.question, q });
      // of too many words, what the page searches for
      const isRead = reading !== undefined && !reading.isCut;
      const explain = (one: ParameterProblem) =>
        one.parameter === 'q' && isRead ? { ...one, href: formatAddress(path, reading.search) } : one;
      return reply.problem(invalidParametersProblem(asked.problems.map(explain)));
    }
    const etag = data.makeEtag(request.raw.url!, route.isDated);
    const isFree = route.isFree?.(asked) ?? false;
    const version = {
      etag,
      cacheControl: isFree ? 'public, max-age=300' : cacheControl,
      isFree,
      isCompact: type === 'image/png',
      dependsOn: route.pageForPeople === undefined ? undefined : SENT_FOR,
      headers,
    };
    const find = () => {
      const answer = route.answer(data, asked);
      if ('code' in answer) return answer;
      return { ...answer, headers: { 'content-type': `${type}; charset=utf-8`, ...answer.headers } };
    };
    const isKept = route.isKept === true && asksNothing(request, path);
    return sendVersion(context, reply, version, () =>
      isKept ? kept.getOrInsertComputed(data, () => keepRendered(find())) : find(),
    );
  });
}

/** Returns whether an address has no parameters, or only empty ones, as forms send them. */
function asksNothing({ raw }: Pick<FastifyRequest, 'raw'>, path: string): boolean {
  const query = readQuery(raw);
  const isEmpty = readPath(raw) === path && !/=[^&]/.test(query);
  return isEmpty && splitQuery(query, NARROWING).problems.length === 0;
}

/** Renders an answer at its first use, and then keeps it. */
function keepRendered(found: Answer | Problem): Answer | Problem {
  if ('code' in found) return found;
  let body: Buffer | undefined;
  const keep = (rendered: Buffer): Buffer => {
    body = rendered;
    return body;
  };
  return {
    ...found,
    render() {
      if (body !== undefined) return body;
      const rendered = found.render();
      if (!(rendered instanceof Promise)) return keep(Buffer.from(rendered));
      return rendered.then((made) => ({ ...made, body: keep(made.body) }));
    },
  };
}

export type PageRequest = { data: ServedData; query: string; params: FastifyRequest['params'] };

export type PageAnswer = { price: Price; render(): string };

type DataPage = PageOptions & {
  config?: RouteConfig;
  cacheControl?: string;
  answer(request: PageRequest): PageAnswer | Problem;
  /** Sends the response while no run has been kept yet. */
  wait?(reply: FastifyReply): FastifyReply;
};

/** Adds a page. A page that asks nothing stays rendered until the data changes, and only one without a query gets `robots`. */
export function addDataPage(
  app: FastifyInstance,
  context: ServerContext,
  path: string,
  { config = {}, cacheControl = 'private, max-age=60', answer, wait, ...options }: DataPage,
): void {
  const plainHeaders = pageHeaders(context, options);
  const headers = pageHeaders(context, { ...options, robots: 'noindex' });
  const kept = new WeakMap<ServedData, Answer | Problem>();
  const findPlain = (data: ServedData): Answer | Problem => {
    return keepRendered(answer({ data, query: '', params: {} }));
  };
  app.get(path, { config: { priority: 'page', ...config } }, ({ raw, params }, reply) => {
    const data = context.data();
    if (data === undefined) return wait?.(reply) ?? reply.problem(notReadyProblem());
    const isPlain = asksNothing({ raw }, path);
    const version = { etag: data.makeEtag(`page ${raw.url}`), cacheControl };
    return sendVersion(context, reply, version, () => {
      const found = isPlain
        ? kept.getOrInsertComputed(data, findPlain)
        : answer({ data, query: readQuery(raw), params });
      return 'code' in found ? found : { ...found, headers: readQuery(raw) === '' ? plainHeaders : headers };
    });
  });
}

/** Sends errors as RFC 9457 problem details to programs and as pages to people. Never repeats the input. */

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { renderProblemPage } from '../../page/page-layout.ts';
import { renderFramedProblem } from '../../page/share/embed-page.ts';
import { prefersPages } from '../../service/web/negotiation.ts';
import { OPENAPI } from '../../service/web/openapi.ts';
import { sendPage } from '../../service/web/pages.ts';
import { readPath } from '../../service/web/plugins/strict-http.ts';
import {
  formatProblem,
  headersOf,
  PROBLEMS,
  PROBLEMS_FOR_PEOPLE,
  type Problem,
  problemHeaders,
} from '../../service/web/problems.ts';
import { languageOf } from '../../shared/city/languages.ts';
import { formatNumber } from '../../shared/text/numbers.ts';
import type { PageContext } from './page-context.ts';

export function addProblemDetails(app: FastifyInstance, context: PageContext): void {
  app.decorateReply('problem', function (problem) {
    return sendProblem(context, this, problem);
  });
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
      const detail = `The body can have at most ${formatNumber(request.routeOptions.bodyLimit)} bytes.`;
      return reply.header('connection', 'close').problem({ code: 'too-large', detail });
    }
    // the client closed the connection before its body ended
    const isCutOff = request.method === 'POST' && !request.raw.complete;
    if (isCutOff) return reply.problem({ code: 'timeout' });
    return reply.problem(internalError(context, error));
  });
}

function sendProblem(context: PageContext, reply: FastifyReply, problem: Problem): FastifyReply {
  const { request } = reply;
  const body = formatProblem(context.publicUrl, problem);
  reply.headers(headersOf(problem));
  const mayBePage = !isForPrograms(request);
  if (mayBePage) reply.header('vary', 'Accept');
  if (!mayBePage || !prefersPages(request.headers.accept))
    return reply.code(body.status).headers(problemHeaders).send(JSON.stringify(body));
  const language = languageOf(context.layout.localization.language) ?? 'en';
  const isTranslated = language !== 'en';
  const { title, text } = PROBLEMS_FOR_PEOPLE[language]?.[problem.code] ?? {
    title: body.title,
    text: body.detail,
  };
  const page = isTranslated
    ? { title, sentences: [text] } // omits the details, which are in English
    : { title, sentences: problem.sentences?.() ?? [text], language: 'en' as const };
  const render = request.target?.config.isFramed ? renderFramedProblem : renderProblemPage;
  const html = render(context.layout, { ...page, status: body.status });
  return sendPage(context, reply, html, { status: body.status });
}

/** Returns whether the path is part of the API, so errors are always JSON. */
function isForPrograms({ raw, target }: FastifyRequest): boolean {
  return Object.hasOwn(OPENAPI.paths, target?.path ?? '') || /^\/api(\/|$)/.test(readPath(raw));
}

/**
 * Makes a problem with a reference, without details. Logs only the stack, because the message may quote the request.
 */
function internalError({ city, log }: PageContext, error: unknown): Problem {
  const frames = error instanceof Error ? listStackFrames(error).slice(0, 5) : [];
  const name = error instanceof Error ? error.name : typeof error;
  const own = crypto.randomUUID();
  const reference = log.warn(`a request failed: ${name} ${frames.join(', ')}`, own) ?? own;
  const detail = `Internal error, reference ${reference}.`;
  const help = `If it happens again, write to ${city.operator.contact} and name this reference: ${reference}.`;
  return { code: 'internal', detail, sentences: () => [PROBLEMS_FOR_PEOPLE.en!.internal!.text, help] };
}

/** Lists the lines of a stack. Removes the message first, because its lines may look like stack frames. */
function listStackFrames({ message, stack = '' }: Error): string[] {
  const start = stack.indexOf(message);
  const lines = start === -1 ? [] : stack.slice(start + message.length).split('\n');
  return lines.filter((line) => line.startsWith('    at ')).map((line) => line.trim());
}

/** Adds GET /problems/CODE, the page that the `type` of every problem links to. */
export function problemPageRoutes(app: FastifyInstance, context: PageContext): void {
  for (const [code, problem] of Object.entries(PROBLEMS)) {
    const { status, title, text } = problem;
    const html = renderProblemPage(context.layout, { status, title, sentences: [text], language: 'en' });
    app.get(`/problems/${code}`, (_request, reply) => sendPage(context, reply, html));
  }
}

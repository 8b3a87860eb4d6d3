/** Defines all errors of the server as RFC 9457 problems: codes, statuses and texts (`data/problems.json`). */

import PROBLEM_TEXTS from '../../data/problems.json' with { type: 'json' };
import { readTexts } from '../../shared/city/languages.ts';
import { FURTHEST, formatAlternatives, NARROWING, type ParameterProblem } from '../../shared/question.ts';
import { fillIn } from '../../shared/text/fill-in.ts';
import { formatNumber } from '../../shared/text/numbers.ts';

export type ProblemCode = keyof typeof PROBLEM_TEXTS;

/** All problems. Each has a page at `/problems/<code>`, which `type` links to. */
export const PROBLEMS: Readonly<Record<ProblemCode, { status: number; title: string; text: string }>> = {
  ...PROBLEM_TEXTS,
  'too-far': {
    ...PROBLEM_TEXTS['too-far'],
    text: fillIn(PROBLEM_TEXTS['too-far'].text, {
      n: formatNumber(FURTHEST),
      filters: formatAlternatives(NARROWING),
    }),
  },
};

/** Texts of pages for people, by language. The default, and the texts for programs, are those of `PROBLEMS`. */
export const PROBLEMS_FOR_PEOPLE =
  readTexts<Partial<Record<ProblemCode, { title: string; text: string }>>>('problem-pages');

/** One error in the input: in a query parameter, or at a place in the body (a JSON pointer). */
export type RequestProblem = ParameterProblem | { pointer: string; detail: string; did_you_mean?: string };

export type Problem = {
  code: ProblemCode;
  /** A sentence about what happened. Default: the text of the code. */
  detail?: string;
  errors?: readonly RequestProblem[];
  /** Returns sentences for an English page, if there is more to say than the text of the code. */
  sentences?: () => readonly string[];
  headers?: Record<string, string>;
};

/** Headers of everything except pages. They forbid scripts, loading, guessing the type, and search indexing. */
export const BARE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-robots-tag': 'noindex',
};

export const problemHeaders = {
  'content-type': 'application/problem+json; charset=utf-8',
  'cache-control': 'no-store',
  ...BARE_HEADERS,
};

/** Formats the problem as JSON. `type` links to its page below `publicUrl`. */
export function formatProblem(publicUrl: string, { code, detail, errors }: Problem) {
  const { status, title, text } = PROBLEMS[code];
  return { type: `${publicUrl}/problems/${code}`, title, status, detail: detail ?? text, errors };
}

/** Returns the headers of a problem. A client is always told when to try again after 503. */
export function headersOf({ code, headers }: Problem): Record<string, string> {
  return { ...(PROBLEMS[code].status === 503 && { 'retry-after': '5' }), ...headers };
}

export function notReadyProblem(detail = 'There is no data yet. Try again later.'): Problem {
  return { code: 'not-ready', detail };
}

export function invalidParametersProblem(errors: readonly ParameterProblem[]): Problem {
  const detail = errors.map((problem) => `${problem.parameter}: ${problem.detail}`).join(' ');
  return { code: 'invalid-parameter', detail, errors };
}

export function tooFarProblem(detail: string): Problem {
  return { code: 'too-far', detail, errors: [{ parameter: 'offset', detail }] };
}

/** All errors of the server as RFC 9457 problems: one table of codes, statuses and texts. Problems never repeat input. */

import ENGLISH_PROBLEMS from '../data/problems.en.json' with { type: 'json' };
import FRENCH_PROBLEMS from '../data/problems.fr.json' with { type: 'json' };
import { FURTHEST, formatAlternatives, NARROWING, type ParameterFault } from '../search/parameters.ts';

/** All problem codes. Each has a page at `/problems/<code>`, which `type` links to. */
export const PROBLEMS = {
  'invalid-parameter': {
    status: 400,
    title: 'Invalid parameter',
    text: 'A parameter is unknown, repeated or has an invalid value. `errors` names the parameter and, where possible, suggests the one you meant.',
  },
  'too-far': {
    status: 400,
    title: 'Too far into the results',
    text: `You can page through the first ${FURTHEST.toLocaleString('en')} listings of a query. Narrow the query with ${formatAlternatives(NARROWING)}.`,
  },
  'bad-request': {
    status: 400,
    title: 'Bad request',
    text: 'The request is not valid HTTP. It needs exactly one Host header, well-formed headers and a path that starts with a slash. Percent-encode characters outside ASCII.',
  },
  'invalid-body': {
    status: 400,
    title: 'Invalid request body',
    text: 'The body must be valid JSON with only the documented fields, each at most once and of the right type. Required fields must be present. `errors` points to what is wrong.',
  },
  'foreign-origin': {
    status: 403,
    title: 'Origin not allowed',
    text: 'Forms and scripts on other sites cannot use this address. Programs do not need to send an Origin header.',
  },
  'not-found': {
    status: 404,
    title: 'Page not found',
    text: 'This page does not exist or has been removed.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    text: 'The Allow header lists the methods this path supports.',
  },
  timeout: {
    status: 408,
    title: 'Request timeout',
    text: 'Headers must arrive within 10 seconds and the whole request within 15.',
  },
  'too-large': {
    status: 413,
    title: 'Request body too large',
    text: 'The request body is too large. A signup can have at most 4 KiB, a request to /mcp at most 64 KiB.',
  },
  'uri-too-long': {
    status: 414,
    title: 'URL too long',
    text: 'The path and query together can have at most 2,048 bytes.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported content type',
    text: 'Send the body as application/json, in UTF-8 and uncompressed. Send no body to paths that do not expect one.',
  },
  'invalid-value': {
    status: 422,
    title: 'Invalid value',
    text: 'A field has the right type but an invalid value, such as an email address that cannot exist or an unknown signup type.',
  },
  'quota-exceeded': {
    status: 429,
    title: 'Rate limit exceeded',
    text: 'The number of requests per minute, signups per hour and listings per 24 hours is limited for each client (see RateLimit-Policy). Counts cost listings too. Retry-After says when to try again. If you need all listings, use the official data set.',
  },
  'headers-too-large': {
    status: 431,
    title: 'Request headers too large',
    text: 'A request can have at most 64 headers and 16 KiB of headers.',
  },
  internal: {
    status: 500,
    title: 'Internal server error',
    text: 'Something went wrong on our side. The reference in `detail` identifies the error in the log.',
  },
  'not-ready': {
    status: 503,
    title: 'Service starting',
    text: 'There is no data yet, or the response took too long. Retry-After says when to try again.',
  },
  overloaded: {
    status: 503,
    title: 'Service overloaded',
    text: 'The service is receiving more requests than it can handle. Retry-After says when to try again.',
  },
  unavailable: {
    status: 503,
    title: 'Temporarily unavailable',
    text: 'Your request could not be saved. Nothing was stored. Retry-After says when to try again.',
  },
} as const;

export type ProblemCode = keyof typeof PROBLEMS;

type ProblemTexts = Readonly<Partial<Record<ProblemCode, { title: string; text: string }>>>;

/** Texts of pages for people, by language. Programs, and people without a text, have those of `PROBLEMS`. */
export const PROBLEMS_FOR_PEOPLE: Readonly<Record<string, ProblemTexts>> = {
  en: ENGLISH_PROBLEMS,
  fr: FRENCH_PROBLEMS,
};

/** One error in the input: in a query parameter, or at a place in the body (a JSON pointer). */
export type RequestFault = ParameterFault | { pointer: string; detail: string; did_you_mean?: string };

export type Problem = {
  code: ProblemCode;
  /** What happened. Default: the text of the code. */
  detail?: string;
  errors?: readonly RequestFault[];
  /** Returns the sentences of a page in English, if there is more to say than the text of the code. */
  sentences?: () => readonly string[];
  headers?: Record<string, string>;
};

/** Headers of everything except pages. They prevent scripts, loading, guesses of the type, and search indexing. */
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

export function notReadyProblem(detail = 'There is no data yet. Try again later.'): Problem {
  return { code: 'not-ready', detail, headers: { 'retry-after': '5' } };
}

export function invalidParametersProblem(errors: readonly ParameterFault[]): Problem {
  const detail = errors.map((fault) => `${fault.parameter}: ${fault.detail}`).join(' ');
  return { code: 'invalid-parameter', detail, errors };
}

export function tooFarProblem(detail: string): Problem {
  return { code: 'too-far', detail, errors: [{ parameter: 'offset', detail }] };
}

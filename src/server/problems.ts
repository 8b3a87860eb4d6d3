/** Every way of saying no, as RFC 9457 problems: one table of codes, statuses and texts. Never echoes what was asked. */

import type { ParameterFault } from '../search/parameters.ts';

/** What can be wrong; each has a page at `/problems/<code>` that `type` points to. */
export const PROBLEMS = {
  'invalid-parameter': {
    status: 400,
    title: 'A parameter is wrong',
    text: 'A parameter does not exist, is given twice, or has a value it cannot have; `errors` names it and, where one is near, what was probably meant.',
  },
  'too-far': {
    status: 400,
    title: 'Too far into the results',
    text: 'Listings past the first 1,000 of a query are not paged to. Narrow the query with q, category, neighborhood or status.',
  },
  'bad-request': {
    status: 400,
    title: 'Not a request this service understands',
    text: 'The request breaks a rule of HTTP: exactly one Host header, a path that starts with a slash, everything but letters and digits of ASCII percent-encoded, well-formed headers.',
  },
  'invalid-body': {
    status: 400,
    title: 'The body is not what is asked for',
    text: 'The body must be one JSON object with exactly the fields that docs/api.md names, each once and of its type; `errors` points to what is wrong.',
  },
  'foreign-origin': {
    status: 403,
    title: 'Not from a page of another site',
    text: 'Forms and scripts of other sites may not sign anybody up. Programs send no Origin header and are served.',
  },
  'not-found': {
    status: 404,
    title: 'There is nothing here',
    text: 'No such address, or not any more. For programs: the paths there are stand in /openapi.json.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'This path does not take that method',
    text: 'The Allow header lists the methods the path takes.',
  },
  timeout: {
    status: 408,
    title: 'The request took too long to arrive',
    text: 'Headers must arrive within 10 seconds and the whole request within 15.',
  },
  'too-large': {
    status: 413,
    title: 'The request is too large',
    text: 'What was sent beside the headers is larger than this service reads.',
  },
  'uri-too-long': {
    status: 414,
    title: 'The address is too long',
    text: 'A path with its query may have 2,048 bytes.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'This kind of content is not read here',
    text: 'Send application/json, in UTF-8 and uncompressed, where a body is asked for, and no body elsewhere.',
  },
  'invalid-value': {
    status: 422,
    title: 'A value cannot be used',
    text: 'A field has the right type, but not a value that it can have: an address no mail can reach, or a kind of signup that does not exist.',
  },
  'quota-exceeded': {
    status: 429,
    title: 'More than one client is served',
    text: 'Each client may send so many requests a minute and so many signups an hour, and is served so many listings in 24 hours (see RateLimit-Policy). Retry-After says when to come back; who wants everything is better served by the official data set.',
  },
  'headers-too-large': {
    status: 431,
    title: 'The headers are too large',
    text: 'At most 64 header lines and 16 KiB of headers are read.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    text: 'Something went wrong here, not with the request. The reference in `detail` finds it in the log.',
  },
  'not-ready': {
    status: 503,
    title: 'Not ready yet',
    text: 'The first filings have not been read yet, or an answer took too long. Retry-After says when to ask again.',
  },
  overloaded: {
    status: 503,
    title: 'Too busy just now',
    text: 'More was asked at once than can be answered. Retry-After says when to ask again; searches are answered longer than pages.',
  },
  unavailable: {
    status: 503,
    title: 'It cannot be done now',
    text: 'What was sent could not be stored, and nothing of it was. Retry-After says when to send it again.',
  },
} as const;

export type ProblemCode = keyof typeof PROBLEMS;

/** One thing that is wrong: with a parameter of the query, or at a place of the body (a JSON pointer). */
export type RequestFault = ParameterFault | { pointer: string; detail: string; did_you_mean?: string };

export type Problem = {
  code: ProblemCode;
  /** The code's own text where there is nothing more to say. */
  detail?: string;
  errors?: readonly RequestFault[];
  /** Such as Retry-After. */
  headers?: Record<string, string>;
};

/** For everything but pages: nothing in it is to be run, drawn or guessed at, and search engines keep nothing of it. */
export const BARE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-robots-tag': 'noindex',
};

/** Headers of every problem, in whatever form. */
export const problemHeaders = {
  'content-type': 'application/problem+json; charset=utf-8',
  'cache-control': 'no-store',
  ...BARE_HEADERS,
};

/** The problem as JSON. `type` leads to its page under `publicUrl`. */
export function formatProblem(publicUrl: string, { code, detail, errors }: Problem) {
  const { status, title, text } = PROBLEMS[code];
  return { type: `${publicUrl}/problems/${code}`, title, status, detail: detail ?? text, errors };
}

/** The answer before there are listings, or where something takes too long. */
export function notReadyProblem(
  detail = 'The first filings have not been read yet; ask again soon.',
): Problem {
  return { code: 'not-ready', detail, headers: { 'retry-after': '5' } };
}

/** Several parameters that are wrong. */
export function invalidParametersProblem(errors: readonly ParameterFault[]): Problem {
  const detail = errors.map((fault) => `${fault.parameter}: ${fault.detail}`).join(' ');
  return { code: 'invalid-parameter', detail, errors };
}

export function tooFarProblem(detail: string): Problem {
  return { code: 'too-far', detail, errors: [{ parameter: 'offset', detail }] };
}

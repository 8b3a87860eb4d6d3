/** Reads the question out of a raw query string: strictly, because a filter silently ignored gives a wrong answer. */

import { FILTERS, type Question } from '../catalogue/catalogue.ts';
import { LONGEST_Q, PAGE_LIMIT } from '../catalogue/question.ts';
import { nearestWord } from '../listings/edits.ts';
import { isPlainWord, type ParameterFault } from './problem.ts';

const ONE = ['q', 'limit', 'offset'] as const;

/** Every parameter of a search, in the order a link to the next page has them. */
export const PARAMETERS = ['q', ...FILTERS, 'limit', 'offset'] as const;
type Parameter = (typeof PARAMETERS)[number];

export type Asked = {
  question: Question;
  /** More than 25 were asked for. */
  wasCapped: boolean;
  faults: readonly ParameterFault[];
};

/** The question, or at least one fault. Empty parameters count as absent; nothing is guessed. */
export function parseQuestion(query: string): Asked {
  const faults: ParameterFault[] = [];
  const given: Record<Parameter, string[]> = {
    q: [],
    category: [],
    neighborhood: [],
    status: [],
    limit: [],
    offset: [],
  };
  if (query !== '') for (const piece of query.split('&')) readPiece(piece, given, faults);
  for (const name of ONE) {
    if (given[name].length > 1) faults.push({ parameter: name, detail: `${name} may be given once.` });
  }
  const q = given.q[0] ?? '';
  if (q.length > LONGEST_Q && [...q].length > LONGEST_Q)
    faults.push({ parameter: 'q', detail: `q may have at most ${LONGEST_Q} characters.` });
  const limit = wholeNumber('limit', given.limit[0], faults) ?? PAGE_LIMIT;
  const offset = wholeNumber('offset', given.offset[0], faults) ?? 0;
  return {
    question: {
      q,
      category: given.category,
      neighborhood: given.neighborhood,
      status: given.status,
      limit: Math.min(limit, PAGE_LIMIT),
      offset,
    },
    wasCapped: limit > PAGE_LIMIT,
    faults,
  };
}

function readPiece(piece: string, given: Record<Parameter, string[]>, faults: ParameterFault[]): void {
  if (piece === '') return;
  const equals = piece.indexOf('=');
  const name = decoded(equals === -1 ? piece : piece.slice(0, equals));
  const value = equals === -1 ? '' : decoded(piece.slice(equals + 1));
  if (!isParameter(name)) faults.push(unknownParameter(name));
  else if (value === undefined)
    faults.push({ parameter: name, detail: `${name} is not percent-encoded UTF-8.` });
  else if (value !== '') given[name].push(value);
}

/** `undefined` where the percent-encoding is broken or does not spell UTF-8. Bare bytes never get past Node's parser. */
function decoded(text: string): string | undefined {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

function isParameter(name: string | undefined): name is Parameter {
  return name !== undefined && (PARAMETERS as readonly string[]).includes(name);
}

/** Digits as people write whole numbers; numbers past 2^53 mean "past the end" whatever they are. */
function wholeNumber(
  name: Parameter,
  text: string | undefined,
  faults: ParameterFault[],
): number | undefined {
  if (text === undefined) return undefined;
  if (/^(0|[1-9][0-9]*)$/.test(text)) return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  faults.push({ parameter: name, detail: `${name} must be a whole number written in digits, 0 or more.` });
  return undefined;
}

/** Names what was asked only as far as it is a plain word: an error must not carry somebody's text around. */
function unknownParameter(name: string | undefined): ParameterFault {
  const plain = name !== undefined && isPlainWord(name) ? name : '(unreadable)';
  const meant = name === undefined ? undefined : nearest(name);
  const detail = `There is no such parameter; there are ${PARAMETERS.join(', ')}.`;
  return { parameter: plain, detail, did_you_mean: meant };
}

function nearest(name: string): Parameter | undefined {
  if (['query', 'search', 'text'].includes(name.toLowerCase())) return 'q';
  return nearestWord(name, [...FILTERS, 'limit', 'offset']);
}

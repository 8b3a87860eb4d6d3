/** Parses raw query strings strictly, because a silently ignored filter gives a wrong answer. */

import { findNearestWord } from '../listings/edits.ts';
import { isPlainWord } from '../listings/words.ts';
import {
  PARAMETER_NAMES,
  type ParameterFault,
  type ReadQuestion,
  readQuestion,
  type SearchParameterName,
} from './parameters.ts';

/** Maximum errors reported for a query. A response must not be many times as long as its request. */
export const MOST_FAULTS = 10;

/** Parses a raw query string without its `?`. Only `names` are known. Reports errors in `faults` and never guesses. */
export function parseSearchQuery(
  query: string,
  names: readonly SearchParameterName[] = PARAMETER_NAMES,
): ReadQuestion {
  const { given, faults } = splitQuery(query, names);
  const read = readQuestion(given);
  return faults.length === 0 ? read : { ...read, faults: [...faults, ...read.faults] };
}

export type GivenTexts = Partial<Record<string, string[]>>;

/** Splits a query string into the texts of each parameter, without empty ones. For routes with other parameters. */
export function splitQuery(
  query: string,
  names: readonly string[],
): { given: GivenTexts; faults: readonly ParameterFault[] } {
  const faults: ParameterFault[] = [];
  const given: GivenTexts = {};
  if (query !== '') for (const piece of query.split('&')) readPiece(piece, names, given, faults);
  return { given, faults };
}

function readPiece(
  piece: string,
  names: readonly string[],
  given: GivenTexts,
  faults: ParameterFault[],
): void {
  if (piece === '') return;
  const equals = piece.indexOf('=');
  const name = decode(equals === -1 ? piece : piece.slice(0, equals));
  const value = equals === -1 ? '' : decode(piece.slice(equals + 1));
  if (!isParameter(name, names)) {
    if (faults.length < MOST_FAULTS) faults.push(makeUnknownFault(name, names));
  } else if (value === undefined) {
    if (faults.length < MOST_FAULTS)
      faults.push({ parameter: name, detail: `${name} is not percent-encoded UTF-8.` });
  } else if (value !== '') {
    given[name] ??= [];
    given[name].push(value);
  }
}

/** Decodes text. Returns `undefined` for invalid percent-encoding or UTF-8. Node's parser already rejects raw bytes. */
function decode(text: string): string | undefined {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** Returns whether this is one of the valid parameters. */
export function isParameter<Name extends string>(
  name: string | undefined,
  names: readonly Name[],
): name is Name {
  return name !== undefined && (names as readonly string[]).includes(name);
}

/** Makes the error for an unknown parameter. Names only plain words: errors must not contain arbitrary text. */
export function makeUnknownFault(name: string | undefined, names: readonly string[]): ParameterFault {
  const plain = name !== undefined && isPlainWord(name) ? name : '(unreadable)';
  const meant = name === undefined ? undefined : nearestParameter(name, names);
  const detail = `Unknown parameter. Valid parameters are ${names.join(', ')}.`;
  return { parameter: plain, detail, did_you_mean: meant };
}

/** Names that other services use for the same parameters. */
const ALIASES = new Map<string, SearchParameterName>([
  ...(['query', 'search', 'text'] as const).map((name) => [name, 'q'] as const),
  ...(['from', 'since', 'after', 'date_from'] as const).map((name) => [name, 'filed_from'] as const),
  ...(['to', 'until', 'before', 'date_to'] as const).map((name) => [name, 'filed_to'] as const),
]);

function nearestParameter(name: string, names: readonly string[]): string | undefined {
  const alias = ALIASES.get(name.toLowerCase());
  if (alias !== undefined) return alias;
  return findNearestWord(
    name,
    names.filter((known) => known !== 'q'),
  );
}

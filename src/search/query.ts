/** Parses raw query strings strictly, because a filter that is silently ignored gives a wrong answer. */

import { findNearestWord } from '../listings/edits.ts';
import { isPlainWord } from '../listings/words.ts';
import {
  PARAMETER_NAMES,
  type ParameterFault,
  type ReadQuestion,
  readQuestion,
  type SearchParameterName,
} from './parameters.ts';

/** Parses a raw query string without its `?`. Errors are in `faults`; nothing is guessed. */
export function parseSearchQuery(query: string): ReadQuestion {
  const faults: ParameterFault[] = [];
  const given: Partial<Record<SearchParameterName, string[]>> = {};
  if (query !== '') for (const piece of query.split('&')) readPiece(piece, given, faults);
  const read = readQuestion(given);
  return faults.length === 0 ? read : { ...read, faults: [...faults, ...read.faults] };
}

function readPiece(
  piece: string,
  given: Partial<Record<SearchParameterName, string[]>>,
  faults: ParameterFault[],
): void {
  if (piece === '') return;
  const equals = piece.indexOf('=');
  const name = decode(equals === -1 ? piece : piece.slice(0, equals));
  const value = equals === -1 ? '' : decode(piece.slice(equals + 1));
  if (!isParameter(name)) faults.push(unknownParameter(name));
  else if (value === undefined)
    faults.push({ parameter: name, detail: `${name} is not percent-encoded UTF-8.` });
  else if (value !== '') {
    given[name] ??= [];
    given[name].push(value);
  }
}

/** `undefined` if the percent-encoding is broken or is not UTF-8. Raw bytes never get past Node's parser. */
function decode(text: string): string | undefined {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

function isParameter(name: string | undefined): name is SearchParameterName {
  return name !== undefined && (PARAMETER_NAMES as readonly string[]).includes(name);
}

/** Repeats an unknown name only if it is a plain word, because an error must not contain arbitrary text. */
function unknownParameter(name: string | undefined): ParameterFault {
  const plain = name !== undefined && isPlainWord(name) ? name : '(unreadable)';
  const meant = name === undefined ? undefined : nearestParameter(name);
  const detail = `Unknown parameter. Valid parameters are ${PARAMETER_NAMES.join(', ')}.`;
  return { parameter: plain, detail, did_you_mean: meant };
}

function nearestParameter(name: string): SearchParameterName | undefined {
  if (['query', 'search', 'text'].includes(name.toLowerCase())) return 'q';
  return findNearestWord(
    name,
    PARAMETER_NAMES.filter((known) => known !== 'q'),
  );
}

/** Parses raw query strings. Rejects unknown parameters, because silently ignoring a filter gives wrong answers. */

import {
  type Asked,
  type OtherParameters,
  PARAMETER_NAMES,
  type ParameterProblem,
  readQuestion,
  type SearchParameterName,
  VALUE_FILTERS,
} from '../../shared/question.ts';
import { findNearest } from '../../shared/text/edits.ts';

/** Maximum errors to report for a query. It keeps a response from being many times longer than its request. */
export const MOST_PROBLEMS = 10;

/** Parses a raw query string without its `?`. Unknown or invalid parameters are `problems`, never guesses. */
export function parseSearchQuery<Others extends object = object>(
  query: string,
  names: readonly SearchParameterName[] = PARAMETER_NAMES,
  others = {} as OtherParameters<Others>,
): Asked<Others> {
  const { given, problems } = splitQuery(query, [...names, ...Object.keys(others)]);
  const asked = readQuestion(given, others);
  return problems.length === 0 ? asked : { ...asked, problems: [...problems, ...asked.problems] };
}

/** Splits a query string into the texts of each parameter. Omits empty texts. */
export function splitQuery(
  query: string,
  names: readonly string[],
): { given: Partial<Record<string, string[]>>; problems: readonly ParameterProblem[] } {
  const problems: ParameterProblem[] = [];
  const given: Partial<Record<string, string[]>> = {};
  for (const piece of query === '' ? [] : query.split('&')) {
    const [rawName = '', ...rest] = piece.split('=');
    const name = readName(decode(rawName));
    const value = decode(rest.join('='));
    if (piece === '' || (name !== undefined && IGNORED.test(name))) continue;
    if (!isParameter(name, names)) {
      if (problems.length < MOST_PROBLEMS) problems.push(makeUnknownProblem(name, names));
    } else if (value === undefined) {
      if (problems.length < MOST_PROBLEMS)
        problems.push({ parameter: name, detail: `${name} is not percent-encoded UTF-8.` });
    } else if (value !== '') {
      given[name] ??= [];
      given[name].push(value);
    }
  }
  return { given, problems };
}

/** Matches parameters to ignore, which bypass caches or track campaigns. */
const IGNORED = /^(?:_$|utm_)/;

/** Decodes a name. `category[]` means `category`, because some clients, such as axios, write arrays this way. */
function readName(name: string | undefined): string | undefined {
  const list = name?.endsWith('[]') ? name.slice(0, -2) : undefined;
  return isParameter(list, VALUE_FILTERS) ? list : name;
}

/** Decodes text. Returns `undefined` for invalid percent-encoding or UTF-8. Node's parser rejects unencoded bytes. */
function decode(text: string): string | undefined {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

export function isParameter<Name extends string>(
  name: string | undefined,
  names: readonly Name[],
): name is Name {
  return name !== undefined && (names as readonly string[]).includes(name);
}

/** Returns whether a parameter name is safe to quote in an error. Errors must not contain arbitrary text. */
export function isPlainWord(name: string): boolean {
  return /^[\w.-]{1,40}$/.test(name);
}

/** Makes the error for an unknown parameter. Quotes only a plain word, so that errors never contain arbitrary text. */
export function makeUnknownProblem(name: string | undefined, names: readonly string[]): ParameterProblem {
  const plain = name !== undefined && isPlainWord(name) ? name : '(unreadable)';
  const others = names.filter((known) => known !== 'q'); // nearly every short word is near it
  const meant = name === undefined ? undefined : findNearest(name, others);
  const detail = `Unknown parameter. Valid parameters are ${names.join(', ')}.`;
  return { parameter: plain, detail, did_you_mean: meant };
}

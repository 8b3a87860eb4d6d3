/** Finds the values that a question asks for, and the combinations of values that lack one. */

import {
  formatAlternatives,
  includeValue,
  isExcluded,
  perFilter,
  type Question,
  searchParameters,
  VALUE_FILTERS,
  type ValueFilter,
  type Warning,
} from '../../../shared/question.ts';
import { findNearest } from '../../../shared/text/edits.ts';
import { normalizeText } from '../../../shared/words.ts';
import type { IndexBuffers } from '../index-buffers.ts';

/** The codes of the values that match each filter: `undefined` without the filter, `[]` if no listing has them. */
export type Choice = Record<ValueFilter, readonly number[] | undefined>;

/** Maximum unknown values of a filter to suggest known values for. Each costs a comparison with all known values. */
const MOST_SUGGESTIONS = 5;

/** Opens the functions that choose rows by the values of their filters. */
export function openFilters({ values, combos }: IndexBuffers) {
  const choosers = perFilter((filter) => makeChooser(filter, values[filter]));

  /** Returns a bit for each filter that a combination does not match, in the order of `VALUE_FILTERS`. */
  function markMisses(choice: Choice): Uint8Array {
    const misses = new Uint8Array(combos.count.length);
    for (const [at, filter] of VALUE_FILTERS.entries()) {
      const chosen = choice[filter];
      if (chosen === undefined) continue;
      const miss = new Uint8Array(values[filter].length).fill(1 << at);
      for (const value of chosen) miss[value] = 0;
      const column = combos[filter];
      for (let i = 0; i < misses.length; i++) misses[i]! |= miss[column[i]!]!;
    }
    return misses;
  }

  return {
    choose(question: Question, warnings: Warning[]): Choice {
      const choice = {} as Choice;
      for (const filter of VALUE_FILTERS) choice[filter] = choosers[filter](question[filter], warnings);
      return choice;
    },
    markMisses,
  };
}

/** Returns a function that converts requested values of a filter to codes, ignoring case and accents. */
function makeChooser(filter: ValueFilter, values: readonly string[]) {
  const folded = values.map((value) => ({ value, text: normalizeText(value) }));
  const numbersByText = Map.groupBy(values.keys(), (number) => folded[number]!.text);
  const { known } = searchParameters[filter];
  const valid = known === undefined ? '' : ` Valid values are ${formatAlternatives(known)}.`;
  return (asked: readonly string[], warnings: Warning[]): number[] | undefined => {
    const given = asked.length === 0 ? asked : asked.filter((value) => value.trim() !== '');
    if (given.length === 0) return undefined;
    const numbers = new Set<number>();
    const excluded = new Set<number>();
    let unknown = 0;
    for (const text of given) {
      const isOut = isExcluded(text);
      const value = isOut ? includeValue(text) : text;
      const found = numbersByText.get(normalizeText(value));
      for (const number of found ?? []) (isOut ? excluded : numbers).add(number);
      if (found !== undefined) continue;
      const didYouMean = unknown++ < MOST_SUGGESTIONS ? findNearestValue(value, folded) : undefined;
      const isJoined = value
        .split(',')
        .some((part) => part !== value && numbersByText.has(normalizeText(part)));
      const hint = isJoined ? ` Repeat ${filter} for each value.` : '';
      const detail = `No listings match the ${filter} "${value.trim()}".${valid}${hint}`;
      warnings.push({ parameter: filter, code: 'unknown-value', word: value.trim(), detail, didYouMean });
    }
    const isOnlyOut = given.every(isExcluded) && numbers.size === 0;
    const all = isOnlyOut ? values.keys() : numbers;
    return Array.from(all).filter((number) => !excluded.has(number));
  };
}

/**
 * Finds the value with the fewest edits: at most three, and at most a third of the letters. If there is none, finds a
 * value that begins with the text.
 */
function findNearestValue(
  asked: string,
  known: readonly { value: string; text: string }[],
): string | undefined {
  const text = normalizeText(asked);
  const most = Math.min(3, Math.ceil(text.length / 3), text.length - 1);
  const nearest = findNearest(
    text,
    known.map((one) => one.text),
    most,
  );
  const begins = (one: { text: string }) => text.length > 2 && one.text.startsWith(text);
  return known.find((one) => (nearest === undefined ? begins(one) : one.text === nearest))?.value;
}

/** Resolves the value filters: the values that a query requests, and the combinations of values that match. */

import { countEdits } from '../../listings/edits.ts';
import { findFirstAtLeast } from '../../listings/sorted.ts';
import { normalizeText } from '../../listings/words.ts';
import type { SearchWarning } from '../listing-index.ts';
import { perFilter, type Question, VALUE_FILTERS, type ValueFilter } from '../parameters.ts';
import type { IndexBuffers } from './index-buffers.ts';

/**
 * The numbers of the requested values: `undefined` if the filter is not used, `[]` if the index has none of its values.
 */
export type Choice = Record<ValueFilter, readonly number[] | undefined>;

export type Filters = ReturnType<typeof openFilters>;

/** Maximum unknown values of a filter for which we suggest a known value. Each is compared with every known value. */
const MOST_SUGGESTIONS = 5;

const OTHERS = VALUE_FILTERS.filter((filter) => filter !== 'category');

export function openFilters({ values, combos }: Pick<IndexBuffers, 'values' | 'combos'>) {
  const choosers = perFilter((filter) => makeChooser(filter, values[filter]));

  /** Lists where the combinations of the chosen categories are. Combinations are sorted by category. */
  function listRanges({ category }: Choice): { from: number; to: number }[] {
    const startOf = (value: number) => findFirstAtLeast(combos.category, value);
    return (
      category?.map((value) => ({ from: startOf(value), to: startOf(value + 1) })) ?? [
        { from: 0, to: combos.count.length },
      ]
    );
  }

  /** Marks the combinations that match with 1, and the others with 0. */
  function markCombos(choice: Choice): Uint8Array {
    const marks = new Uint8Array(combos.count.length);
    const ranges = listRanges(choice);
    for (const { from, to } of ranges) marks.fill(1, from, to);
    for (const filter of OTHERS) {
      const chosen = choice[filter];
      if (chosen === undefined) continue;
      const isChosen = new Uint8Array(values[filter].length);
      for (const value of chosen) isChosen[value] = 1;
      const column = combos[filter];
      for (const { from, to } of ranges) for (let i = from; i < to; i++) marks[i]! &= isChosen[column[i]!]!;
    }
    return marks;
  }

  return {
    choose(question: Question, warnings: SearchWarning[]): Choice {
      const choice = {} as Choice;
      for (const filter of VALUE_FILTERS) choice[filter] = choosers[filter](question[filter], warnings);
      return choice;
    },
    markCombos,
    /** Counts the listings of the combinations that match. */
    count(choice: Choice): number {
      const marks = markCombos(choice);
      let total = 0;
      for (const { from, to } of listRanges(choice))
        for (let i = from; i < to; i++) total += marks[i]! * combos.count[i]!;
      return total;
    },
  };
}

type Chooser = (asked: readonly string[], warnings: SearchWarning[]) => number[] | undefined;

/** Makes a function that finds the values of a filter, ignoring case and accents. */
function makeChooser(filter: ValueFilter, values: readonly string[]): Chooser {
  const folded = values.map((value) => ({ value, text: normalizeText(value) }));
  const numbersByText = Map.groupBy(values.keys(), (number) => folded[number]!.text);
  return (asked, warnings) => {
    const given = asked.length === 0 ? asked : asked.filter((value) => value.trim() !== '');
    if (given.length === 0) return undefined;
    const numbers = new Set<number>();
    let unknown = 0;
    for (const value of given) {
      const found = numbersByText.get(normalizeText(value));
      for (const number of found ?? []) numbers.add(number);
      if (found !== undefined) continue;
      const didYouMean = unknown++ < MOST_SUGGESTIONS ? findNearestValue(value, folded) : undefined;
      const detail = `No listings match the ${filter} "${value.trim()}".`;
      warnings.push({ parameter: filter, cause: 'value', word: value.trim(), detail, didYouMean });
    }
    return [...numbers];
  };
}

/** Finds the nearest known value by edits (at most a third of the letters, or three), or one that begins alike. */
function findNearestValue(
  asked: string,
  known: readonly { value: string; text: string }[],
): string | undefined {
  const text = normalizeText(asked);
  let best: string | undefined;
  let bound = Math.min(3, Math.ceil(text.length / 3)) + 1;
  for (const one of known) {
    const distance = countEdits(text, one.text, bound);
    if (distance < bound) [best, bound] = [one.value, distance];
  }
  return best ?? (text.length < 3 ? undefined : known.find((one) => one.text.startsWith(text))?.value);
}

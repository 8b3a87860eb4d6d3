/** Resolves the three value filters: the values that a query requests, and the combinations of values that match. */

import { countEdits } from '../../listings/edits.ts';
import { normalizeText } from '../../listings/words.ts';
import type { SearchWarning } from '../listing-index.ts';
import type { Question, ValueFilter } from '../parameters.ts';
import type { IndexBuffers } from './index-buffers.ts';

/** Numbers of the requested values. `undefined` if the filter is not used, `[]` if no value is known. */
export type Choice = Record<ValueFilter, readonly number[] | undefined>;

export type Filters = ReturnType<typeof openFilters>;

/** Maximum unknown values of a filter that get suggestions, because each is compared with every known value. */
const MOST_SUGGESTIONS = 5;

export function openFilters({ values, combos }: Pick<IndexBuffers, 'values' | 'combos'>) {
  const choose = {
    category: makeChooser('category', values.category),
    neighborhood: makeChooser('neighborhood', values.neighborhood),
    status: makeChooser('status', values.status),
  };
  const flags = {
    neighborhood: new Uint8Array(values.neighborhood.length),
    status: new Uint8Array(values.status.length),
  };
  const passes = new Uint8Array(combos.count.length);
  const starts = startsOf(combos.category, values.category.length);

  /** Marks the matching combinations. Returns their number of listings. */
  function pass(from: number, to: number): number {
    let total = 0;
    for (let i = from; i < to; i++) {
      const isIn = flags.neighborhood[combos.neighborhood[i]!]! & flags.status[combos.status[i]!]!;
      passes[i] = isIn;
      total += isIn * combos.count[i]!;
    }
    return total;
  }

  return {
    choose: (question: Question, warnings: SearchWarning[]): Choice => ({
      category: choose.category(question.category, warnings),
      neighborhood: choose.neighborhood(question.neighborhood, warnings),
      status: choose.status(question.status, warnings),
    }),
    /** Returns the matching combinations (1) and their number of listings. Valid until the next call. */
    passing(choice: Choice): { passes: Uint8Array; total: number } {
      for (const filter of ['neighborhood', 'status'] as const) {
        const chosen = choice[filter];
        flags[filter].fill(chosen === undefined ? 1 : 0);
        for (const value of chosen ?? []) flags[filter][value] = 1;
      }
      passes.fill(0);
      const { category } = choice;
      if (category === undefined) return { passes, total: pass(0, passes.length) };
      const total = category.reduce((sum, value) => sum + pass(starts[value]!, starts[value + 1]!), 0);
      return { passes, total };
    },
  };
}

type Chooser = (asked: readonly string[], warnings: SearchWarning[]) => number[] | undefined;

/** Makes a function that finds the values of a filter, ignoring case and accents. */
function makeChooser(filter: ValueFilter, values: readonly string[]): Chooser {
  const folded = values.map((value) => ({ value, text: normalizeText(value) }));
  const numbersByText = Map.groupBy(values.keys(), (number) => folded[number]!.text);
  return (asked, warnings) => {
    const given = asked.filter((value) => value.trim() !== '');
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

/** Returns where the combinations of each category start. They must be sorted by category. */
function startsOf(categories: Uint32Array, count: number): Uint32Array {
  const starts = new Uint32Array(count + 1);
  for (const category of categories) starts[category + 1]!++;
  for (let i = 0; i < count; i++) starts[i + 1]! += starts[i]!;
  return starts;
}

/** Finds the nearest known value by edits (up to a third of its letters, at most three), or a longer one. */
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

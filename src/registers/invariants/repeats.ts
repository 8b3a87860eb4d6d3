/** Checks `repeated-businesses`: the same name at the same place with several keys, on different days. */

import { foldWords } from '../../listings/words.ts';
import { hashCell } from '../table.ts';
import type { Evidence } from './evidence.ts';
import { type FindingCheck, isMoreThan, listNames, makeFinding, openExamples } from './finding.ts';

const REPEATED_SHARE = 0.02;
/** Maximum businesses counted individually. Beyond that, every second one counts twice, and so on. */
const MOST_BUSINESSES = 32_768;
const KEYS_KEPT = 16;

/** The keys of a name at a place, and their days. Numbers, because there are many and most names have one key. */
type Repeated = { keys: number[]; days: number[] };

export function openRepeatCheck(
  { location }: Pick<Evidence, 'location'>,
  most = MOST_BUSINESSES,
): FindingCheck {
  const { address, point } = location;
  const chosen = address.length > 0 ? address : point === undefined ? [] : [point.latitude, point.longitude];
  const columns = [...new Set(chosen.map(({ name }) => name))];
  const firstKeys = new Map<number, number>();
  const firstDays = new Map<number, number>();
  const repeated = new Map<number, Repeated>();
  const examples = openExamples();
  let halvings = 0;
  const isSampled = (hash: number) => (hash & ((1 << halvings) - 1)) === 0;
  function halve(): void {
    halvings++;
    for (const map of [firstKeys, firstDays, repeated])
      for (const hash of map.keys()) if (!isSampled(hash)) map.delete(hash);
  }
  function seeAgain(hash: number, key: number, day: number): Repeated | undefined {
    const first = firstKeys.get(hash)!;
    if (first === key) return undefined;
    const all = repeated.get(hash) ?? { keys: [first], days: [firstDays.get(hash)!] };
    if (all.keys.length >= KEYS_KEPT || all.keys.includes(key)) return undefined;
    all.keys.push(key);
    all.days.push(day);
    repeated.set(hash, all);
    return all;
  }
  return {
    see({ key, name, filedOn }, cell): void {
      const where = foldWords(columns.map(cell).join(' '));
      if (where === '') return;
      const hash = hashText(`${foldWords(name)}\n${where}`);
      if (!isSampled(hash)) return;
      const day = Number(filedOn.replaceAll('-', ''));
      if (!firstKeys.has(hash)) {
        firstKeys.set(hash, hashText(key));
        firstDays.set(hash, day);
        if (firstKeys.size > most) halve();
        return;
      }
      const all = seeAgain(hash, hashText(key), day);
      if (all !== undefined && new Set(all.days).size > 1)
        examples.keep(`${name}: ${all.days.slice(0, 4).map(formatDay).join(', ')}`);
    },
    find(openings) {
      let count = 0;
      for (const { days } of repeated.values()) count += new Set(days).size - 1;
      count *= 2 ** halvings;
      if (!isMoreThan(REPEATED_SHARE, count, openings)) return [];
      return [
        makeFinding('repeatedBusinesses', {
          count,
          of: openings,
          examples: examples.list(),
          values: { columns: listNames(columns) },
          repair: { key: { nameAnd: columns } },
        }),
      ];
    },
  };
}

/** Formats a day: 20241231 becomes `2024-12-31`. */
function formatDay(day: number): string {
  return String(day).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
}

/** Hashes a text. Mixes the high bits into the low ones, which determine the sample. */
function hashText(text: string): number {
  const hash = hashCell(text);
  return (hash ^ (hash >>> 15)) | 0;
}

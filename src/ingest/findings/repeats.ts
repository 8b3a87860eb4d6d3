/** `repeated-businesses`: the same name at the same place under several keys, on different days. */

import type { Row } from '../../city/define.ts';
import { readCell } from '../sources/row.ts';
import {
  type FindingCheck,
  foldText,
  formatOpenings,
  hashText,
  isMoreThan,
  keepExample,
  makeFinding,
} from './check.ts';
import type { ColumnRoles } from './column-roles.ts';

const REPEATED_SHARE = 0.02;
/** Businesses counted one by one; where there are more, every second of them stands for two, and so on. */
const MOST_BUSINESSES = 65_536;

/** The keys of one name at one place; `days` are those of its keys. */
type Business = { keys: number[]; days: string[] };

const KEYS_KEPT = 16;

export function openRepeatCheck({ address, point }: ColumnRoles, most = MOST_BUSINESSES): FindingCheck {
  const place = address.length > 0 ? address : point;
  const businesses = new Map<number, Business>();
  const examples: string[] = [];
  let halvings = 0;
  const isSampled = (hash: number) => (hash & ((1 << halvings) - 1)) === 0;
  function halve(): void {
    halvings++;
    for (const hash of businesses.keys()) if (!isSampled(hash)) businesses.delete(hash);
  }
  return {
    see({ key, name, filedOn }, row) {
      if (place.length === 0) return;
      const where = placeText(row, place);
      if (where === '') return;
      const hash = hashText(`${foldText(name)}\n${where}`);
      if (!isSampled(hash)) return;
      const business = businesses.get(hash);
      const keyHash = hashText(key);
      if (business === undefined) {
        businesses.set(hash, { keys: [keyHash], days: [filedOn] });
        if (businesses.size > most) halve();
      } else if (business.keys.length < KEYS_KEPT && !business.keys.includes(keyHash)) {
        business.keys.push(keyHash);
        business.days.push(filedOn);
        if (new Set(business.days).size > 1)
          keepExample(examples, `${name}: ${business.days.slice(0, 4).join(', ')}`);
      }
    },
    find(openings) {
      let count = 0;
      for (const { days } of businesses.values()) count += new Set(days).size - 1;
      count *= 2 ** halvings;
      if (!isMoreThan(REPEATED_SHARE, count, openings)) return [];
      const columns = place.map((column) => `"${column}"`).join(', ');
      const detail = `${formatOpenings(count, openings)} repeat the name and place (${columns}) of another under a different key and on another day: renewals seem to be read as openings`;
      const fix = 'verdict: key (without a year or a permit number), or update() for renewals';
      return [makeFinding('repeated-businesses', 'stop', { count, of: openings, detail, examples, fix })];
    },
  };
}

function placeText(row: Row, place: readonly string[]): string {
  return foldText(place.map((column) => readCell(row, column)).join(' '));
}

/** Collects the rows of a build: texts as bytes, other values as codes in order of first occurrence. */

import type { Day, Instant } from '../../listings/day.ts';
import { STATUSES } from '../../listings/listing.ts';
import type { BuildRow } from '../listing-index.ts';
import { openDictionary } from './dictionary.ts';
import { openCoder, openNumberColumn } from './numbers.ts';
import { openTextColumn } from './texts.ts';

/** A combination of values by code. */
export type Combo = { category: number; neighborhood: number; status: number };

export type Collected = ReturnType<typeof openCollector>;

export function openCollector() {
  const coders = {
    category: openCoder<string>(),
    neighborhood: openCoder<string>(),
    day: openCoder<Day>(),
    combo: openCoder<number>(),
    /** When a listing that is not news was first seen. */
    old: openCoder<Instant>(),
    /** When a listing that is news was first seen, and the edition that announced it. */
    news: openCoder<`${Instant} ${Day}`>(),
  };
  const columns = { day: openNumberColumn(), combo: openNumberColumn(), seen: openNumberColumn() };
  const texts = { names: openTextColumn(), keys: openTextColumn(), words: openDictionary() };
  return {
    coders,
    ...columns,
    ...texts,
    /** Adds a row. `status` is an index of `STATUSES`: the row's own status, or expired. */
    add(row: BuildRow, status: number) {
      const category = coders.category.codeOf(row.category);
      const neighborhood = coders.neighborhood.codeOf(row.neighborhood);
      columns.day.add(coders.day.codeOf(row.filedOn));
      columns.combo.add(coders.combo.codeOf(encodeCombo({ category, neighborhood, status })));
      const seen = row.isNews
        ? coders.news.codeOf(`${row.firstSeenAt} ${row.edition ?? ''}`)
        : coders.old.codeOf(row.firstSeenAt);
      columns.seen.add(seen * 2 + (row.isNews ? 0 : 1));
      texts.names.add(row.name);
      texts.keys.add(row.key);
      texts.words.add(row.name);
    },
  };
}

const MOST_VALUES = 2 ** 24; // two codes of 24 bits and a status fit exactly into a number

/** Encodes a combination as a number. The numbers sort by category, neighborhood, status. */
export function encodeCombo({ category, neighborhood, status }: Combo): number {
  return (category * MOST_VALUES + neighborhood) * STATUSES.length + status;
}

export function decodeCombo(code: number): Combo {
  const pair = Math.floor(code / STATUSES.length);
  return {
    category: Math.floor(pair / MOST_VALUES),
    neighborhood: pair % MOST_VALUES,
    status: code % STATUSES.length,
  };
}

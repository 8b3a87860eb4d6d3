/**
 * Opens built parts for questions, without copying them. Everything is answered from the columns as they stand:
 * nothing is cached, nothing waits. One question at a time (results share scratch space until the page is made).
 */

import type { Instant } from '../listings/day.ts';
import type { Listing } from '../listings/listing.ts';
import type { Answer, Catalogue, Counts, Doubt, Facets, Question } from './catalogue.ts';
import { type Choice, type Filters, openFilters } from './filters.ts';
import { type Lookup, openLookup } from './lookup.ts';
import { pageWriter } from './page.ts';
import { bytesOf, type CatalogueParts, DIMENSIONS, type Dimension } from './parts.ts';
import { type Found, pageOf, scanBits, scanRows, type Window } from './scan.ts';
import { openSets, type RowSet, type RowSets, smallestList } from './sets.ts';
import { largestFirst } from './stats.ts';

type Opened = { parts: CatalogueParts; sets: RowSets; filters: Filters; lookup: Lookup };

/** The catalogue that answers from these parts. */
export function openCatalogue(parts: CatalogueParts): Catalogue {
  const sets = openSets(parts.sets, parts.size);
  const opened = { parts, sets, filters: openFilters(parts), lookup: openLookup(parts, sets) };
  const page = pageWriter(parts);
  const objects = (json: Buffer): Listing[] => JSON.parse(`[${json.toString()}]`);

  function search(question: Question): Answer {
    sets.begin();
    const doubts: Doubt[] = [];
    const choice = opened.filters.choose(question, doubts);
    const words = opened.lookup(question.q, doubts);
    const { total, rows } = find(opened, { choice, words }, { skip: question.offset, take: question.limit });
    return { total, count: rows.length, page: page(rows), doubts };
  }

  return {
    version: parts.version,
    day: parts.day,
    size: parts.size,
    bytes: bytesOf(parts),
    search,
    facets: (question) => facets(opened, question),
    stats: () => parts.stats,
    listings: (question) => objects(search(question).page),
    seenSince(since) {
      const rows = seenAfter(parts, since);
      return {
        total: rows.length,
        listings: (offset, limit) => objects(page(rows.subarray(offset, offset + limit))),
      };
    },
  };
}

type Asked = { choice: Choice; words: RowSet | undefined };

/** Totals come from counts where they can, from a walk over the rarest set where they must. */
function find({ parts, sets, filters }: Opened, { choice, words }: Asked, window: Window): Found {
  const asked = DIMENSIONS.filter((dimension) => choice[dimension] !== undefined);
  if (asked.some((dimension) => choice[dimension]!.length === 0))
    return { total: 0, rows: new Uint32Array(0) };
  const all = asked.map((dimension) => valueSet(parts, sets, dimension, choice[dimension]!));
  if (words !== undefined) all.unshift(words);
  if (all.length === 0) return { total: parts.size, rows: rowsFrom(window, parts.size) };
  if (all.length === 1) return pageOf(all[0]!, window);
  return findBoth({ parts, filters, choice, words, all }, window);
}

/** More than one set: the words' list, else the shortest, is walked; bits are compared 32 rows at a time. */
function findBoth(
  known: Asked & { parts: CatalogueParts; filters: Filters; all: readonly RowSet[] },
  window: Window,
): Found {
  const { words, all } = known;
  const list = words?.rows ?? smallestList(all);
  const isCounted = words !== undefined;
  if (list === undefined) {
    const found = scanBits(
      all.map(({ bits }) => bits!),
      window,
      isCounted,
    );
    return isCounted ? found : { ...found, total: known.filters.passing(known.choice).total };
  }
  const { passes, total } = known.filters.passing(known.choice);
  const { combo } = known.parts;
  const bits = words?.bits;
  const isMatch =
    bits === undefined
      ? (row: number) => passes[combo[row]!] === 1
      : (row: number) => passes[combo[row]!] === 1 && ((bits[row >>> 5]! >>> (row & 31)) & 1) === 1;
  const found = scanRows(list, isMatch, window, isCounted);
  return isCounted ? found : { ...found, total };
}

/** The sets of values lie behind those of words, in the order of `DIMENSIONS`. */
function valueSet(
  parts: CatalogueParts,
  sets: RowSets,
  dimension: Dimension,
  values: readonly number[],
): RowSet {
  let first = parts.words.ends.length - 1;
  for (const before of DIMENSIONS.slice(0, DIMENSIONS.indexOf(dimension)))
    first += parts.values[before].length;
  return sets.union(values.map((value) => ({ from: first + value, to: first + value + 1 })));
}

function rowsFrom({ skip, take }: Window, size: number): Uint32Array {
  const rows = new Uint32Array(Math.max(0, Math.min(take, size - skip)));
  return rows.map((_, i) => skip + i);
}

function facets({ parts, sets, filters, lookup }: Opened, question: Question): Facets {
  sets.begin();
  const doubts: Doubt[] = [];
  const choice = filters.choose(question, doubts);
  const words = lookup(question.q, doubts);
  const perCombo = words === undefined ? parts.combos.count : combosOf(parts, words);
  const spread = (dimension: Dimension): Counts => {
    const { passes } = filters.passing({ ...choice, [dimension]: undefined });
    const counts = new Array<number>(parts.values[dimension].length).fill(0);
    for (const [i, value] of parts.combos[dimension].entries()) counts[value]! += passes[i]! * perCombo[i]!;
    return largestFirst(parts.values[dimension], counts);
  };
  return { category: spread('category'), neighborhood: spread('neighborhood'), status: spread('status') };
}

function combosOf({ combo, combos }: CatalogueParts, words: RowSet): Uint32Array {
  const perCombo = new Uint32Array(combos.count.length);
  const { rows } = words.rows ? words : scanBits([words.bits], { skip: 0, take: words.count }, false);
  for (const row of rows) perCombo[combo[row]!]!++;
  return perCombo;
}

/** Rows first seen after the moment, without baselines. */
function seenAfter({ seen, firstSeen }: CatalogueParts, since: Instant): Uint32Array {
  const isNews = Uint8Array.from(seen, ({ at, baseline }) => (!baseline && at > since ? 1 : 0));
  const rows: number[] = [];
  if (isNews.includes(1))
    for (const [row, code] of firstSeen.entries()) if (isNews[code] === 1) rows.push(row);
  return Uint32Array.from(rows);
}

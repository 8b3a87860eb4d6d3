/** Reads the editions of the weekly email from an index. */

import type { EditionCount, EditionPage } from '../../../shared/answers.ts';
import { putUnknownLast } from '../../../shared/city/value-names.ts';
import type { Day } from '../../../shared/day.ts';
import type { Counts } from '../../../shared/listing.ts';
import type { Question } from '../../../shared/question.ts';
import { lazy } from '../../../shared/remember.ts';
import { type IndexBuffers, readIdentities } from '../index-buffers.ts';
import { countByCombo, listFacets } from './tally.ts';

export function openEditions(
  parts: IndexBuffers,
  /** Returns 0 for the combinations of values that a question asks for, whatever their status. */
  markMisses: (question: Question) => Uint8Array,
) {
  const known = lazy(() => groupRows(parts));
  function openRows(question: Question): (edition: Day) => number[] {
    const misses = markMisses(question);
    return (edition) => (known().get(edition) ?? []).filter((row) => misses[parts.combo[row]!] === 0);
  }
  return {
    /** Lists the editions of the weekly email, newest first. Counts their listings that match the value filters. */
    listEditions(question: Question): readonly EditionCount[] {
      const rowsOf = openRows(question);
      return parts.editions.map(({ edition }) => ({ edition, total: rowsOf(edition).length }));
    },
    /** Returns a page of an edition's listings that match the value filters, or `undefined` for an unknown edition. */
    readEdition(edition: Day, question: Question): EditionPage | undefined {
      const sent = parts.editions.find((one) => one.edition === edition);
      if (sent === undefined) return undefined;
      const found = openRows(question)(edition);
      const times = parts.arrivals.flatMap(({ at, edition: one }) => (one === edition ? at : [])).sort();
      const [from, to] = [times[0], times.at(-1)];
      const counted = { count: found.length, rows: Uint32Array.from(found) };
      const { category, neighborhood } = listFacets(parts, countByCombo(parts, counted));
      const places = putUnknownLast(neighborhood);
      const ranks = new Map(places.map(({ value }, i) => [value, i]));
      const rankOf = (row: number) => ranks.get(neighborhoodOf(parts, row))!;
      const sorted = found.toSorted((a, b) => rankOf(a) - rankOf(b));
      const pageEnd = endPages(places, question.limit);
      const rows = Uint32Array.from(sorted.slice(question.offset, pageEnd(question.offset)));
      let previous = 0;
      for (let end = pageEnd(0); end < question.offset && end < found.length; end = pageEnd(end))
        previous = end;
      return {
        total: found.length,
        introduction: sent.introduction,
        rows,
        previous,
        identities: readIdentities(parts, rows),
        arrived: from && to ? { from, to } : undefined,
        filed: found.map((row) => parts.days[parts.filedOn[row]!]!),
        byCategory: category,
        byNeighborhood: neighborhood,
        places,
      };
    },
  };
}

/**
 * Returns a function that finds where the page from an offset ends: after the last neighborhood that ends on it, so that
 * only a neighborhood that is larger than a page continues on the next one.
 */
function endPages(places: Counts, limit: number): (offset: number) => number {
  let sum = 0;
  const ends = places.map(({ count }) => (sum += count));
  return (offset) => ends.findLast((end) => end > offset && end <= offset + limit) ?? offset + limit;
}

function neighborhoodOf({ values, combos, combo }: IndexBuffers, row: number): string {
  return values.neighborhood[combos.neighborhood[combo[row]!]!]!;
}

function groupRows({ arrivals, arrived }: IndexBuffers): ReadonlyMap<Day, readonly number[]> {
  const rows = new Map<Day, number[]>();
  const lists = arrivals.map(({ edition }) =>
    edition === '' ? undefined : rows.getOrInsertComputed(edition, () => []),
  );
  for (const [row, code] of arrived.entries()) lists[code]?.push(row);
  return rows;
}

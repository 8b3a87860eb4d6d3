/** The newest listings that a file would come to, for a person to look at. Keeps the filings of the newest keys alone. */

import type { Day } from '../listings/day.ts';
import type { Filing } from '../listings/filing.ts';
import { deriveStatus, type Listing } from '../listings/listing.ts';
import { compareCodeUnits } from '../listings/words.ts';
import type { Judgement } from './judge.ts';
import { mergeFilings } from './merge-filings.ts';

const LISTINGS_SHOWN = 25;
const MOST_KEYS = 4_000;

export type NewestListings = {
  /** `isKnown`: an earlier row has opened the key. */
  see(judgement: Judgement, isKnown: boolean): void;
  list(): Listing[];
};

/** A key whose first opening is too old to be among the newest is let go, and what updates say of it with it. */
export function openNewestListings(today: Day): NewestListings {
  const filings = new Map<string, Filing[]>();
  function letGoOfOld(): void {
    const byDay = [...filings].map(([key, all]) => ({ key, day: findFirstDay(all) }));
    byDay.sort((a, b) => compareCodeUnits(b.day, a.day));
    for (const { key } of byDay.slice(MOST_KEYS / 2)) filings.delete(key);
  }
  return {
    see(judgement, isKnown) {
      if (judgement.kind !== 'opening' && judgement.kind !== 'update') return;
      const all = filings.get(judgement.key);
      if (all !== undefined) all.push(judgement);
      else if (!isKnown) {
        filings.set(judgement.key, [judgement]);
        if (filings.size > MOST_KEYS) letGoOfOld();
      }
    },
    list() {
      return [...filings]
        .map(([key, all]) => ({ key, merged: mergeFilings(all, undefined, false) }))
        .filter((one) => one.merged !== undefined)
        .map(({ key, merged }) => ({ key, ...merged! }))
        .sort(
          (a, b) =>
            compareCodeUnits(b.filedOn, a.filedOn) ||
            compareCodeUnits(a.name, b.name) ||
            compareCodeUnits(a.key, b.key),
        )
        .slice(0, LISTINGS_SHOWN)
        .map(({ name, category, neighborhood, filedOn, ...rest }) => {
          const status = deriveStatus(rest, today);
          return { name, category, neighborhood, status, filing_date: filedOn };
        });
    },
  };
}

/** The day of the first opening; of updates alone, of the last one. */
function findFirstDay(filings: readonly Filing[]): Day {
  const opened = filings.filter(({ kind }) => kind === 'opening') as Extract<Filing, { kind: 'opening' }>[];
  if (opened.length > 0) return opened.map(({ filedOn }) => filedOn).sort()[0]!;
  return filings
    .map(({ termOn }) => termOn)
    .sort()
    .at(-1)!;
}

/**
 * Collects the newest listings of a file and the rows that opened them, for a person to check. Keeps only the filings
 * of the newest keys.
 */

import type { Day } from '../listings/day.ts';
import type { Filing } from '../listings/filing.ts';
import { deriveStatus, type Listing } from '../listings/listing.ts';
import { compareCodeUnits } from '../listings/words.ts';
import type { Judgement } from './judge.ts';
import { mergeFilings } from './merge-filings.ts';

const LISTINGS_SHOWN = 25;
const MOST_KEYS = 4_000;

/** The filings of a key, and the row of its first opening. */
type Seen<Origin> = { all: Filing[]; openedOn: Day | undefined; origin: Origin | undefined };

/** Opens the collection. It drops a key and its updates once its first opening is too old to be among the newest. */
export function openNewestListings<Origin>(today: Day) {
  const filings = new Map<string, Seen<Origin>>();
  let oldest: Day = '';
  function forgetOld(): void {
    const byDay = [...filings].map(([key, { all }]) => ({ key, day: findFirstDay(all) }));
    byDay.sort((a, b) => compareCodeUnits(b.day, a.day));
    for (const { key } of byDay.slice(MOST_KEYS / 2)) filings.delete(key);
    oldest = byDay[MOST_KEYS / 2]!.day;
  }
  return {
    /** Adds a judgement. `isKnown`: an earlier row opened the key. `readOrigin` reads what to keep of a new row. */
    see(judgement: Judgement, isKnown: boolean, readOrigin: () => Origin): void {
      if (judgement.kind !== 'opening' && judgement.kind !== 'update') return;
      const known = filings.get(judgement.key);
      const day = judgement.kind === 'opening' ? judgement.filedOn : undefined;
      if (known === undefined && (isKnown || (day !== undefined && day < oldest))) return;
      const seen = known ?? { all: [], openedOn: undefined, origin: undefined };
      seen.all.push(judgement);
      if (day !== undefined && (seen.openedOn === undefined || day < seen.openedOn)) {
        seen.openedOn = day;
        seen.origin = readOrigin();
      }
      if (known !== undefined) return;
      filings.set(judgement.key, seen);
      if (filings.size > MOST_KEYS) forgetOld();
    },
    list(): { listing: Listing; origin: Origin | undefined }[] {
      return [...filings]
        .map(([key, { all, origin }]) => ({ key, origin, merged: mergeFilings(all, undefined, false) }))
        .filter((one) => one.merged !== undefined)
        .map(({ key, origin, merged }) => ({ key, origin, ...merged! }))
        .sort(
          (a, b) =>
            compareCodeUnits(b.filedOn, a.filedOn) ||
            compareCodeUnits(a.name, b.name) ||
            compareCodeUnits(a.key, b.key),
        )
        .slice(0, LISTINGS_SHOWN)
        .map(({ name, category, neighborhood, filedOn, origin, ...rest }) => {
          const status = deriveStatus(rest, today);
          return { listing: { name, category, neighborhood, status, filing_date: filedOn }, origin };
        });
    },
  };
}

/** Returns the day of the first opening or, without openings, of the last update. */
function findFirstDay(filings: readonly Filing[]): Day {
  const opened = filings.filter(({ kind }) => kind === 'opening') as Extract<Filing, { kind: 'opening' }>[];
  if (opened.length > 0) return opened.map(({ filedOn }) => filedOn).sort()[0]!;
  return filings
    .map(({ termOn }) => termOn)
    .sort()
    .at(-1)!;
}

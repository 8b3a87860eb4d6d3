/** Reads the data that is served now, and what its answers have in common: their version and their caveats. */

import { hash } from 'node:crypto';
import type { Day, Instant } from '../../shared/day.ts';
import { EVERYTHING, formatList } from '../../shared/question.ts';
import { formatNumber } from '../../shared/text/numbers.ts';
import { findRecentUndecided, type UndecidedDays } from '../../shared/undecided.ts';
import type { ListingIndex } from '../search/index/open.ts';
import type { Caveat, ServedData, Services } from './context.ts';
import { makeEtag } from './etags.ts';

/** Formats an instant for responses, without fractions of a second. */
export function formatInstant(instant: Instant | null): string | null {
  return instant === null ? null : `${instant.slice(0, 19)}Z`;
}

/** Returns a function that reads the served data. Before the first index, that function returns `undefined`. */
export function openDataReader(services: Services): () => ServedData | undefined {
  const { index, dataAsOf, version, city, publicUrl, mayEmbed } = services;
  // all that a body may depend on besides the data
  const configuration = makeEtag(JSON.stringify([version, city, publicUrl, mayEmbed]));
  let data: ServedData | undefined;
  return () => {
    const current = index();
    if (current === undefined) return undefined;
    const shownAsOf = formatInstant(dataAsOf());
    if (data?.index === current && data.dataAsOf === shownAsOf) return data;
    const listings = `${current.version} ${current.day}`;
    const undecided = services.leftOut?.()?.undecided ?? new Map<Day, number>();
    const leftOut = hash('sha256', JSON.stringify([...undecided]));
    data = {
      index: current,
      dataAsOf: shownAsOf,
      undecided,
      caveats: listCaveats(current, undecided),
      // the time is left out, because an import may find nothing new
      listingsVersion: hash('sha256', listings).slice(0, 7),
      makeEtag: (text, isDated = true) =>
        makeEtag(`${configuration} ${listings} ${leftOut} ${isDated && shownAsOf} ${text}`),
    };
    return data;
  };
}

function listCaveats(index: ListingIndex, undecided: UndecidedDays): Caveat[] {
  const { latestFiling } = index;
  if (latestFiling === null) return [];
  const years = findRecentUndecided(undecided, latestFiling, (days) =>
    index.count({ ...EVERYTHING, ...days }),
  );
  if (years.length === 0) return [];
  const said = formatList(years.map(([year, rows]) => `${formatNumber(rows)} of ${year}`));
  const detail = `Applications that are pending, denied or withdrawn are not counted: ${said}. Counts of the newest year are too low beside those of the year before.`;
  return [{ code: 'recent-skips', detail, by_year: Object.fromEntries(years) }];
}

/** `one-status`: everything would be closed, or everything open although a column tells otherwise. */

import { rememberTexts } from '../../city/mapping/cells.ts';
import { readStatusWord } from '../statuses.ts';
import type { Evidence } from './evidence.ts';
import { type FindingCheck, isMoreThan, listNames, makeFinding } from './finding.ts';

/** Of the openings: so many say "closed" in a column that is not read. */
const CLOSED_SHARE = 0.05;
const FEWEST = 50;

export function openStatusCheck({ status }: Evidence): FindingCheck {
  const counts = { open: 0, other: 0, saysClosed: 0 };
  const readWord = rememberTexts(readStatusWord);
  return {
    see(opening, cell, { weight }) {
      if (opening.status === 'open') counts.open += weight;
      else if (opening.status !== 'unknown') counts.other += weight;
      const word = status === undefined ? 'unknown' : readWord(cell(status));
      if (word === 'closed' || word === 'abandoned') counts.saysClosed += weight;
    },
    find(openings) {
      const { open, other, saysClosed: count } = counts;
      if (openings >= FEWEST && open === 0 && other > openings * 0.99)
        return [makeFinding('allClosed', { count: openings, of: openings })];
      if (status === undefined || other > 0 || !isMoreThan(CLOSED_SHARE, count, openings)) return [];
      return [makeFinding('allOpen', { count, of: openings, values: { column: listNames([status]) } })];
    },
  };
}

/** `one-status`: everything would be closed, or everything open although a column tells otherwise. */

import { rememberTexts } from '../../city/mapping/cells.ts';
import { readStatusWord } from '../statuses.ts';
import type { Evidence } from './evidence.ts';
import { type FindingCheck, formatOpenings, isMoreThan, makeFinding } from './finding.ts';

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
      const { open, other, saysClosed } = counts;
      const word = 'status' as const;
      if (openings >= FEWEST && open === 0 && other > openings * 0.99) {
        const detail = `none of the ${openings.toLocaleString('en')} openings is open`;
        const fix = 'name the words that mean "open" (status: open), or the right column of the end (ended)';
        return [makeFinding('one-status', 'stop', { count: openings, of: openings, detail, fix, word })];
      }
      if (status === undefined || other > 0 || !isMoreThan(CLOSED_SHARE, saysClosed, openings)) return [];
      const detail = `all openings are open, although "${status}" says of ${formatOpenings(saysClosed, openings)} that they are closed`;
      const fix = `read the status from "${status}" (status)`;
      return [makeFinding('one-status', 'stop', { count: saysClosed, of: openings, detail, fix, word })];
    },
  };
}

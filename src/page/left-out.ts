/** Says how many rows of a register are left out of the listings, and why. */

import type { Localization } from '../shared/city/localization.ts';
import { isKnownWord } from '../shared/city/page-words.ts';
import type { LeftOut } from '../shared/report.ts';
import { toSingular } from '../shared/text/word-forms.ts';
import { splitWords } from '../shared/words.ts';
import type { PageLayout } from './page-layout.ts';

/** Minimum rows of a reason on the page. With fewer, the reason could identify a business. */
const FEWEST_ROWS = 10;

/** Returns a sentence with the number of rows left out, or `''`. */
export function describeLeftOut({ localization }: PageLayout, leftOut: LeftOut): string {
  const { total } = sumLeftOut(leftOut);
  return total === 0 ? '' : localization.count('facts.left', total, { read: leftOut.read });
}

/** Returns a sentence about the rows whose reason has all words of a search, such as `landlords`, or `''`. */
export function describeAskedReason({ localization }: PageLayout, leftOut: LeftOut, q: string): string {
  const { say, list } = localization;
  const words = splitWords(q).map(toSingular);
  const asked = sumLeftOut(leftOut)
    .reasons.map(([reason, n]) => ({ reason: sayReason(localization, reason), n, why: `why.${reason}` }))
    .filter(({ reason }) => {
      const known = new Set(splitWords(reason).map(toSingular));
      return words.every((word) => known.has(word));
    })
    .map(({ reason, n, why }) =>
      isKnownWord(why)
        ? say('nothing.reason.why', { reason, n, why: say(why) })
        : say('nothing.reason', { reason, n }),
    );
  return asked.length === 0 ? '' : say('nothing.asked', { read: leftOut.read, reasons: list(asked) });
}

/**
 * Returns the number of all rows left out, and the reasons with at least `FEWEST_ROWS` rows, most frequent first. All
 * reasons for businesses that never opened count as one.
 */
export function sumLeftOut({ skipped, rejected }: LeftOut): { total: number; reasons: [string, number][] } {
  const rows = new Map<string, number>();
  for (const [reason, n] of skipped) {
    const name = reason.replace(/^never opened: .*/, 'never opened');
    rows.set(name, (rows.get(name) ?? 0) + n);
  }
  const reasons = [...rows].toSorted(([, a], [, b]) => b - a);
  const total = reasons.reduce((sum, [, n]) => sum + n, rejected);
  return { total, reasons: reasons.filter(([, n]) => n >= FEWEST_ROWS) };
}

/** Translates the reasons that every mapping can have. Profiles define the texts of all others. */
export function sayReason({ say, day }: Localization, reason: string): string {
  const [, before] = /^filed before (\d{4}-\d\d-\d\d)$/.exec(reason) ?? [];
  if (before !== undefined) return say('reason.filed before', { day: day(before) });
  const word = `reason.${reason}`;
  return isKnownWord(word) ? say(word) : reason;
}

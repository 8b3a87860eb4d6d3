/**
 * A county's register of assumed names ("doing business as", fictitious business names): to be copied and filled in.
 *
 * Publisher   A county clerk or recorder. No bulk feed is known to us: the operator exports what the county's search gives, as CSV with the
 *             columns below, and pulls it with --from. Some counties want an account (Bexar: register, then Instrument Type "Assumed
 *             Name"), some use a vendor's portal (`*.tx.publicsearch.us`), some keep paper (San Diego, New York County). Online may lag behind
 *             the counter (Denton; Contra Costa: "may be a few days old due to index verification").
 * Licence     Public records of the state; copying whole registers may be restricted by the vendor's terms. Fill in.
 * Delivers    A snapshot: an export of all the years one wants to list. An index may drop entries four years after expiry
 *             (California, Business and Professions Code section 17925).
 * Written from statutes and clerks' pages; Wendmark County does not exist.
 *
 * What a row is: one instrument. The columns are what clerks' indexes hold: FILE NUMBER, INSTRUMENT, ASSUMED NAME, FILED, and CITY and ZIP
 * of the place of business where the county shows them.
 * - OPENING. A certificate or statement (`Assumed Name`, `DBA`, `Fictitious Business Name Statement`, `Certificate`, `New`).
 * - RE-FILED. `Renewal`, `Refile`, `Amendment`, `Change of ...`: updates. In Texas a material change is a NEW certificate (Business and Commerce
 *   Code 71.152); in California a statement cannot be amended, only filed again. Neither makes a business new: the key is the name
 *   and its ZIP (or city), so that a second certificate of the same name folds into the first.
 * - ENDS. `Abandonment` is abandoned (optional in Texas, 71.153; Midland: "It is not necessary to abandon"); `Discontinuance` (New York) and
 *   `Cancellation` are closed. `Withdrawal` of one partner leaves the business open: an update of nothing.
 * - EXPIRES. Texas: at most ten years (71.151). California: five years from filing, or 40 days after a change of facts. TERM_YEARS says which.
 * - SEVERAL NAMES on one statement come as several rows of one FILE NUMBER: each name is a listing.
 * - PEOPLE. These are registers of people: registrants' names and homes are in them. A name that is only a person's is skipped; the
 *   registrant is not a column here and must not become one.
 * - KIND. No such column exists anywhere: the words of the name alone, `Uncategorized` for the rest.
 * - NEIGHBORHOOD is the city of the place of business, often a PO box's; else the ZIP; else unknown.
 * Missing: what the business does; whether it ever opened (a name may be reserved and never used); companies under their own name.
 */

import {
  csv,
  type Day,
  defineCity,
  keyOf,
  kindOf,
  looksPersonal,
  opening,
  PERSONAL_NAME,
  parseDay,
  type Row,
  reject,
  type Status,
  skip,
  source,
  tidyName,
  update,
  type Verdict,
} from 'shingle/city';

/** 10 in Texas, 5 in California. */
const TERM_YEARS: number = 10;

const COLUMNS = ['FILE NUMBER', 'INSTRUMENT', 'ASSUMED NAME', 'FILED', 'CITY', 'ZIP'] as const;

const ENDS: [words: RegExp, status: Status | undefined][] = [
  [/abandon/i, 'abandoned'],
  [/discontinu|cancel|dissol/i, 'closed'],
  [/withdraw/i, undefined], // of one partner: the business goes on
];
const AGAIN = /renew|re-?fil|amend|change|correct/i;
const FIRST = /assumed|fictitious|dba|d\/b\/a|doing business|certificate|statement|^new$|original/i;

export default defineCity({
  name: 'Wendmark County',
  region: 'fill in the state',
  timeZone: 'America/Chicago',
  sources: [
    source({
      id: 'assumed-names',
      publisher: 'Fill in: the county clerk',
      homepage: 'https://example.org/fill-in',
      licence: 'Fill in: public record, and the terms of whoever gives it out',
      checked: 'documentation',
      from: csv(),
      delivers: 'snapshot',
      accepts: { 'coarse-neighborhoods': 'the profile is of a county: its towns are its neighborhoods' },
      columns: COLUMNS,
      verdict: judge,
    }),
  ],
});

function judge(row: Row<(typeof COLUMNS)[number]>): Verdict {
  const name = tidyName(row['ASSUMED NAME']);
  if (looksPersonal(name)) return skip(PERSONAL_NAME);
  const filedOn = parseDay(row.FILED, 'M/D/YYYY') ?? parseDay(row.FILED, 'YYYY-MM-DD');
  if (filedOn === undefined) return reject('no filing date');
  const key = keyOf(name, row.ZIP.slice(0, 5) || row.CITY);
  const ended = ENDS.find(([words]) => words.test(row.INSTRUMENT));
  if (ended !== undefined) {
    const [, status] = ended;
    return status === undefined ? skip('withdrawal of a partner') : update({ key, termOn: filedOn, status });
  }
  const expiresOn = lastDayOf(filedOn);
  if (AGAIN.test(row.INSTRUMENT)) return update({ key, name, termOn: filedOn, status: 'open', expiresOn });
  if (!FIRST.test(row.INSTRUMENT)) return skip(`not an assumed name: ${row.INSTRUMENT || 'no instrument'}`);
  return opening({
    key,
    name,
    category: kindOf({ name }),
    neighborhood: tidyName(row.CITY) || (row.ZIP && `ZIP ${row.ZIP.slice(0, 5)}`),
    status: 'open',
    filedOn,
    expiresOn,
  });
}

/** The same day of the year in which the term ends; 29 February ends on the 28th. */
function lastDayOf(filedOn: Day): Day {
  const year = Number(filedOn.slice(0, 4)) + TERM_YEARS;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const rest = filedOn.slice(4) === '-02-29' && !isLeap ? '-02-28' : filedOn.slice(4);
  return `${year}${rest}`;
}

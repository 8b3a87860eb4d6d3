/**
 * San Luis Obispo, California: business licences, an archive that the city gave out on request.
 *
 * Publisher   City of San Luis Obispo, business licences (a workbook, given for a public records request).
 * Address     https://www.slocity.org; the operator supplies the workbook by --from.
 * Licence     A public record of California. No terms of use are known to us: ask the city before you run this in public.
 * Delivers    A snapshot of 23,765 rows of March 2026: every licence there was, with its start and its end; a few start later.
 *
 * What a row is: one licence of one business, whatever became of it; nothing in it is a renewal.
 * - KEY. `Account #` is unique, but a shop that changes its owner or form has a new account: the hash of `DBA` and the house number and
 *   street of `Bus address`, so that it stays one listing (14 of the newest 500 would else be shops of years ago).
 * - FILED is `Start date`, text as M/D/YYYY; 76 rows have none and never started. 564 say 7/1/1982, where the register begins.
 * - CLOSED by `Close date`. 59 rows close before they start: rejected. A day to come (one says 2040) has not come.
 * - OUTSIDE. `Bus City, State` is where the business is; contractors of the whole state have a license: what is not in San Luis Obispo
 *   is skipped, more than a third of the rows and about half of the newest 500.
 * - LANDLORDS. `Rental- Residential`, `Rental- Commercial` and `Homestay`, and rates for rentals: licences to let, filed under owners'
 *   names and homes.
 * - PEOPLE. `DBA` is often the owner's name in another order: `Odile F. Fenwright` beside `Fenwright, Odile F`. A name that looks
 *   personal is skipped where it is made of the owner's names, or has a common given name or a person's title in it.
 * - NEIGHBORHOOD. None: the ZIP, shown as `ZIP 93401`. There are two: with boundaries or address points, place it closer.
 * - KIND is `Business type`, then `License description`, both official texts (the second as the applicant worded it), then the name.
 * - NOT SHOPS: vending machines, games.
 * Missing: neighborhoods.
 */

import {
  type At,
  defineCity,
  excel,
  isOwnersName,
  keyOf,
  kindOf,
  kindOfType,
  looksPersonal,
  opening,
  PERSONAL_NAME,
  parseDay,
  type Row,
  reject,
  skip,
  source,
  tidyName,
  type Verdict,
} from 'shingle/city';

const COLUMNS = [
  'DBA',
  'Business type',
  'Bus address',
  'Bus City, State',
  'Start date',
  'Close date',
  'Account #',
  'Owner Name 1',
  'License description',
  'Rate type (STD)',
] as const;

type Licence = Row<(typeof COLUMNS)[number]>;

const LANDLORD = /^(?:rental ?- ?(?:residential|commercial)|homestay)/i;
const LANDLORD_RATE = /^(?:residential rental|commercial rental|homestay)/i;
/** Words of the town that trade names begin with; elsewhere they may be surnames. */
const LOCAL = ['slo', 'obispo', 'osos', 'higuera'];
const COMPANY =
  /\b(?:llc|inc|incorporated|corp\w*|co|company|group|l?lp|ltd|partnership|foundation|bank|national|nonprofit|association|amc|professional|stores?)\b/i;
const MACHINES = /vending|coin operated games/i;

export default defineCity({
  name: 'San Luis Obispo',
  region: 'California',
  timeZone: 'America/Los_Angeles',
  asOf: '2026-03-31',
  archive: true,
  sources: [
    source({
      id: 'business-licenses',
      publisher: 'City of San Luis Obispo',
      homepage: 'https://www.slocity.org',
      license: 'Public record; no terms of use declared',
      checked: 'documentation',
      from: excel(),
      delivers: 'snapshot',
      accepts: { 'coarse-neighborhoods': 'the city has two ZIP codes, and the register names nothing finer' },
      columns: COLUMNS,
      verdict: judge,
    }),
  ],
});

function judge(row: Licence, at: At): Verdict {
  const sentence = skipped(row);
  if (sentence !== undefined) return skip(sentence);
  const filedOn = parseDay(row['Start date'], 'M/D/YYYY');
  if (filedOn === undefined)
    return row['Start date'] === '' ? skip('never started') : reject('no Start date');
  const closedOn = parseDay(row['Close date'], 'M/D/YYYY');
  if (closedOn === undefined && row['Close date'] !== '') return reject('no Close date');
  if (closedOn !== undefined && closedOn < filedOn) return reject('closes before it starts');
  const isClosed = closedOn !== undefined && closedOn <= at.today;
  return opening({
    key: keyOf(row.DBA, /^\S+ \S+/.exec(row['Bus address'])?.[0] ?? row['Account #']),
    name: tidyName(row.DBA),
    category: kindOf({
      code: kindOfType(row['Business type']),
      type: row['License description'],
      name: row.DBA,
    }),
    type: row['Business type'],
    neighborhood: /\b(\d{5})(?:-\d{4})?$/.exec(row['Bus City, State'])?.[1]?.replace(/^/, 'ZIP '),
    status: isClosed ? 'closed' : 'open',
    filedOn,
    termOn: isClosed ? closedOn : filedOn,
  });
}

/** Why a row opens nothing, if it does not. */
function skipped(row: Licence): string | undefined {
  if (!/^san luis obispo\b/i.test(row['Bus City, State'])) return 'outside the city';
  if (LANDLORD.test(row['Business type']) || LANDLORD_RATE.test(row['Rate type (STD)'])) return 'landlord';
  if (/\bhomestay\b/i.test(`${row.DBA} ${row['License description']}`)) return 'landlord';
  if (MACHINES.test(row['Business type'])) return 'machines';
  return isPersonal(row.DBA, row['Owner Name 1']) ? PERSONAL_NAME : undefined;
}

function isPersonal(name: string, owner: string): boolean {
  if (/\bsan luis\b/i.test(name) || COMPANY.test(name)) return false;
  if (isOwnersName(name, owner) && isPersonsName(owner)) return true;
  const isStrict = !isOwnersName(name, owner) || COMPANY.test(owner);
  return looksPersonal(name, { businessWords: LOCAL, isStrict });
}

/** `Fenwright, Odile F`; companies are owners too, mostly without a comma. */
function isPersonsName(owner: string): boolean {
  return /^[^,]+,\s*\S/.test(owner) && !COMPANY.test(owner);
}

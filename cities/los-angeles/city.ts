/**
 * Los Angeles, California: active businesses, monthly.
 *
 * Publisher   City of Los Angeles, Office of Finance, "Listing of Active Businesses" (`6rrh-rzua`).
 * Address     https://data.lacity.org/resource/6rrh-rzua.json (SODA 2.1; an app token is optional)
 * Licence     CC0 1.0. No restriction of use is named.
 * Delivers    A snapshot, monthly: some 497,000 rows in 2017, 16 columns. Every business whose owner has not told the Office of Finance
 *             that it ceased.
 * Written from the publisher's documentation; never run against the portal by us.
 *
 * What a row is: a place of business of an account; every row is an opening.
 * - KEY. `location_account` names the account and its location.
 * - FILED is `location_start_date`, as the owner declared it.
 * - STATUS. The list holds active businesses alone: open, but for a `location_end_date` that has passed. A closure is an absence, and
 *   absence closes nothing here: what vanished stays as it was. This city over-counts what is open.
 * - NAME. `dba_name` where there is one, else `business_name`, which for sole owners is a person's: skipped.
 * - KIND. `naics` (six digits, self-declared), then the words of the name.
 * - NEIGHBORHOOD. There is none: `council_district` (1 to 15; 0 lies outside the city: skipped) is the only area, shown as
 *   `Council District 4`. With boundaries of neighborhoods, `location_1` is a point: add it to `columns` and to the opening.
 * - `street_address` and the mailing address are not read.
 * Missing: when a business closed; who never registered.
 */

import {
  defineCity,
  kindOf,
  looksPersonal,
  opening,
  parseDay,
  type Row,
  reject,
  skip,
  socrata,
  source,
  tidyName,
  type Verdict,
} from 'shingle/city';

const COLUMNS = [
  'location_account',
  'business_name',
  'dba_name',
  'naics',
  'council_district',
  'location_start_date',
  'location_end_date',
] as const;

export default defineCity({
  name: 'Los Angeles',
  region: 'California',
  timeZone: 'America/Los_Angeles',
  sources: [
    source({
      id: 'active-businesses',
      publisher: 'City of Los Angeles, Office of Finance',
      homepage: 'https://data.lacity.org/d/6rrh-rzua',
      licence: 'CC0 1.0',
      checked: 'documentation',
      from: socrata({ host: 'data.lacity.org', dataset: '6rrh-rzua' }),
      delivers: 'snapshot',
      freshForHours: 24 * 45,
      accepts: { 'coarse-neighborhoods': 'the council district is the only area that the publisher gives' },
      columns: COLUMNS,
      verdict: (row, { today }) => judge(row, today),
    }),
  ],
});

function judge(row: Row<(typeof COLUMNS)[number]>, today: string): Verdict {
  const district = row.council_district.replace(/^0+(?=\d)/, '').replace(/\.0$/, '');
  if (district === '0') return skip('outside the city');
  const name = tidyName(row.dba_name || row.business_name);
  const isOwners = row.dba_name === '' || row.dba_name === row.business_name;
  if (isOwners && looksPersonal(name)) return skip('personal name');
  const filedOn = parseDay(row.location_start_date, 'YYYY-MM-DD');
  if (filedOn === undefined) return reject('no start date');
  const endedOn = parseDay(row.location_end_date, 'YYYY-MM-DD');
  return opening({
    key: row.location_account,
    name,
    category: kindOf({ naics: row.naics, name }),
    neighborhood: district && `Council District ${district}`,
    status: endedOn !== undefined && endedOn <= today ? 'closed' : 'open',
    filedOn,
  });
}

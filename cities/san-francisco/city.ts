/**
 * San Francisco, California: registered business locations, daily.
 *
 * Publisher   City and County of San Francisco, Treasurer & Tax Collector, "Registered Business Locations" (`g8m3-pdis`).
 * Address     https://data.sfgov.org/resource/g8m3-pdis.json (SODA 2.1; an app token is optional)
 * Licence     Open Data Commons Public Domain Dedication and Licence (PDDL). No restriction of use is named.
 * Delivers    A snapshot of about 364,000 rows (mid-2026): a row is one LOCATION of a business, several to a business.
 * Written from the publisher's documentation and from notes of people who built on it; never run against the portal by us.
 *
 * What a row is: every row is an opening of a location; nothing in it is a renewal.
 * - KEY. `uniqueid` names a location. `$offset` paging has been seen to give a `uniqueid` twice: it folds.
 * - FILED is `location_start_date`: the day the business began at these premises, as it was declared. There is no date of filing.
 * - CLOSED by any of `location_end_date`, `dba_end_date` and `administratively_closed`. The last is a text ("no filing or contact for
 *   three years", or told by another department): any value closes. About 40,000 dormant accounts were closed in one sweep in 2018,
 *   and only accounts active in 2014 were carried over from the system before.
 * - NEIGHBORHOOD is the publisher's own column, `neighborhoods_analysis_boundaries` (41 names).
 * - OUTSIDE. Businesses elsewhere that trade in the city are registered too: CITY is free text; what does not say San Francisco is
 *   skipped, an empty CITY is taken for the city.
 * - LANDLORDS register a building as a business (`2077-2095 Hayes St Commercials`): a name that is an address range, or a house
 *   number followed by `Commercials`, `Apartments`, `Apts`, `Properties`. `25 Lusk` is a restaurant and stays.
 * - PEOPLE. A sole owner without a trade name stands in DBA_NAME with the owner's own name: skipped. `full_business_address`, the mailing
 *   address and `ownership_name` where there is a trade name are not kept.
 * - KIND. `self_reported_naics_code` is filled for about a third of the rows and 4 % of a year's new ones (the three older `naic*`
 *   columns were dropped in July 2026); it was once a range (`4400-4599`: the first two digits stand). Then the words of the name; then
 *   `lic`: H25, H26 and H86 are food permits. H31 is tobacco, which every corner shop has, and says nothing.
 * Missing: closures that nobody filed; businesses without a registration; the day somebody filed.
 */

import {
  type Category,
  defineCity,
  kindOf,
  looksPersonal,
  opening,
  PERSONAL_NAME,
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
  'uniqueid',
  'ownership_name',
  'dba_name',
  'city',
  'dba_end_date',
  'location_start_date',
  'location_end_date',
  'administratively_closed',
  'self_reported_naics_code',
  'lic',
  'neighborhoods_analysis_boundaries',
] as const;

type Location = Row<(typeof COLUMNS)[number]>;

const LANDLORD = /^\d+\s*-\s*\d+\s+\w|^\d+\s.*\b(?:commercials?|apartments?|apts?|properties)\b/i;
const FOOD = /\bH(?:25|26|86)\b/;

export default defineCity({
  name: 'San Francisco',
  region: 'California',
  timeZone: 'America/Los_Angeles',
  sources: [
    source({
      id: 'business-locations',
      publisher: 'City and County of San Francisco, Treasurer & Tax Collector',
      homepage: 'https://data.sfgov.org/d/g8m3-pdis',
      licence: 'Open Data Commons Public Domain Dedication and Licence (PDDL)',
      terms: 'https://opendatacommons.org/licenses/pddl/1-0/',
      checked: 'documentation',
      from: socrata({ host: 'data.sfgov.org', dataset: 'g8m3-pdis' }),
      delivers: 'snapshot',
      freshForHours: 72,
      columns: COLUMNS,
      verdict: (row, { today }) => judge(row, today),
    }),
  ],
});

function judge(row: Location, today: string): Verdict {
  if (row.city !== '' && !/^san\s*francisco\b|^s\.?\s?f\.?$/i.test(row.city)) return skip('outside the city');
  const trade = row.dba_name || row.ownership_name;
  const name = tidyName(trade);
  if (LANDLORD.test(name)) return skip('landlord');
  const isOwners = row.dba_name === '' || row.dba_name.toLowerCase() === row.ownership_name.toLowerCase();
  if (isOwners && looksPersonal(name)) return skip(PERSONAL_NAME);
  const filedOn = parseDay(row.location_start_date, 'YYYY-MM-DD');
  if (filedOn === undefined) return reject('no start date');
  const ended = [row.location_end_date, row.dba_end_date].map((text) => parseDay(text, 'YYYY-MM-DD'));
  const isClosed =
    row.administratively_closed !== '' || ended.some((day) => day !== undefined && day <= today);
  return opening({
    key: row.uniqueid,
    name,
    category: kindIn(row, name),
    neighborhood: row.neighborhoods_analysis_boundaries,
    status: isClosed ? 'closed' : 'open',
    filedOn,
  });
}

function kindIn(row: Location, name: string): Category {
  const naics = row.self_reported_naics_code.replace(/^(\d\d)\d\d-\d+$/, '$1');
  return kindOf({ naics, name, broad: FOOD.test(row.lic) ? 'Restaurants' : undefined });
}

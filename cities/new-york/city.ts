/**
 * New York, New York: licences of the Department of Consumer and Worker Protection.
 *
 * Publisher   City of New York, DCWP, "Issued Licenses" (`w7w3-xahh`; formerly "Legally Operating Businesses").
 * Address     https://data.cityofnewyork.us/resource/w7w3-xahh.json (SODA 2.1; an app token is optional)
 * Licence     NYC Open Data terms of use (https://opendata.cityofnewyork.us/overview/#termsofuse): no restriction of use is
 *             named; the city warrants nothing.
 * Delivers    A snapshot, about daily.
 * Written from published notes about the data set; never run against the portal by us.
 *
 * What a row is: one licence of one business or person; a renewal keeps its number, so every row is an opening.
 * - HEADERS changed: older exports say `DCA License Number`, `License Creation Date`, the present API `license_nbr`,
 *   `license_creation_date`, `lic_expir_dd`. A column that is renamed again fails the run.
 * - KEY is `license_nbr`. A business with two licences has two listings: `business_unique_id` names the business in every
 *   borough it works in, not its premises.
 * - FILED is `license_creation_date`.
 * - PEOPLE. `license_type` is `Business` or `Individual`: licences of individuals (vendors, guides, drivers' schools' staff) are skipped.
 * - STATUS. `Active` is open until `lic_expir_dd`; `Inactive`, `Expired`, `Revoked`, `Suspended`, `Surrendered` and what else ends one
 *   is closed, but `Expired`, which is expired.
 * - NEIGHBORHOOD is the borough, `address_borough`; `Outside NYC` is skipped. With boundaries of neighborhoods, `longitude` and
 *   `latitude` place it closer: add them to `columns` and to the opening.
 * - KIND is `business_category` (`Tobacco Retail Dealer`, `Laundries`) where it means one kind, else the words of the name.
 * Missing: every trade that DCWP does not license: restaurants, shops in general, professions.
 */

import {
  type Category,
  defineCity,
  kindOf,
  looksPersonal,
  opening,
  parseDay,
  type Row,
  reject,
  type Status,
  skip,
  socrata,
  source,
  tidyName,
  type Verdict,
} from 'shingle/city';

const COLUMNS = [
  'license_nbr',
  'license_type',
  'license_status',
  'license_creation_date',
  'lic_expir_dd',
  'business_category',
  'business_name',
  'dba_trade_name',
  'address_borough',
] as const;

const STATUS = new Map(Object.entries<Status>({ active: 'open', expired: 'expired' }));

/** Where the category means one kind; the others are named by their names. */
const KINDS = new Map(
  Object.entries<Category>({
    laundries: 'Laundry & Tailoring',
    'industrial laundry': 'Laundry & Tailoring',
    'tobacco retail dealer': 'Liquor & Tobacco',
    'electronic cigarette dealer': 'Liquor & Tobacco',
    'garage and parking lot': 'Transportation & Delivery',
    'parking lot': 'Transportation & Delivery',
    garage: 'Transportation & Delivery',
    'secondhand dealer auto': 'Auto Sales & Parts',
    'used car dealer': 'Auto Sales & Parts',
    'electronics store': 'Specialty Retail',
    'electronic store': 'Specialty Retail',
    newsstand: 'Specialty Retail',
    'stoop line stand': 'Grocery & Convenience',
    'home improvement contractor': 'Construction & Trades',
  }),
);

export default defineCity({
  name: 'New York',
  region: 'New York',
  timeZone: 'America/New_York',
  sources: [
    source({
      id: 'issued-licenses',
      publisher: 'City of New York, Department of Consumer and Worker Protection',
      homepage: 'https://data.cityofnewyork.us/d/w7w3-xahh',
      licence: 'NYC Open Data terms of use',
      checked: 'documentation',
      from: socrata({ host: 'data.cityofnewyork.us', dataset: 'w7w3-xahh' }),
      delivers: 'snapshot',
      freshForHours: 96,
      columns: COLUMNS,
      verdict: judge,
    }),
  ],
});

function judge(row: Row<(typeof COLUMNS)[number]>): Verdict {
  if (row.license_type.toLowerCase() === 'individual') return skip('licence of an individual');
  if (row.address_borough.toLowerCase() === 'outside nyc') return skip('outside the city');
  const name = tidyName(row.dba_trade_name || row.business_name);
  const isOwners = row.dba_trade_name === '' || row.dba_trade_name === row.business_name;
  if (isOwners && looksPersonal(name)) return skip('personal name');
  const filedOn = parseDay(row.license_creation_date, 'YYYY-MM-DD');
  if (filedOn === undefined) return reject('no creation date');
  return opening({
    key: row.license_nbr,
    name,
    category: kindOf({ code: KINDS.get(row.business_category.toLowerCase()), name }),
    neighborhood: row.address_borough,
    status:
      row.license_status === '' ? 'unknown' : (STATUS.get(row.license_status.toLowerCase()) ?? 'closed'),
    filedOn,
    expiresOn: parseDay(row.lic_expir_dd, 'YYYY-MM-DD'),
  });
}

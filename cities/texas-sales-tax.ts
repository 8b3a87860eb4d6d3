/**
 * What the Texas cities share: sales-tax permits of the Comptroller of Public Accounts, "All Permitted Sales Tax Locations"
 * (`3kx8-uryv`): about 1,452,890 rows, everything active in the last 48 months, public domain, no key needed.
 *
 * What a row is: one place of one taxpayer that holds (or held) a permit; every row is an opening.
 * - KEY. `tp_number` and `loc_number`; the active-only list (`jrea-zgmq`) calls them taxpayer and outlet number.
 * - FILED is `permit_date`. `first_sales_date` may lie before or after.
 * - STATUS. `out_of_business_date` set and past: closed. It can be cleared again when a business reopens: then it is open again.
 * - COUNTY. `loc_county` is NOT padded here (`15` is Bexar); `015` gives no rows at all and no error. In `jrea-zgmq` it is padded.
 * - CITY. A postal city is not the city limits: of 14,013 rows that say LUBBOCK, 55 lie in other counties. So county and city together.
 * - NAICS is a NUMBER at the portal (`starts_with` fails), self-assigned and unaudited; new permits have none for a while.
 * - PEOPLE. A permit of a sole owner carries the owner's name: skipped unless `loc_name` is a trade name.
 * - NEIGHBORHOOD. No coordinates and no area: the ZIP is all there is, shown as `ZIP 78205`. An operator who knows better puts a `zips`
 *   table into the profile. `address_text` is not read.
 * Missing: who sells nothing taxable (offices, clinics, most services); neighborhoods.
 * Not checked against the portal by us.
 */

import {
  kindOf,
  looksPersonal,
  opening,
  parseDay,
  type Row,
  reject,
  type Source,
  skip,
  socrata,
  source,
  tidyName,
  type Verdict,
} from 'shingle/city';

const COLUMNS = [
  'tp_number',
  'tp_name',
  'loc_number',
  'loc_name',
  'loc_city',
  'loc_zip',
  'loc_county',
  'naics',
  'permit_date',
  'out_of_business_date',
] as const;

/** The permits of one city: `county` unpadded, `city` as the register spells it, in capitals. */
export function permitsOf(county: string, city: string): Source {
  return source({
    id: 'sales-tax-permits',
    publisher: 'Texas Comptroller of Public Accounts',
    homepage: 'https://data.texas.gov/d/3kx8-uryv',
    licence: 'Public domain (Texas public information)',
    checked: 'documentation',
    from: socrata({
      host: 'data.texas.gov',
      dataset: '3kx8-uryv',
      where: `loc_county='${county}' AND upper(loc_city)='${city}'`,
    }),
    delivers: 'snapshot',
    freshForHours: 24 * 14,
    columns: COLUMNS,
    verdict: (row, { today }) => judge(row, { today, county, city }),
  });
}

type Wanted = { today: string; county: string; city: string };

function judge(row: Row<(typeof COLUMNS)[number]>, { today, county, city }: Wanted): Verdict {
  if (row.loc_county.replace(/^0+/, '') !== county || row.loc_city.toUpperCase() !== city)
    return skip('outside the city');
  const name = tidyName(row.loc_name || row.tp_name);
  const isOwners = row.loc_name === '' || row.loc_name === row.tp_name;
  if (isOwners && looksPersonal(name)) return skip('personal name');
  const filedOn = parseDay(row.permit_date, 'YYYY-MM-DD');
  if (filedOn === undefined) return reject('no permit date');
  const endedOn = parseDay(row.out_of_business_date, 'YYYY-MM-DD');
  return opening({
    key: row.tp_number && row.loc_number && `${row.tp_number}-${row.loc_number}`,
    name,
    category: kindOf({ naics: row.naics.replace(/\.0$/, ''), name }),
    neighborhood: row.loc_zip && `ZIP ${row.loc_zip.slice(0, 5)}`,
    status: endedOn !== undefined && endedOn <= today ? 'closed' : 'open',
    filedOn,
  });
}

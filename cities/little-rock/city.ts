/**
 * Little Rock, Arkansas: business licences, an archive of April 2021.
 *
 * Publisher   City of Little Rock, "Business Licenses" on the city's open data.
 * Address     https://data.littlerock.gov; the operator supplies the CSV by --from.
 * Licence     Not read by us: ask the city before you run this in public.
 * Delivers    A snapshot. Counts below are of 14,573 rows, the newest of 2021-04-26.
 *
 * What a row is: one classification of one account; a business with a beer permit and a tobacco permit has three rows.
 * - KEY. There is no number: the hash of `Business` and `Address`, so that 569 businesses with several rows are one listing each.
 * - FILED is `ACCOUNT START DATE`, M/D/YY with two-digit years; all are of 1987 to 2021, so the pivot is 2029. 1,044 rows say
 *   1/1/87, where the register begins: their day is not known, and they are skipped.
 * - PERMITS (896 rows of Category `PERMITS`: beer, tobacco, mixed drink) stand beside a licence and open nothing.
 * - OUTSIDE. 1,605 rows say another town in `City` (North Little Rock is one): skipped. Mabelvale and Alexander are post towns, partly
 *   in the city: skipped too, because the address does not tell.
 * - NEIGHBORHOOD. None: by `Address`, once you give the profile `boundaries` and `addresses` (docs/adding-a-city.md). Until then
 *   the twelve ZIP areas of the city stand in, and are called `ZIP 72209`; `zips` says so. An address that is a post office box is
 *   no premises: `Unknown`.
 * - PEOPLE. There is no owner's column. `REAL ESTATE` (2,176 rows) is mostly landlords, half of them under their own names or
 *   trusts: whatever looks personal is skipped there. Elsewhere names are mostly of trades: skipped only with a common given name
 *   or a person's title in it. Measured on this file by `test/register/cities/registers.test.ts`.
 * - STATUS. No column tells it: open. What ends vanishes, and absence closes nothing.
 * - KIND is `Classification`, an official text; `Category` above it says less and is not read for it.
 * - NOT SHOPS: vending machines, peddlers, seasonal vendors, trucks that sell.
 * Missing: closures; neighborhoods; the first day of the businesses of before 1987.
 */

import {
  csv,
  defineCity,
  keyOf,
  kindOf,
  looksPersonal,
  opening,
  PERSONAL_NAME,
  parseDay,
  type Row,
  reject,
  skip,
  source,
  tidyName,
  update,
  type Verdict,
} from 'shingle/city';

const COLUMNS = [
  'Classification',
  'Category',
  'Business',
  'Address',
  'City',
  'Zip',
  'ACCOUNT START DATE',
] as const;

type Account = Row<(typeof COLUMNS)[number]>;

const NO_SHOP = new Map([
  ['VENDING MACHINES', 'vending machines'],
  ['PEDDLERS', 'peddler'],
  ['SEASONAL VENDORS - OPERATIVE 3 MONTHS OR LESS', 'seasonal vendor'],
  ['TRUCKS/VEHICLES - SALES FROM', 'sales from a vehicle'],
]);

const ZIP_AREAS = '72201 72202 72204 72205 72206 72207 72209 72210 72211 72212 72223 72227'.split(' ');

/** Where the register begins: the start of whatever was there before. */
const UNKNOWN_START = '1987-01-01';

export default defineCity({
  name: 'Little Rock',
  region: 'Arkansas',
  timeZone: 'America/Chicago',
  asOf: '2021-04-26',
  archive: true,
  zips: Object.fromEntries(ZIP_AREAS.map((zip) => [zip, `ZIP ${zip}`])),
  sources: [
    source({
      id: 'business-licenses',
      publisher: 'City of Little Rock',
      homepage: 'https://data.littlerock.gov',
      license: 'Not declared where we looked: ask the city',
      checked: 'documentation',
      from: csv(),
      delivers: 'snapshot',
      columns: COLUMNS,
      verdict: judge,
    }),
  ],
});

function judge(row: Account): Verdict {
  if (!/^little rock$/i.test(row.City)) return skip('outside the city');
  const noShop = NO_SHOP.get(row.Classification);
  if (noShop !== undefined) return skip(noShop);
  const filedOn = parseDay(row['ACCOUNT START DATE'], 'M/D/YY', { pivot: 2029 });
  if (filedOn === undefined) return reject('no account start date');
  if (filedOn === UNKNOWN_START) return skip('start date not known (1/1/87)');
  const business = withoutGlue(row.Business);
  if (isPersonal(business, row.Classification)) return skip(PERSONAL_NAME);
  const key = keyOf(business, row.Address);
  if (row.Category === 'PERMITS') return update({ key, termOn: filedOn });
  return opening({
    key,
    name: tidyName(business),
    category: kindOf({ type: row.Classification, name: business }),
    type: row.Classification,
    ...(isPostBox(row.Address) ? {} : { address: row.Address, zip: row.Zip, town: row.City }),
    status: 'open',
    filedOn,
  });
}

/** The register joined two lines of long names: `ROLAND LAWNCARE & LANDSCAPINGLLC`. */
function withoutGlue(business: string): string {
  return business.replace(/(?<=\w{3})(P?LLC|LLP|INC)$/, ' $1');
}

function isPersonal(business: string, classification: string): boolean {
  if (classification !== 'REAL ESTATE') return looksPersonal(business, { isStrict: true });
  return (
    looksPersonal(business) ||
    /\b(?:family|living|revoc\w*|rev\.?|vivos)\b.*\btr(?:ust)?\b|\bestate of\b/i.test(business)
  );
}

function isPostBox(address: string): boolean {
  return /\bP\.? ?O\.? ?(?:BOX|DRAWER)\b/i.test(address);
}

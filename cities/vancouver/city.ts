/**
 * Vancouver, British Columbia: business licences.
 *
 * Publisher   City of Vancouver, "Business licences" on the city's open data portal.
 * Address     https://opendata.vancouver.ca/explore/dataset/business-licences/; the portal's CSV, with semicolons.
 * Licence     Open Government Licence - Vancouver. It asks for the notice below.
 * Delivers    A snapshot. Counts below are of an extract of 2025-10-04: 3,385 restaurants' licences of 2024 and 2025.
 *
 * What a row is: one licence of one year. `LicenceNumber` begins with the year (`24-148301`), so that every renewal has a new one.
 * - KEY is the hash of the name that is shown, the house number and the area: the same in every year, although the street is spelt `ST`
 *   or `STREET` and `Ltd` comes and goes. The years of one shop fold into one listing at its earliest licence, also where its owner
 *   changes (20 of the newest 500 would else be there twice); a shop with a new name is a new listing, whoever owns it.
 * - HEADERS. Older exports say `BusinessTradeName`, today's `businesstradename`: both are read.
 * - FILED is `IssuedDate`, a moment with its offset (`2024-01-16T14:37:35-08:00`): the city's day. Licences of a year are issued from
 *   November before it, so that a business that was there before the first year of the file looks as if it opened then. The first
 *   pull is a baseline and no news.
 * - EXPIRES at the end of the year, `ExpiredDate`; a renewal moves it.
 * - STATUS. `Issued` is open until it expires; `Gone Out of Business`, `Cancelled` and `Inactive` are closed; `Pending` has not opened.
 * - NEIGHBORHOOD is `LocalArea` (22).
 * - OUTSIDE. `City` other than Vancouver is skipped.
 * - PEOPLE. `BusinessName` is the legal name, which is a person's for sole proprietors, in brackets. It is shown only where there is no
 *   trade name, and skipped where it looks personal. A trade name is skipped only where it is that person's own name too.
 * - KIND is `BusinessType` with its `BusinessSubType`, official texts (`Restaurant`, `Class 1 no liquor service`).
 * Missing: what closed before 2024; businesses that need no licence.
 */

import {
  csv,
  dayAt,
  defineCity,
  isOwnersName,
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
  type Verdict,
} from 'shingle/city';

const TIME_ZONE = 'America/Vancouver';

const COLUMNS = [
  'BusinessName',
  'BusinessTradeName',
  'Status',
  'IssuedDate',
  'ExpiredDate',
  'BusinessType',
  'BusinessSubType',
  'House',
  'City',
  'LocalArea',
] as const;

type Licence = Row<(typeof COLUMNS)[number]>;

const LEGAL_FORM = /[\s,.]+(?:ltd|inc|corp|co|limited|incorporated|corporation|company|llp)\.?$/i;

const STATUS = new Map(
  Object.entries<Status>({
    Issued: 'open',
    'Gone Out of Business': 'closed',
    Cancelled: 'closed',
    Inactive: 'closed',
  }),
);

export default defineCity({
  name: 'Vancouver',
  region: 'British Columbia',
  timeZone: TIME_ZONE,
  language: 'en-CA',
  sources: [
    source({
      id: 'business-licences',
      publisher: 'City of Vancouver',
      homepage: 'https://opendata.vancouver.ca/explore/dataset/business-licences/',
      license: 'Open Government Licence - Vancouver',
      terms: 'https://opendata.vancouver.ca/pages/licence/',
      notice: 'Contains information licensed under the Open Government Licence – Vancouver.',
      checked: 'documentation',
      from: csv({
        url: 'https://opendata.vancouver.ca/api/explore/v2.1/catalog/datasets/business-licences/exports/csv?delimiter=%3B',
        delimiter: ';',
      }),
      delivers: 'snapshot',
      accepts: {
        'current-licenses':
          'the licences of two years: those of one shop are merged, and what was there at first is no news',
      },
      freshForHours: 96,
      columns: COLUMNS,
      aliases: Object.fromEntries(COLUMNS.map((column) => [column, [column.toLowerCase()]])),
      verdict: judge,
    }),
  ],
});

function judge(row: Licence): Verdict {
  if (row.City !== '' && !/^vancouver$/i.test(row.City)) return skip('outside the city');
  const filedOn = dayAt(row.IssuedDate, TIME_ZONE) ?? parseDay(row.IssuedDate, 'YYYY-MM-DD');
  if (row.Status === 'Pending') return skip('never opened: Pending', filedOn);
  const status = STATUS.get(row.Status);
  if (status === undefined) return reject('unknown Status');
  if (isPersonal(row)) return skip(PERSONAL_NAME);
  if (filedOn === undefined) return status === 'open' ? reject('no IssuedDate') : skip('never issued');
  return opening({
    key: keyOf(shopName(row), row.House, row.LocalArea),
    name: tidyName(row.BusinessTradeName || row.BusinessName),
    category: kindOf({
      type: `${row.BusinessType} ${row.BusinessSubType}`,
      name: row.BusinessTradeName || row.BusinessName,
    }),
    type: `${row.BusinessType} ${row.BusinessSubType}`,
    neighborhood: row.LocalArea,
    status,
    filedOn,
    expiresOn: parseDay(row.ExpiredDate, 'YYYY-MM-DD'),
  });
}

/** The name that a shop keeps from year to year, without the forms and spaces that come and go. */
function shopName({ BusinessName: legal, BusinessTradeName: trade }: Licence): string {
  return (trade || legal).replace(LEGAL_FORM, '').replace(/\s+/g, '');
}

function isPersonal({ BusinessName: legal, BusinessTradeName: trade }: Licence): boolean {
  if (trade === '') return looksPersonal(legal.replace(/[()]/g, ''));
  return isOwnersName(trade, legal) && looksPersonal(legal.replace(/[()]/g, ''));
}

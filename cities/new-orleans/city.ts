/**
 * New Orleans, Louisiana: occupational business licences, daily.
 *
 * Publisher   City of New Orleans, "Occupational Business Licenses" (`hjcd-grvu`), some 37,900 rows in 2026.
 * Address     https://data.nola.gov/resource/hjcd-grvu.json (SODA 2.1; an app token is optional)
 * Licence     Not read by us for this data set; the city declares its sibling "Active Occupational Licenses" (`iqay-p646`, active ones
 *             only, some 16,500 rows) CC0 1.0. Ask the city before you run this in public.
 * Delivers    A snapshot.
 * Written from published notes about the data set; never run against the portal by us.
 *
 * What a row is: one licence of one business; every row is an opening.
 * - KEY is `businesslicensenumber`.
 * - HEADERS. The API has `businessname`, the portal's CSV `BusinessName`: both are read, days as `YYYY-MM-DD` or `M/D/YYYY`.
 * - FILED is `businessstartdate`. The city licenses ahead: days up to half a year in the future occur; those more than 90 days ahead
 *   are rejected until their time has come nearer.
 * - STATUS. No column tells it: open. What ends vanishes, and absence closes nothing: this city over-counts what is open.
 * - NAME. `businessname`; on some rows it is empty and the trade name stands in `ownername`. A name from there that is only a person's is
 *   skipped. `ownername` is otherwise not kept; `businessphone` and `address` are not read.
 * - OUTSIDE. About a sixth of the rows lie outside the parish: CITY other than New Orleans is skipped, an empty one is not.
 * - KIND. `businesstype` is a description of some 490 values in words (`Graphic Design Services`): read as an official type, then the name.
 * - NEIGHBORHOOD. None: the ZIP, shown as `ZIP 70130`. With boundaries of neighborhoods, `longitude` and `latitude` (0, 0 where not
 *   geocoded) place it: add them to `columns` and to the opening.
 * Missing: closures; neighborhoods.
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
  'businesslicensenumber',
  'businessname',
  'ownername',
  'businesstype',
  'businessstartdate',
  'city',
  'zip',
] as const;

/** The portal's CSV spells the same columns otherwise: download it, or read the API. */
const ALIASES = {
  businesslicensenumber: ['BusinessLicenseNumber'],
  businessname: ['BusinessName'],
  ownername: ['OwnerName'],
  businesstype: ['BusinessType'],
  businessstartdate: ['BusinessStartDate'],
  city: ['City'],
  zip: ['Zip'],
};

export default defineCity({
  name: 'New Orleans',
  region: 'Louisiana',
  timeZone: 'America/Chicago',
  sources: [
    source({
      id: 'occupational-licenses',
      publisher: 'City of New Orleans',
      homepage: 'https://data.nola.gov/d/hjcd-grvu',
      licence: 'Not declared where we looked: ask the city',
      checked: 'documentation',
      from: socrata({ host: 'data.nola.gov', dataset: 'hjcd-grvu' }),
      delivers: 'snapshot',
      freshForHours: 96,
      rejectedShare: 0.05, // licences that begin more than 90 days ahead are ordinary here
      columns: COLUMNS,
      aliases: ALIASES,
      verdict: judge,
    }),
  ],
});

function judge(row: Row<(typeof COLUMNS)[number]>): Verdict {
  if (row.city !== '' && !/^new\s+orleans$/i.test(row.city)) return skip('outside the city');
  const name = tidyName(row.businessname || row.ownername);
  const isOwners = row.businessname === '' || row.businessname === row.ownername;
  if (isOwners && looksPersonal(name)) return skip('personal name');
  const filedOn =
    parseDay(row.businessstartdate, 'YYYY-MM-DD') ?? parseDay(row.businessstartdate, 'M/D/YYYY');
  if (filedOn === undefined) return reject('no start date');
  return opening({
    key: row.businesslicensenumber,
    name,
    category: kindOf({ type: row.businesstype, name }),
    neighborhood: row.zip && `ZIP ${row.zip.slice(0, 5)}`,
    status: 'open',
    filedOn,
  });
}

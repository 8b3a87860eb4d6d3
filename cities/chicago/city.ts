/**
 * Chicago, Illinois: business licences, daily.
 *
 * Publisher   City of Chicago, Department of Business Affairs and Consumer Protection, "Business Licenses" (`r5kz-chrr`),
 *             2002 to today, one row for each term of each licence. An active-only view exists (`uupf-x98q`): not used, for
 *             it drops what closed.
 * Address     https://data.cityofchicago.org/api/views/r5kz-chrr/rows.csv?accessType=DOWNLOAD
 * Licence     https://www.chicago.gov/city/en/narr/foia/data_disclaimer.html: the notice below, word for word, where the
 *             service can be reached; users indemnify the city; the city may end the use "for any reason".
 * Boundaries  98 neighborhoods, property `name`, as many projects use them. The city's own (`bbvz-uum9`) are the same under
 *             `pri_neigh`; community areas (`igwz-8jzy`) are 77.
 * Headers     The portal's CSV export (`DATE ISSUED`, days as MM/DD/YYYY), not the API's (`date_issued`).
 * Counts below are of a random sample of 10,000 rows, 2002 to 2020-07.
 *
 * What a row is: one term of one licence of one site of an account.
 * - KEY. ACCOUNT NUMBER and SITE NUMBER: a business at its premises, whatever number of licences it holds there.
 * - TYPE. `ISSUE` (2,192) is a first licence; `RENEW` (7,656), `C_LOC` (moved, 130), `C_EXPA`, `C_SBA`, `C_CAPA` are updates. A move
 *   places a known listing anew; the other updates speak of status and expiry alone.
 * - FILED is DATE ISSUED: not the application, nor the start of the term, which may lie weeks on.
 * - TERM. The term that runs longest speaks: LICENSE TERM EXPIRATION DATE, also the day it expires (nobody files expiry: of
 *   the sample's openings 116 had not expired on 2020-07-15). A cancelled or revoked licence ended on LICENSE STATUS CHANGE DATE,
 *   so a shop that gives back one licence of several stays open. 1 row has no expiration: then DATE ISSUED orders it.
 * - STATUS. `AAI` issued and `REA` revocation appealed: open; `AAC` cancelled and `REV` revoked: closed.
 * - NO SHOP. Peddlers, street performers, raffles, special events, valet parking, shared housing, and permits of persons (massage
 *   therapists, pharmaceutical representatives, expediters, certificates of fitness) are skipped for every type of application.
 * - OUTSIDE. CITY other than CHICAGO (736 rows): home repairers, suppliers and lessors licensed to work in the city from
 *   elsewhere. They open no premises here. Not `WEST CHICAGO`, `NORTH CHICAGO`, `CHICAGO RIDGE`, which are towns.
 * - PEOPLE. LEGAL NAME equal to DOING BUSINESS AS NAME and only a person's: skipped. ADDRESS is not read
 *   (47 times `[REDACTED FOR PRIVACY]`).
 * - SPELLING. `Tire Facilty Class I`, `fruits and vegtables only`: the city's.
 * - KIND. The licence description where it means one kind; else the activity (empty on 5,324); else the name. `Retail Food
 *   Establishment` covers restaurants and groceries alike: only then `Restaurants`.
 * Missing: professions licensed by the state (doctors, lawyers, barbers' own licences), offices that need no licence; 775 rows
 * have no coordinates. Addresses were filled in for old rows on 2025-09-25: they change without a new term.
 */

import {
  csv,
  defineCity,
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
import { BROAD, EXACT, kindOfActivity, NO_SHOP } from './kinds.ts';

const COLUMNS = [
  'ACCOUNT NUMBER',
  'SITE NUMBER',
  'LEGAL NAME',
  'DOING BUSINESS AS NAME',
  'CITY',
  'LICENSE DESCRIPTION',
  'BUSINESS ACTIVITY',
  'APPLICATION TYPE',
  'LICENSE TERM EXPIRATION DATE',
  'DATE ISSUED',
  'LICENSE STATUS',
  'LICENSE STATUS CHANGE DATE',
  'LATITUDE',
  'LONGITUDE',
] as const;

type Term = Row<(typeof COLUMNS)[number]>;

const STATUS = new Map(Object.entries<Status>({ AAI: 'open', REA: 'open', AAC: 'closed', REV: 'closed' }));
const MOVED = 'C_LOC';
const UPDATES = new Set(['RENEW', MOVED, 'C_CAPA', 'C_EXPA', 'C_SBA']);

export default defineCity({
  name: 'Chicago',
  region: 'Illinois',
  timeZone: 'America/Chicago',
  boundaries: {
    url: 'https://raw.githubusercontent.com/blackmad/neighborhoods/master/chicago.geojson',
    property: 'name',
  },
  // names that residents use and the map lacks; some are of more than one of its neighborhoods
  alsoCalled: {
    Loop: ['Downtown'],
    'River North': ['Near North Side'],
    Streeterville: ['Near North Side'],
    'Gold Coast': ['Near North Side'],
    'Near South Side': ['South Loop'],
    'Printers Row': ['South Loop'],
    'West Loop': ['Near West Side', 'Fulton Market'],
    'United Center': ['Near West Side'],
    'Little Italy, UIC': ['Near West Side', 'University Village'],
    'Lower West Side': ['Pilsen'],
    'Little Village': ['South Lawndale', 'La Villita'],
    'New City': ['Back of the Yards', 'Canaryville'],
    Douglas: ['Bronzeville'],
    'Grand Boulevard': ['Bronzeville'],
    'Grand Crossing': ['Greater Grand Crossing'],
    'Chicago Lawn': ['Marquette Park'],
    'Garfield Park': ['East Garfield Park', 'West Garfield Park'],
    'North Center': ['Roscoe Village'],
    'Lincoln Square': ['Ravenswood'],
    'Sheffield & DePaul': ['DePaul'],
    Boystown: ['Northalsted'],
    'West Ridge': ['West Rogers Park', 'Little India'],
    'Magnificent Mile': ['Mag Mile'],
    'Millenium Park': ['Millennium Park'],
  },
  sources: [
    source({
      id: 'business-licenses',
      publisher: 'City of Chicago, Department of Business Affairs and Consumer Protection',
      homepage: 'https://data.cityofchicago.org/Community-Economic-Development/Business-Licenses/r5kz-chrr',
      license: 'City of Chicago data terms of use',
      terms: 'https://www.chicago.gov/city/en/narr/foia/data_disclaimer.html',
      notice:
        'This site provides applications using data that has been modified for use from its original source, www.cityofchicago.org, the official website of the City of Chicago.  The City of Chicago makes no claims as to the content, accuracy, timeliness, or completeness of any of the data provided at this site.  The data provided at this site is subject to change at any time.  It is understood that the data provided at this site is being used at one’s own risk.',
      checked: 'documentation',
      from: csv({ url: 'https://data.cityofchicago.org/api/views/r5kz-chrr/rows.csv?accessType=DOWNLOAD' }),
      delivers: 'snapshot',
      freshForHours: 24 * 4,
      accepts: {
        'date-choice':
          'DATE ISSUED is the day of the first licence; the earlier days are steps of its application, before the business may open',
      },
      columns: COLUMNS,
      verdict: judge,
    }),
  ],
});

function judge(row: Term): Verdict {
  const sentence = skipped(row);
  if (sentence !== undefined) return skip(sentence);
  const status = STATUS.get(row['LICENSE STATUS']);
  const filedOn = parseDay(row['DATE ISSUED'], 'M/D/YYYY');
  if (status === undefined) return reject('unknown LICENSE STATUS');
  if (filedOn === undefined) return reject('no DATE ISSUED');
  if (row['ACCOUNT NUMBER'] === '' || row['SITE NUMBER'] === '') return reject('no account or site number');
  if (row['APPLICATION TYPE'] === 'ISSUE') return opened(row, status, filedOn);
  if (UPDATES.has(row['APPLICATION TYPE'])) return renewed(row, status, filedOn);
  return reject('unknown APPLICATION TYPE');
}

/** Why a row is neither an opening nor an update, if it is not. */
function skipped(row: Term): string | undefined {
  const noShop = NO_SHOP.get(row['LICENSE DESCRIPTION']);
  if (noShop !== undefined) return noShop;
  if (row.CITY.toUpperCase() !== 'CHICAGO') return 'outside the city';
  return row['LEGAL NAME'] === nameOf(row) && looksPersonal(nameOf(row), { businessWords: ['chicago'] })
    ? PERSONAL_NAME
    : undefined;
}

function opened(row: Term, status: Status, filedOn: string): Verdict {
  const description = row['LICENSE DESCRIPTION'];
  return opening({
    ...term(row, status, filedOn),
    name: tidyName(nameOf(row)),
    category: kindOf({
      code: EXACT.get(description) ?? kindOfActivity(row['BUSINESS ACTIVITY']),
      name: nameOf(row),
      broad: BROAD.get(description),
    }),
    type: description,
    point: pointOf(row),
    filedOn,
  });
}

function renewed(row: Term, status: Status, filedOn: string): Verdict {
  const moved = row['APPLICATION TYPE'] === MOVED;
  return update({ ...term(row, status, filedOn), ...(moved && { point: pointOf(row) }) });
}

/** What a term says of status and expiry, and the day that orders it among the others. */
function term(row: Term, status: Status, filedOn: string) {
  const expiresOn = parseDay(row['LICENSE TERM EXPIRATION DATE'], 'M/D/YYYY');
  const ended = status === 'closed' ? parseDay(row['LICENSE STATUS CHANGE DATE'], 'M/D/YYYY') : undefined;
  return {
    key: `${row['ACCOUNT NUMBER']}-${row['SITE NUMBER']}`,
    status,
    termOn: ended ?? expiresOn ?? filedOn,
    expiresOn,
  };
}

function pointOf(row: Term) {
  return { longitude: row.LONGITUDE, latitude: row.LATITUDE };
}

function nameOf(row: Term): string {
  return row['DOING BUSINESS AS NAME'] || row['LEGAL NAME'];
}

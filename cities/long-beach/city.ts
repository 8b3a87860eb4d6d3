/**
 * Long Beach, California: business licences, an archive of October 2016.
 *
 * Publisher   City of Long Beach, "Business Licenses" on the city's ArcGIS open data.
 * Address     https://data.longbeach.gov and https://maps.longbeach.gov; today's layer is
 *             services6.arcgis.com/yCArG7wGXGyWLqav/.../Business_Licenses_Public_View/FeatureServer/0 (paged, 2,000 rows).
 *             This profile reads a CSV of the 2016 layer, longitude and latitude added: the operator supplies it by --from.
 * Licence     The city's MapsLB terms of use: copying, adapting and redistributing are granted; no use may suggest
 *             that the city endorses it. Read second hand, not agreed with the city: read them before you publish.
 * Boundaries  24 neighborhoods, property `name`, supplied by --boundaries (or as neighborhoods.geojson beside this file). The
 *             city's own layer (.../Neighborhoods/FeatureServer/0) has 126, under NEIGHBOR_NAME.
 *             The file spells California Heights `Californial Heights`.
 * Counts below are of the 89,245 rows of 2016-10-06.
 *
 * What a row is: one licence. LICENSENO is unique, but a licence is not a business at a place:
 * - KEY. 62,522 rows that are no landlords share name and site in 6,116 groups of together 16,386 rows: agents and booth
 *   holders are licensed each under their office's or shop's name at its address (131 licences of one estate agency,
 *   130 of them `Real Estate Agent`; 61 of one night club). The key is the hash of name and SITELOCATION: one listing
 *   each, and the address is kept nowhere. A shop that changes hands without changing its name stays one listing.
 * - FILED is LICENSEDTTM. ISSDTTM is not read: the city says most start dates are projected openings; they run from
 *   1753-11-01 to 2106-07-01.
 * - TERM. A licence that runs, runs today; one that ended, ended on its MILESTONEDATE. So a closed booth does not close a
 *   shop that still has a licence.
 * - STATUS. The city counts `Active`, `CollcInBus`, `Expired`, `Reactivate`, `Conditionl` as in business, so an
 *   expired licence is an open business here and EXPDTTM is not read (440 `Active` rows are past it).
 *   `Pending` is served as unknown: of the licences filed from 2008 to 2012, at most 1 % never opened and under 1 % are still
 *   pending, so nearly all open. Left out, they were 30 % of the filings of 2016 to October and 9 % of the same days of 2015:
 *   the listings of 2016 stood 18 % below those of 2015 instead of 2 % above. `Denied`, `Void`, `Deleted`, `Withdrawn` never
 *   opened. `TEST TEST` and `test` are mostly `Void`; what is left of them is skipped.
 * - REASON. `New License`, `Change of Ownership` open; `Change of Address`, `Residential Transfer`, `Commerical Transfer`
 *   (so spelt) and `Renewal` do not. A moved business therefore has no listing at its new address unless a licence opened
 *   there too, and the one at its old address closes: 7,121 rows. The 20 rows without a reason date from 2015-08 to 2016-06;
 *   those that opened are taken as openings.
 * - LANDLORDS. `Rental ??? Residential Property` and `Rental ??? Non-Residential Property` (26,723 rows: apartment houses,
 *   space rental, warehousing, room and board) are licences to let, filed under building addresses.
 * - NAMES. DBANAME is empty on 40,061 rows; then FULLNAME, which is a person's for sole owners: skipped. Small claims
 *   cases and number plates are glued in (about 350 rows): `MI ... 12S0nnnn DIS PIF`, `CASE#02S0nnnn`, `ICE CREAM LIC#5Tnnnnn`,
 *   or between given and family name, `13D0nnnn DISM`: they are cut out. `99?? STORE` was a cent sign.
 * Missing: businesses outside the city (2 rows), licences that ended before 1986 (no milestone is older).
 */

import {
  type At,
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
  type Status,
  skip,
  source,
  tidyName,
  update,
  type Verdict,
} from 'shingle/city';
import { BROAD, EXACT, NO_SHOP } from './kinds.ts';

const COLUMNS = [
  'LONGITUDE',
  'LATITUDE',
  'APPLICATIONREASONDESC',
  'CLASSDESC',
  'COMPANYTYPE',
  'DBANAME',
  'FULLNAME',
  'LICCATDESC',
  'LICENSEDTTM',
  'LICSTATUS',
  'MILESTONEDATE',
  'SITELOCATION',
] as const;

type Licence = Row<(typeof COLUMNS)[number]>;

const STATUS = new Map(
  Object.entries<Status>({
    Active: 'open',
    CollcInBus: 'open',
    Expired: 'open',
    Reactivate: 'open',
    Conditionl: 'open',
    Inactive: 'closed',
    ClosedWBal: 'closed',
    Revoked: 'closed',
    Pending: 'unknown',
    Suspended: 'unknown',
    Appealed: 'unknown',
  }),
);

/** Parts of the town that trade names begin with; elsewhere they are surnames. */
const LOCAL = ['long', 'bixby', 'belmont', 'lakewood', 'socal', 'lb'];

const NEVER_OPENED = new Set(['Denied', 'Void', 'Deleted', 'Withdrawn']);

/** Whether a reason opens a business. */
const OPENS = new Map(
  Object.entries<boolean>({
    '': true,
    'New License': true,
    'Change of Ownership': true,
    'Change of Address': false,
    'Residential Transfer': false,
    'Commerical Transfer': false,
    Renewal: false,
  }),
);

/** `12S0nnnn DIS PIF`, `*03S0nnnn*`, `CASE#02S0nnnn`, `LIC# 5Tnnnnn`, `P04S0nnnn JU`: court cases and number plates. */
const NOTE =
  /[*#(]*\s*(?:CASE\s*#?|LIC\s*#?)?\s*\b[A-Z]?\d{1,2}[A-Z]\d{5}\b[*)]*(?:[\s-]*\b(?:JU|DIS|DISM\w*|PIF|SATIS\w*|LOST)\b)*/gi;

export default defineCity({
  name: 'Long Beach',
  region: 'California',
  timeZone: 'America/Los_Angeles',
  asOf: '2016-10-06',
  archive: true,
  boundaries: {
    file: 'neighborhoods.geojson',
    property: 'name',
    names: { 'Californial Heights': 'California Heights' },
  },
  alsoCalled: { 'California Heights': ['Cal Heights'], 'Circle Area': ['Traffic Circle'] },
  sources: [
    source({
      id: 'business-licenses',
      publisher: 'City of Long Beach',
      homepage: 'https://data.longbeach.gov',
      license: 'City of Long Beach MapsLB terms of use',
      terms: 'https://maps.longbeach.gov',
      checked: 'documentation',
      from: csv(),
      delivers: 'snapshot',
      columns: COLUMNS,
      verdict: judge,
    }),
  ],
});

function judge(row: Licence, at: At): Verdict {
  const sentence = skipped(row);
  if (sentence !== undefined) return skip(sentence);
  const status = STATUS.get(row.LICSTATUS);
  const opens = OPENS.get(row.APPLICATIONREASONDESC);
  if (status === undefined) return reject('unknown LICSTATUS');
  if (opens === undefined) return reject('unknown APPLICATIONREASONDESC');
  return said(row, { status, opens, today: at.today });
}

/** Why a row is neither an opening nor an update, if it is not. */
function skipped(row: Licence): string | undefined {
  if (row.CLASSDESC.startsWith('Rental ')) return 'landlord';
  if (NO_SHOP.has(row.LICCATDESC)) return NO_SHOP.get(row.LICCATDESC);
  if (NEVER_OPENED.has(row.LICSTATUS)) return `never opened: ${row.LICSTATUS}`;
  if (/^test(?: test)?$/i.test(nameOf(row))) return 'test row';
  return isPersonal(row) ? PERSONAL_NAME : undefined;
}

function said(row: Licence, is: { status: Status; opens: boolean; today: string }): Verdict {
  const name = nameOf(row);
  const filedOn = parseDay(row.LICENSEDTTM, 'YYYY-MM-DD');
  const milestone = parseDay(row.MILESTONEDATE, 'YYYY-MM-DD');
  if (filedOn === undefined) return reject('no LICENSEDTTM');
  if (milestone === undefined) return reject('no MILESTONEDATE');
  const term = {
    key: keyOf(name, row.SITELOCATION),
    status: is.status,
    termOn: is.status === 'closed' ? milestone : is.today,
  };
  if (!is.opens) return update(term);
  return opening({
    ...term,
    name: tidyName(name),
    category: kindOf({ code: EXACT.get(row.LICCATDESC), name, broad: BROAD.get(row.LICCATDESC) }),
    type: row.LICCATDESC,
    point: { longitude: row.LONGITUDE, latitude: row.LATITUDE },
    filedOn,
  });
}

function nameOf(row: Licence): string {
  return withoutNotes(row.DBANAME) || withoutNotes(row.FULLNAME);
}

function withoutNotes(name: string): string {
  if (!/\d{5}|\s{2}|[^\S ]/.test(name)) return name;
  return name.replace(NOTE, ' ').replace(/\s+/g, ' ').trim();
}

/** Only a person's name: no trade name, or one made of the owner's own names (`ODILE FENWRIGHT` of `ODILE F FENWRIGHT`). */
function isPersonal(row: Licence): boolean {
  if (row.COMPANYTYPE === 'CORP' || row.COMPANYTYPE === 'LLC') return false;
  const owner = withoutNotes(row.FULLNAME).split(/[^\p{L}]+/u);
  const trade = withoutNotes(row.DBANAME);
  const words = trade.split(/[^\p{L}]+/u).filter((word) => word !== '');
  return (
    words.every((word) => owner.includes(word)) &&
    looksPersonal(trade || owner.join(' '), { businessWords: LOCAL })
  );
}

/**
 * Chicago, Illinois: business licences over the portal's API, daily. The rules are those of `../chicago`, which reads the portal's CSV; read
 * its dossier for what a row is, the terms of use and what is missing.
 *
 * Address     https://data.cityofchicago.org/resource/r5kz-chrr.json (SODA 2.1; an app token is optional)
 * Headers     The API's names (`date_issued`), not the CSV's (`DATE ISSUED`); days as `2024-05-06T00:00:00.000`.
 * Neighborhood The API has columns for it, `neighborhood` and `community_area_name`, so no boundaries are needed. A move (`C_LOC`)
 *             takes the listing along.
 * Changes     On 2025-09-25 addresses were filled in for old rows, which changes `:updated_at` of many at once: then all is read again.
 * Written from the publisher's documentation; never run against the portal by us.
 */

import { defineCity, parseDay, type Row, socrata, source, tidyName, type Verdict } from 'shingle/city';
import chicago, { judge, type Term } from '../chicago/city.ts';

const COLUMNS = [
  'account_number',
  'site_number',
  'legal_name',
  'doing_business_as_name',
  'city',
  'license_description',
  'business_activity',
  'application_type',
  'expiration_date',
  'date_issued',
  'license_status',
  'license_status_change_date',
  'neighborhood',
  'community_area_name',
] as const;

type Licence = Row<(typeof COLUMNS)[number]>;

const [licences] = chicago.sources;

export default defineCity({
  name: chicago.name,
  region: chicago.region,
  timeZone: chicago.timeZone,
  sources: [
    source({
      id: 'business-licenses',
      publisher: licences!.publisher,
      homepage: licences!.homepage,
      licence: licences!.licence,
      terms: licences!.terms!,
      notice: licences!.notice!,
      checked: 'documentation',
      from: socrata({ host: 'data.cityofchicago.org', dataset: 'r5kz-chrr' }),
      delivers: 'snapshot',
      freshForHours: 24 * 4,
      columns: COLUMNS,
      verdict: (row) => placed(judge(termOf(row)), row),
    }),
  ],
});

/** The row as the portal's CSV would have it. */
function termOf(row: Licence): Term {
  return {
    'ACCOUNT NUMBER': row.account_number,
    'SITE NUMBER': row.site_number,
    'LEGAL NAME': row.legal_name,
    'DOING BUSINESS AS NAME': row.doing_business_as_name,
    CITY: row.city,
    'LICENSE DESCRIPTION': row.license_description,
    'BUSINESS ACTIVITY': row.business_activity,
    'APPLICATION TYPE': row.application_type,
    'LICENSE TERM EXPIRATION DATE': asCsv(row.expiration_date),
    'DATE ISSUED': asCsv(row.date_issued),
    'LICENSE STATUS': row.license_status,
    'LICENSE STATUS CHANGE DATE': asCsv(row.license_status_change_date),
    LATITUDE: '',
    LONGITUDE: '',
  };
}

function asCsv(text: string): string {
  const day = parseDay(text, 'YYYY-MM-DD');
  return day === undefined ? '' : `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}`;
}

/** An opening and a move say where; other updates leave the place as it is. */
function placed(verdict: Verdict, row: Licence): Verdict {
  if (verdict.kind === 'skip' || verdict.kind === 'reject' || verdict.facts.point === undefined)
    return verdict;
  const { point: _, ...facts } = verdict.facts;
  const neighborhood = row.neighborhood || tidyName(row.community_area_name);
  return { ...verdict, facts: { ...facts, neighborhood } } as Verdict;
}

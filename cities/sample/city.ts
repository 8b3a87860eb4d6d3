/**
 * Otterfall, Wendmark: the sample city. There is no such place; every business, person and street in it is made up by
 * `generate.ts`. It is written like a real profile, to be copied: a dossier first, then what a row means.
 *
 * Publisher   The (fictional) Wendmark county clerk: assumed-name certificates, with coordinates of the premises.
 * Files       `export/`: the whole register up to 2 October 2026. `news/`: what was filed since, a file a week.
 * Licence     CC0-1.0.
 *
 * - INSTRUMENT says what a row is. ORIGINAL opens a business; a second ORIGINAL for the same name and premises is a
 *   re-filing. RENEWAL and AMENDMENT change it, ABANDONMENT ends it, WITHDRAWAL is one partner leaving: it goes on.
 * - FILE_NO names the instrument, not the business: the key is the name and the premises, as a hash, for the address is
 *   not to be kept.
 * - FILED_DATE is M/D/YYYY. The clerk writes 1/1/1900 where nobody knows; ingest rejects that for every city.
 * - EXPIRES_DATE is five years on; empty for instruments that end something.
 * - KIND_CODE is a NAICS code on about 70 % of rows, and `0`, `999999` or `N/A` on others: then the name must tell.
 * - BUSINESS_NAME is in capitals. Where it is only a person's name, it is skipped. REGISTRANT is never read.
 * - LONGITUDE and LATITUDE are empty on one row in seven: then PREMISES leads to the point, by the town's list of addresses in
 *   `addresses.csv`. On 2 % there is neither but a post office box, on a few more 0/0 or a point out of town: `Unknown`.
 */

import {
  csv,
  defineCity,
  keyOf,
  kindOf,
  looksPersonal,
  opening,
  parseDay,
  reject,
  skip,
  source,
  tidyName,
  update,
} from 'shingle/city';

export default defineCity({
  name: 'Otterfall',
  region: 'Wendmark',
  timeZone: 'America/Chicago',
  accent: '#0b6e69',
  operator: { name: 'The Otterfall sample', contact: 'listings@otterfall.example' },
  asOf: '2026-10-10',
  boundaries: { file: 'boundaries.geojson', property: 'name' },
  addresses: { file: 'addresses.csv' },
  sources: [
    source({
      id: 'assumed-names',
      publisher: 'Wendmark County Clerk (fictional)',
      homepage: 'https://clerk.wendmark.example/assumed-names',
      licence: 'CC0-1.0',
      notice: 'Otterfall does not exist. Every business in this sample is made up.',
      checked: 'live',
      from: csv({ file: 'news' }),
      baseline: { file: 'export' },
      delivers: 'changes',
      columns: [
        'INSTRUMENT',
        'BUSINESS_NAME',
        'KIND_CODE',
        'FILED_DATE',
        'EXPIRES_DATE',
        'LONGITUDE',
        'LATITUDE',
        'PREMISES',
      ],
      verdict(row) {
        if (row.BUSINESS_NAME.startsWith('TEST FILING')) return skip('test filing');
        if (row.INSTRUMENT === 'WITHDRAWAL') return skip('withdrawal of a partner');
        if (looksPersonal(row.BUSINESS_NAME)) return skip('personal name');
        const filedOn = parseDay(row.FILED_DATE, 'M/D/YYYY');
        if (filedOn === undefined) return reject('no filing date');
        const key = keyOf(row.BUSINESS_NAME, row.PREMISES);
        const expiresOn = parseDay(row.EXPIRES_DATE, 'M/D/YYYY');
        switch (row.INSTRUMENT) {
          case 'RENEWAL':
          case 'AMENDMENT':
            return update({ key, termOn: filedOn, expiresOn });
          case 'ABANDONMENT':
            return update({ key, termOn: filedOn, status: 'abandoned' });
          case 'ORIGINAL':
            return opening({
              key,
              name: tidyName(row.BUSINESS_NAME),
              category: kindOf({ naics: row.KIND_CODE, name: row.BUSINESS_NAME }),
              point: { longitude: row.LONGITUDE, latitude: row.LATITUDE },
              address: row.PREMISES,
              status: 'open',
              filedOn,
              expiresOn,
            });
          default:
            return reject('unknown instrument');
        }
      },
    }),
  ],
});

/** A city for benchmarks only: every row of the Long Beach file becomes a listing, and rate limits are raised. */

import { csv, defineCity, kindOf, opening, parseDay, source, tidyName } from 'shingle/city';

export default defineCity({
  name: 'Bench',
  region: 'California',
  timeZone: 'America/Los_Angeles',
  operator: { name: 'Bench', contact: 'bench@shingle.example' },
  asOf: '2016-10-07',
  boundaries: { file: '../../shared/data/long-beach/neighborhoods.geojson', property: 'name' },
  limits: {
    burst: 1_000_000_000,
    rows: 1_000_000_000_000,
    signup: 1_000_000,
    connections: 1_000_000,
    confirmations: 1_000_000,
  },
  sources: [
    source({
      id: 'all-rows',
      publisher: 'City of Long Beach',
      homepage: 'https://data.longbeach.gov',
      license: 'public record',
      checked: 'documentation',
      from: csv(),
      delivers: 'snapshot',
      accepts: {
        'personal-names': 'every row counts here, and nobody is served',
        'not-storefronts': 'every row counts here',
        'repeated-businesses': 'the file is repeated to make as many rows as are wanted',
      },
      columns: [
        'LICENSENO',
        'DBANAME',
        'FULLNAME',
        'LICCATDESC',
        'LICSTATUS',
        'LICENSEDTTM',
        'LONGITUDE',
        'LATITUDE',
      ],
      verdict(row) {
        const name = row.DBANAME || row.FULLNAME;
        const isOpen = row.LICSTATUS === 'Active' || row.LICSTATUS === 'Expired';
        return opening({
          key: row.LICENSENO,
          name: tidyName(name),
          category: kindOf({ name: row.LICCATDESC }),
          type: row.LICCATDESC,
          point: { longitude: row.LONGITUDE, latitude: row.LATITUDE },
          status: isOpen ? 'open' : row.LICSTATUS === 'Pending' ? 'unknown' : 'closed',
          filedOn: parseDay(row.LICENSEDTTM, 'YYYY-MM-DD') ?? '2016-01-01',
        });
      },
    }),
  ],
});

/**
 * San Antonio, Texas: sales-tax permits. Publisher, licence, oddities and what is missing: see `../texas-sales-tax.ts`.
 *
 * County      Bexar County (15, unpadded: 015 gives no rows).
 */

import { defineCity } from 'shingle/city';
import { permitsOf } from '../texas-sales-tax.ts';

export default defineCity({
  name: 'San Antonio',
  region: 'Texas',
  timeZone: 'America/Chicago',
  sources: [permitsOf('15', 'SAN ANTONIO')],
});

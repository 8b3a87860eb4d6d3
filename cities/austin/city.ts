/**
 * Austin, Texas: sales-tax permits. Publisher, licence, oddities and what is missing: see `../texas-sales-tax.ts`.
 *
 * County      Travis County (227); the parts of the city in Williamson and Hays counties are left out.
 */

import { defineCity } from 'shingle/city';
import { permitsOf } from '../texas-sales-tax.ts';

export default defineCity({
  name: 'Austin',
  region: 'Texas',
  timeZone: 'America/Chicago',
  sources: [permitsOf('227', 'AUSTIN')],
});

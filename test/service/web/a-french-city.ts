/** A French city as the pack of France makes it, with listings that its own values name. */

import type { BuildRow } from '../../../src/service/search/index/build.ts';
import { CATEGORIES } from '../../../src/shared/city/categories.ts';
import { aRow } from '../search/made-up.ts';
import { AN_EDITION, CITY } from './a-door.ts';

export const FRENCH = {
  ...CITY,
  name: 'Le Port',
  region: 'France',
  timeZone: 'Europe/Paris',
  language: 'fr',
  operator: { name: 'Bibliothèque du Port', contact: 'fiches@port.example' },
  sources: [
    {
      ...CITY.sources[0]!,
      publisher: 'INSEE',
      license: 'Licence Ouverte 2.0',
      pack: 'France',
      homepage: 'https://data.port.example/sirene',
    },
  ],
};

const SHOPS = ['Au Petit Moulin', 'Chez Odile', 'Atelier du Quai', 'Maison Lavande', 'Les Trois Marées'];
const PLACES = ['Vieux Port', 'La Jetée', 'Les Tanneurs', null];
const STATUSES = ['open', 'open', 'closed', 'expired', 'abandoned', 'unknown'] as const;

/** Listings of all categories, on days of this year and the year before. */
export function frenchRows(count: number): BuildRow[] {
  return Array.from({ length: count }, (_, i) =>
    aRow({
      key: String(i),
      name: `${SHOPS[i % SHOPS.length]} ${i}`,
      category: CATEGORIES[(i * i) % CATEGORIES.length]!,
      neighborhood: PLACES[Math.floor(i / 3) % PLACES.length]!,
      status: STATUSES[i % STATUSES.length]!,
      filedOn: `${i % 3 === 0 ? 2025 : 2026}-${String(1 + (i % 10)).padStart(2, '0')}-${String(1 + (i % 20)).padStart(2, '0')}`,
      edition: AN_EDITION,
    }),
  );
}

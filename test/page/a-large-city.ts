/** Cities of the size and the shape of Long Beach: the real one, and one that is made up for machines without its filings. */

import { fileURLToPath } from 'node:url';
import { openService } from '../../src/app/operations/service.ts';
import type { City } from '../../src/register/profile/define.ts';
import type { BuildRow } from '../../src/service/search/index/build.ts';
import { openIndexBuilder } from '../../src/service/search/index/build.ts';
import { type ListingIndex, openIndex } from '../../src/service/search/index/open.ts';
import type { Outline } from '../../src/shared/city/outline.ts';
import { toDay, toDayNumber } from '../../src/shared/day.ts';
import { aRow, catalogueOf } from '../service/search/made-up.ts';
import { AN_EDITION, CITY } from '../service/web/a-door.ts';
import { configOf } from './a-sample.ts';

export type LargeCity = { city: City; catalogue: ListingIndex; outline: Outline };

const SIZE = 39_754;
const CATEGORIES = 49;
const NEIGHBORHOODS = 24;
const FIRST_DAY = toDayNumber('1916-11-01');
const LAST_DAY = toDayNumber('2016-10-06');
/** As long as the longest ones of Long Beach, and none of them can be broken at a space. */
const LONG = 'Wholesale/Manufacturing&Distribution';

/** A century of filings, most of them in its last decades. */
export function makeLargeCity(): LargeCity {
  const rows = Array.from({ length: SIZE }, (_, i) =>
    aRow({
      key: `${i}`,
      name: `${i % 7 === 0 ? 'INTERNATIONAL-TRANSPORTATION_SERVICES' : 'Shop'} ${i}`,
      category: `${i % CATEGORIES === 0 ? LONG : 'Kind'} ${i % CATEGORIES}`,
      neighborhood: i % 80 === 0 ? 'Unknown' : nameArea(i % NEIGHBORHOODS),
      status: (['open', 'closed', 'unknown'] as const)[i % 3]!,
      filedOn: toDay(Math.round(FIRST_DAY + (LAST_DAY - FIRST_DAY) * (i / (SIZE - 1)) ** 0.2)),
      ...(i >= SIZE - 60 && { edition: AN_EDITION }),
    }),
  );
  const areas = Array.from({ length: NEIGHBORHOODS }, (_, i) => {
    const [x, y] = [(i % 6) * 100, Math.floor(i / 6) * 100];
    return { name: nameArea(i), path: `M${x} ${y}h100v100h-100z`, x: x + 50, y: y + 50 };
  });
  return {
    city: { ...CITY, asOf: '2016-10-06' },
    catalogue: catalogueOf(rows, { day: '2016-10-06', editions: [AN_EDITION] }),
    outline: { width: 600, height: 400, areas },
  };
}

function nameArea(i: number): string {
  return i % 5 === 0 ? `North-of-the-Harbor District ${i}` : `District ${i}`;
}

/** The listings of Long Beach from its filings, in a folder that the caller removes. */
export async function readLongBeach(filings: string, dataFolder: string): Promise<LargeCity> {
  const service = await openService(configOf(dataFolder, { city: 'long-beach' }));
  try {
    const boundaries = fileURLToPath(new URL('neighborhoods.geojson', `file://${filings}`));
    await service.ingest({ from: filings, boundaries });
    const { listings } = service.store;
    const rows: BuildRow[] = [];
    for await (const batch of listings.listings()) rows.push(...batch);
    const builder = openIndexBuilder({
      version: '1',
      day: '2016-10-06',
      suppressed: [],
      editions: [{ edition: AN_EDITION, introduction: null }],
    });
    builder.add(rows.map((row, i) => (i < 60 ? { ...row, isNews: true, edition: AN_EDITION } : row)));
    return {
      city: { ...service.loaded.city, archive: false },
      catalogue: openIndex(builder.finish()),
      outline: JSON.parse((await listings.outline())!),
    };
  } finally {
    await service.close();
  }
}

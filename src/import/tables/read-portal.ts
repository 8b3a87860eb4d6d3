/** Reads the first rows of a portal's data set, for drafting. */

import type { MappedFormat } from '../../city/mapping/mapping.ts';
import { filterRecords, isRecord } from '../../listings/record.ts';
import type { TableBuilder } from '../../registers/table.ts';
import { flattenArcgisFeature, listFieldNames } from '../portals/arcgis.ts';
import { addQuery, fetchJson } from '../portals/portal.ts';
import { listRecordTexts } from '../readers/json.ts';
import type { PlaceOptions } from '../readers/place.ts';

const SOCRATA_ROWS = 5_000;
const ARCGIS_ROWS = 2_000;
const SOCRATA = /^https?:\/\/([^/]+)\/(?:.*\/)?([a-z0-9]{4}-[a-z0-9]{4})(?:\.json|\/about_data|\/data)?\/?$/i;

type PortalOptions = PlaceOptions & { timeZone: string };

/** Adds the first rows of a data set and answers the `from` of `city.yaml`; `undefined` if the place is not a portal. Throws `source`. */
export async function addPortalRows(
  place: string,
  rows: TableBuilder,
  options: PortalOptions,
): Promise<MappedFormat | undefined> {
  const [, host, dataset] = SOCRATA.exec(place) ?? [];
  if (host !== undefined && dataset !== undefined) {
    const address = new URL(`/resource/${dataset}.json`, place);
    const records = await fetchJson(addQuery(address, { $limit: SOCRATA_ROWS }), options);
    addRecords(filterRecords(records), rows);
    return { socrata: { host, dataset } };
  }
  if (!/^https?:.*\/(?:Feature|Map)Server\/\d+\/?$/i.test(place)) return undefined;
  addRecords(await readArcgis(place, options), rows);
  return { arcgis: place };
}

/** `--from` for a check of a portal that its profile names with https. */
export function findPortalPlace(place: string, from: MappedFormat): string | undefined {
  if (!place.startsWith('http:')) return undefined;
  return 'socrata' in from ? new URL(`/resource/${from.socrata.dataset}.json`, place).href : place;
}

async function readArcgis(place: string, options: PortalOptions): Promise<Record<string, unknown>[]> {
  const layer = await fetchJson(addQuery(new URL(place), { f: 'json' }), options);
  const dates = new Set(isRecord(layer) ? listFieldNames(layer, 'esriFieldTypeDate') : []);
  const query = new URL(`${place.replace(/\/+$/, '')}/query`);
  const asked = { where: '1=1', outFields: '*', resultRecordCount: ARCGIS_ROWS, outSR: 4326, f: 'json' };
  const answer = await fetchJson(addQuery(query, asked), options);
  return filterRecords(isRecord(answer) ? answer.features : []).map((feature) =>
    flattenArcgisFeature(feature, { dates, timeZone: options.timeZone }),
  );
}

export function addRecords(records: readonly Record<string, unknown>[], rows: TableBuilder): void {
  for (const record of records) {
    const texts = listRecordTexts(record);
    rows.addColumns(texts.map(([name]) => name));
    rows.addRow(texts);
  }
}

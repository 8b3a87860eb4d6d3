/**
 * Reads ArcGIS layers, paged by object ID (any server since 10.0). Dates are in milliseconds. Error responses may
 * have status 200.
 */

import { dayFromMs } from '../../city/parse-day.ts';
import { filterRecords, isRecord } from '../../listings/record.ts';
import { addQuery, type Page, type Portal, type Pulled, portalError, readVersion } from './portal.ts';

const ARCGIS_PAGE_ROWS = 1_000; // the default limit of servers; a layer may state a lower limit

type Layer = Awaited<ReturnType<typeof readLayer>>;

export async function pullArcgis(portal: Portal, where = '1=1'): Promise<Pulled> {
  const layer = await readLayer(portal);
  const fields = portal.selectFields([...layer.names, ...(layer.hasPoints ? ['longitude', 'latitude'] : [])]);
  const { edited } = layer;
  if (edited !== undefined && portal.known?.edited === edited) return 'same';
  const { count } = await queryLayer(portal, queryUrl(portal.address, { where, returnCountOnly: 'true' }));
  if (typeof count !== 'number') throw portalError(portal.address, 'the response has no record count');
  await portal.writePages(fields, fetchFeaturePages(portal, { layer, fields, where }), count);
  return { whole: true, mark: edited === undefined ? undefined : { edited } };
}

/** Requests a layer. Shows only the code of an error, because its text may quote the query. */
async function queryLayer(portal: Portal, address: URL): Promise<Record<string, unknown>> {
  const answer = await portal.get(address);
  if (!isRecord(answer.error)) return answer;
  const code = Number(answer.error.code);
  throw portalError(address, `the server returned error ${Number.isInteger(code) ? code : '(no number)'}`);
}

async function readLayer(portal: Portal) {
  const layer = await queryLayer(portal, addQuery(portal.address, { f: 'json' }));
  const [idField = layer.objectIdField] = listFieldNames(layer, 'esriFieldTypeOID');
  if (typeof idField !== 'string') throw portalError(portal.address, 'the layer has no object ID field');
  return {
    idField,
    names: listFieldNames(layer),
    dates: listFieldNames(layer, 'esriFieldTypeDate'),
    pageRows: Math.min(ARCGIS_PAGE_ROWS, Number(layer.maxRecordCount) || ARCGIS_PAGE_ROWS),
    edited: isRecord(layer.editingInfo) ? readVersion(layer.editingInfo.lastEditDate) : undefined,
    hasPoints: layer.geometryType === 'esriGeometryPoint',
  };
}

export function listFieldNames({ fields }: Record<string, unknown>, type?: string): string[] {
  const wanted = filterRecords(fields).filter((field) => type === undefined || field.type === type);
  return wanted.map(({ name }) => String(name));
}

export function queryUrl(layer: URL, parameters: Record<string, string | number>): URL {
  const url = new URL(layer);
  url.pathname = `${layer.pathname.replace(/\/+$/, '')}/query`;
  return addQuery(url, { ...parameters, f: 'json' });
}

/** Yields pages of records by object ID, so added or deleted records cause no repeats and no gaps. */
async function* fetchFeaturePages(
  portal: Portal,
  { layer, fields, where }: { layer: Layer; fields: readonly string[]; where: string },
): AsyncGenerator<Page> {
  const { idField, pageRows, names } = layer;
  const query = {
    outFields: [...new Set([idField, ...fields.filter((name) => names.includes(name))])].join(','),
    orderByFields: idField,
    resultRecordCount: pageRows,
    returnGeometry: String(layer.hasPoints),
    outSR: 4326,
  };
  let last = -1;
  for (let isLast = false; !isLast; ) {
    const page = { ...query, where: `(${where}) AND ${idField} > ${last}` };
    const answer = await queryLayer(portal, queryUrl(portal.address, page));
    const features = filterRecords(answer.features);
    const ids = features.map(({ attributes }) =>
      isRecord(attributes) ? Number(attributes[idField]) : Number.NaN,
    );
    const fresh = ids.filter((id) => id > last).length;
    if (fresh > 0 && fresh < ids.length) throw portalError(portal.address, 'the records are not in order');
    isLast = features.length === 0 || (features.length < pageRows && answer.exceededTransferLimit !== true);
    const records = features.map((feature) => flattenArcgisFeature(feature, layer.dates, portal.timeZone));
    yield { fresh: fresh === 0 ? [] : records, isLast: isLast && fresh === ids.length };
    last = ids.reduce((most, id) => Math.max(most, id), last);
  }
}

/** Flattens a feature to a record. Dates become local days, and a point becomes `longitude` and `latitude`. */
export function flattenArcgisFeature(
  { attributes, geometry }: Record<string, unknown>,
  dates: readonly string[],
  timeZone: string,
): Record<string, unknown> {
  const record: Record<string, unknown> = isRecord(attributes) ? { ...attributes } : {};
  for (const name of dates)
    if (typeof record[name] === 'number') record[name] = dayFromMs(record[name], timeZone) ?? '';
  const isPoint = isRecord(geometry) && 'x' in geometry;
  return isPoint ? { ...record, longitude: geometry.x, latitude: geometry.y } : record;
}

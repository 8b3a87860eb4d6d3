/**
 * Reads ArcGIS layers, paged by object ID (any server since 10.0). Dates are in milliseconds. Error responses may
 * have status 200.
 */

import { filterRecords, isRecord } from '../../shared/record.ts';
import { dayFromMs } from '../profile/parse-day.ts';
import { addQuery, type Page, type Portal, type Pull, portalError, readVersion } from './portal.ts';

const ARCGIS_PAGE_ROWS = 1_000; // the default limit of servers; a layer may state a lower limit
const IDS_ASKED = 100; // object ids in one address

type Layer = Awaited<ReturnType<typeof readLayer>>;

const pullArcgis: Pull<'arcgis'> = async (portal, { where = '1=1' }) => {
  const layer = await readLayer(portal);
  const fields = portal.selectFields([...layer.names, ...(layer.hasPoints ? ['longitude', 'latitude'] : [])]);
  const { edited } = layer;
  if (edited !== undefined && portal.known?.edited === edited) return 'same';
  const { count } = await queryLayer(portal, queryUrl(portal.address, { where, returnCountOnly: 'true' }));
  if (typeof count !== 'number') throw portalError(portal.address, 'the response has no record count');
  await portal.writePages(fields, fetchFeaturePages(portal, { layer, fields, where, count }), count);
  return { whole: true, mark: edited === undefined ? undefined : { edited } };
};

export default pullArcgis;

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

function listFieldNames({ fields }: Record<string, unknown>, type?: string): string[] {
  const isWanted = (field: Record<string, unknown>) =>
    type === undefined ? field.type !== 'esriFieldTypeGeometry' : field.type === type;
  const wanted = filterRecords(fields).filter(isWanted);
  return wanted.map(({ name }) => String(name));
}

function queryUrl(layer: URL, parameters: Record<string, string | number>): URL {
  const url = new URL(layer);
  url.pathname = `${layer.pathname.replace(/\/+$/, '')}/query`;
  return addQuery(url, { ...parameters, f: 'json' });
}

/**
 * Yields pages of records by object ID, so added or deleted records cause no repeats and no gaps. A short page is the last
 * one only if there are as many records as the server counted: some servers cut pages short and do not say so.
 */
async function* fetchFeaturePages(
  portal: Portal,
  given: { layer: Layer; fields: readonly string[]; where: string; count: number },
): AsyncGenerator<Page> {
  const { layer, fields, where, count } = given;
  const { idField, pageRows, names } = layer;
  const query = {
    outFields: [...new Set([idField, ...fields.filter((name) => names.includes(name))])].join(','),
    returnGeometry: String(layer.hasPoints),
    outSR: 4326,
  };
  const fetchPage = async (part: Record<string, string | number>) => {
    const answer = await queryLayer(portal, queryUrl(portal.address, { ...query, ...part }));
    const features = filterRecords(answer.features);
    return {
      ids: features.map(({ attributes }) =>
        isRecord(attributes) ? Number(attributes[idField]) : Number.NaN,
      ),
      records: features.map((feature) => flattenArcgisFeature(feature, layer.dates, portal.timeZone)),
      isShort: features.length < pageRows && answer.exceededTransferLimit !== true,
    };
  };
  const seen: number[] = [];
  let last = -1;
  const inOrder = { orderByFields: idField, resultRecordCount: pageRows };
  for (let isLast = false; !isLast; ) {
    const { ids, records, isShort } = await fetchPage({
      ...inOrder,
      where: `(${where}) AND ${idField} > ${last}`,
    });
    const fresh = ids.filter((id) => id > last);
    if (fresh.length > 0 && fresh.length < ids.length)
      throw portalError(portal.address, 'the records are not in order');
    seen.push(...fresh);
    last = fresh.reduce((most, id) => Math.max(most, id), last);
    isLast = fresh.length === ids.length && (ids.length === 0 || (isShort && seen.length >= count));
    yield { fresh: fresh.length === 0 ? [] : records, isLast };
  }
  if (seen.length >= count) return;
  for (const missing of await listMissingIds(portal, where, seen)) {
    const { ids, records } = await fetchPage({ objectIds: missing.join(',') });
    yield { fresh: records.filter((_, i) => missing.includes(ids[i]!)), isLast: false };
  }
}

/** Lists the object IDs of records that the pages left out, in groups for one request each. */
async function listMissingIds(portal: Portal, where: string, seen: readonly number[]): Promise<number[][]> {
  const answer = await queryLayer(portal, queryUrl(portal.address, { where, returnIdsOnly: 'true' }));
  const listed = Array.isArray(answer.objectIds) ? answer.objectIds.map(Number) : [];
  const missing = [...new Set(listed).difference(new Set(seen))].filter(Number.isSafeInteger);
  return Array.from({ length: Math.ceil(missing.length / IDS_ASKED) }, (_, i) =>
    missing.slice(i * IDS_ASKED, (i + 1) * IDS_ASKED),
  );
}

/** Flattens a feature to a record. Dates become local days, and a point becomes `longitude` and `latitude`. */
function flattenArcgisFeature(
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

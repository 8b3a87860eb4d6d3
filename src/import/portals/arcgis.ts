/**
 * Layers of an ArcGIS FeatureServer or MapServer: pages by object id, which every server since 10.0 can do, errors that come
 * with status 200, and dates in milliseconds.
 */

import { dayFromMs } from '../../city/days.ts';
import { filterRecords, isRecord } from '../../listings/record.ts';
import {
  addQuery,
  checkColumns,
  checkPage,
  checkRead,
  type Portal,
  type Pulled,
  pickFields,
  portalError,
  readVersion,
  selectFields,
} from './portal.ts';

const ARCGIS_PAGE_ROWS = 1_000; // what servers allow by default; fewer where the layer says so

type Layer = {
  there: string[];
  dates: Set<string>;
  oid: string;
  page: number;
  edited: unknown;
  hasPoints: boolean;
};

/** `where` is the layer's SQL. Throws `source`: a column is missing, the server says an error, or gave too few records. */
export async function pullArcgis(portal: Portal, where = '1=1'): Promise<Pulled> {
  const layer = await layerOf(portal);
  const places = layer.hasPoints ? ['longitude', 'latitude'] : [];
  checkColumns(portal, [...layer.there, ...places]);
  const known = portal.known as { edited?: unknown } | undefined;
  if (layer.edited !== undefined && known?.edited === layer.edited) return 'same';
  const total = await countFeatures(portal, where);
  let read = 0;
  for await (const records of fetchFeaturePages(portal, layer, where)) {
    await portal.write(records);
    read += records.length;
    checkPage(portal.address, { records: records.length, fresh: records.length }, { read, total });
  }
  checkRead(portal.address, read, total, 'records');
  return { whole: true, mark: layer.edited === undefined ? undefined : { edited: layer.edited } };
}

/** A response with status 200 may hold an error. Its words may quote the query, so only its code is repeated. */
async function queryLayer(portal: Portal, address: URL): Promise<Record<string, unknown>> {
  const answer = await portal.get(address);
  if (!isRecord(answer.error)) return answer;
  const code = Number(answer.error.code);
  throw portalError(address, `the server returned error ${Number.isInteger(code) ? code : '(no number)'}`);
}

async function layerOf(portal: Portal): Promise<Layer> {
  const layer = await queryLayer(portal, addQuery(portal.address, { f: 'json' }));
  const [oid = layer.objectIdField] = listFieldNames(layer, 'esriFieldTypeOID');
  if (typeof oid !== 'string') throw portalError(portal.address, 'the layer has no object ID field');
  return {
    oid,
    there: listFieldNames(layer),
    dates: new Set(listFieldNames(layer, 'esriFieldTypeDate')),
    page: Math.min(ARCGIS_PAGE_ROWS, Number(layer.maxRecordCount) || ARCGIS_PAGE_ROWS),
    edited: isRecord(layer.editingInfo) ? readVersion(layer.editingInfo.lastEditDate) : undefined,
    hasPoints: layer.geometryType === 'esriGeometryPoint',
  };
}

/** The names of a layer's fields; with `type`, of those of it. */
export function listFieldNames({ fields }: Record<string, unknown>, type?: string): string[] {
  const wanted = filterRecords(fields).filter((field) => type === undefined || field.type === type);
  return wanted.map(({ name }) => String(name));
}

async function countFeatures(portal: Portal, where: string): Promise<number> {
  const { count } = await queryLayer(portal, query(portal, { where, returnCountOnly: 'true' }));
  if (typeof count !== 'number') throw portalError(portal.address, 'the response has no record count');
  return count;
}

function query({ address }: Portal, parameters: Record<string, string | number>): URL {
  const url = new URL(address);
  url.pathname = `${address.pathname.replace(/\/+$/, '')}/query`;
  return addQuery(url, { ...parameters, f: 'json' });
}

/** Pages by object id, so that nothing is read twice or left out when records come and go meanwhile. */
async function* fetchFeaturePages(
  portal: Portal,
  layer: Layer,
  where: string,
): AsyncGenerator<Record<string, unknown>[]> {
  const { timeZone } = portal;
  const fields = selectFields(portal, layer.there);
  const outFields = [...new Set([layer.oid, ...fields])].join(',');
  for (let last = -1; ; ) {
    const answer = await queryLayer(
      portal,
      query(portal, {
        where: `(${where}) AND ${layer.oid} > ${last}`,
        outFields,
        orderByFields: layer.oid,
        resultRecordCount: layer.page,
        returnGeometry: String(layer.hasPoints),
        outSR: 4326,
      }),
    );
    const features = filterRecords(answer.features);
    const numbers = features.map(({ attributes }) =>
      Number(isRecord(attributes) ? attributes[layer.oid] : Number.NaN),
    );
    const fresh = numbers.filter((number) => number > last).length;
    checkPage(portal.address, { records: numbers.length, fresh }, { read: 0, total: undefined });
    if (fresh < numbers.length) throw portalError(portal.address, 'the records are not in order');
    const columns = [...fields, 'longitude', 'latitude'];
    yield features.map((feature) =>
      pickFields(flattenArcgisFeature(feature, { ...layer, timeZone }), columns),
    );
    if (features.length === 0 || (features.length < layer.page && answer.exceededTransferLimit !== true))
      return;
    last = numbers.reduce((most, number) => Math.max(most, number), last);
  }
}

/** A feature as a plain record, with dates as local days, and `longitude` and `latitude` if it is a point. */
export function flattenArcgisFeature(
  { attributes, geometry }: Record<string, unknown>,
  { dates, timeZone }: { dates: ReadonlySet<string>; timeZone: string },
): Record<string, unknown> {
  const record: Record<string, unknown> = isRecord(attributes) ? { ...attributes } : {};
  for (const name of dates)
    if (typeof record[name] === 'number') record[name] = dayFromMs(record[name], timeZone) ?? '';
  const isPoint = isRecord(geometry) && 'x' in geometry;
  return isPoint ? { ...record, longitude: geometry.x, latitude: geometry.y } : record;
}

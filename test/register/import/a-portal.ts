/** Portals that behave as their publishers document, including quirks, with records from a test. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { aCity, type SmallCity } from '../../a-city.ts';

export type Records = Record<string, unknown>[];

/** The columns of the small city. */
const COLUMNS = ['ID', 'NAME', 'KIND', 'AREA', 'DAY', 'WHAT'];
const FIELDS = COLUMNS.map((name) => ({ name, type: 'esriFieldTypeString' }));

/** When records were changed: so many seconds after midnight. */
export const AT = (second: number) => `2026-11-20T00:00:${String(second).padStart(2, '0')}.000Z`;

/** What the small city's profile says of each kind of portal, and the path of its data. */
const KINDS = {
  socrata: { from: "socrata({ host: 'a.example', dataset: 'abcd-1234' })", path: '/resource/abcd-1234.json' },
  arcgis: { from: "arcgis({ url: 'https://gis.example/FeatureServer/0' })", path: '/L/FeatureServer/0' },
  ckan: {
    from: "ckan({ host: 'data.rivermouth.example', resource: 'r1' })",
    path: '/api/3/action/datastore_search?resource_id=r1',
  },
};

/** A portal that answers so, and the service of the small city that is read from it. */
export async function aPulledCity(
  kind: keyof typeof KINDS,
  answer: (url: URL, response: ServerResponse) => unknown,
  change: (city: SmallCity) => void = () => {},
) {
  const portal = await aPortal(answer);
  const { from, path } = KINDS[kind];
  const city = aCity();
  city.change('from: csv()', `from: ${from}`);
  city.change('import { csv,', 'import { arcgis, ckan, socrata,');
  change(city);
  const service = await city.open();
  const place = portal.url + path;
  const pull = async () => (await service.ingest({ from: place }))[0]!;
  const listings = async () => (await Array.fromAsync(service.store.listings.listings())).flat();
  return { portal, city, service, place, pull, listings };
}

/** Records of the small city as portals publish them, in no order of their `:id`, with a column that is not declared. */
export function makeFilings(count: number, { first = 0, changedAt = AT(1) } = {}): Records {
  return Array.from({ length: count }, (_, i) => {
    const at = first + i;
    return {
      ID: `L${at}`,
      NAME: `Shop ${at}`,
      KIND: 'Restaurants',
      AREA: at % 3 === 0 ? null : 'Old Town',
      DAY: '2025-03-01T00:00:00.000',
      WHAT: null,
      OWNER: 'Ann Example',
      ':id': `row-${String(at * 7919).padStart(12, '0')}`,
      ':updated_at': changedAt,
    };
  });
}

export type Portal = {
  /** Such as `http://127.0.0.1:4711`. */
  url: string;
  /** Paths with their queries, decoded, in the order they were asked. */
  asked: string[];
  /** The next so many requests are answered with this status. */
  problem: { status: number; times: number; headers?: Record<string, string> };
  /** Headers of the last request. */
  headers: IncomingMessage['headers'];
};

/** Serves until the test file ends. `answer` gets what is asked when there is no trouble. */
export async function aPortal(answer: (url: URL, response: ServerResponse) => unknown): Promise<Portal> {
  const portal: Portal = { url: '', asked: [], problem: { status: 0, times: 0 }, headers: {} };
  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://portal.example');
    portal.asked.push(decodeURIComponent(url.pathname + url.search).replaceAll('+', ' '));
    portal.headers = request.headers;
    const { problem } = portal;
    if (problem.times > 0) {
      problem.times--;
      response.writeHead(problem.status, problem.headers).end('{"error":true,"message":"1 Some Street"}');
      return;
    }
    const body = answer(url, response);
    if (body !== undefined) response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  portal.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return portal;
}

export type Dataset = {
  records: Records;
  columns?: string[];
  rowsUpdatedAt?: number;
  /** A row comes again at the beginning of the next page. */
  strays?: boolean;
};

/** A Socrata data set: `:id` and `:updated_at` are in its records; without `$order` rows come in no order. */
export function socrataOf(dataset: Dataset): (url: URL) => unknown {
  return (url) => {
    if (url.pathname.startsWith('/api/views/'))
      return {
        rowsUpdatedAt: dataset.rowsUpdatedAt ?? 1,
        columns: (dataset.columns ?? COLUMNS).map((fieldName) => ({ fieldName })),
      };
    const ask = (name: string) => url.searchParams.get(`$${name}`);
    const since = /:updated_at > '([^']*)'/.exec(ask('where') ?? '')?.[1] ?? '';
    const rows = dataset.records.filter((row) => String(row[':updated_at']) > since);
    if (ask('select')?.startsWith('count(*)')) return [{ n: String(rows.length) }];
    const sorted =
      ask('order') === ':id'
        ? rows.toSorted((a, b) => (String(a[':id']) < String(b[':id']) ? -1 : 1))
        : rows.toReversed();
    const offset = Number(ask('offset') ?? 0);
    const fields = ask('select')!.split(',');
    const page = sorted.slice(offset, offset + Number(ask('limit') ?? 1000));
    if (dataset.strays && offset > 0 && page.length > 0) page.unshift(sorted[offset - 1]!);
    return page.map((row) => withoutNulls(row, fields));
  };
}

/** Nulls are omitted keys. */
function withoutNulls(row: Record<string, unknown>, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(fields.flatMap((name) => ((row[name] ?? '') === '' ? [] : [[name, row[name]]])));
}

/** An ArcGIS layer of points: pages of `page`, `exceededTransferLimit`, errors inside a 200. */
export function arcgisOf(given: {
  records: (Record<string, unknown> & { x?: number; y?: number })[];
  fields?: { name: string; type: string }[];
  page?: number;
  edited?: number;
}): (url: URL) => unknown {
  const layer = { fields: FIELDS, page: 1_000, ...given };
  return (url) => {
    if (!url.pathname.endsWith('/query'))
      return {
        fields: [{ name: 'OBJECTID', type: 'esriFieldTypeOID' }, ...layer.fields],
        maxRecordCount: layer.page,
        geometryType: 'esriGeometryPoint',
        ...(layer.edited !== undefined && { editingInfo: { lastEditDate: layer.edited } }),
      };
    const ask = url.searchParams;
    if (ask.get('returnCountOnly') === 'true') return { count: layer.records.length };
    const ids = ask.get('objectIds')?.split(',').map(Number);
    if (ask.get('returnIdsOnly') === 'true') return { objectIds: layer.records.map((_, i) => i + 1) };
    const where = ask.get('where') ?? '1=1';
    const last = where === '1=1' ? -1 : Number(/^\(.*\) AND OBJECTID > (-?\d+)$/.exec(where)?.[1]); // a filter may hold OR
    if (Number.isNaN(last))
      return { error: { code: 400, message: 'Invalid query at 1 Some Street', details: [] } };
    const asked = ask.get('outFields')!;
    const fields = asked === '*' ? layer.fields.map(({ name }) => name) : asked.split(',');
    const left = layer.records
      .map((record, i) => ({ ...record, OBJECTID: i + 1 }))
      .filter(({ OBJECTID }) => (ids === undefined ? OBJECTID > last : ids.includes(OBJECTID)));
    const features = left.slice(0, layer.page).map(({ x, y, ...attributes }) => ({
      attributes: Object.fromEntries(
        fields.map((field) => [field, (attributes as Record<string, unknown>)[field] ?? null]),
      ),
      ...(x !== undefined && { geometry: { x, y } }),
    }));
    return { features, ...(left.length > layer.page && { exceededTransferLimit: true }) };
  };
}

/** A CKAN resource that gives at most `most` records to a page, and echoes the limit it made of what was asked. */
export function ckanOf(records: Records, most: number): (url: URL) => unknown {
  return (url) => {
    const limit = Math.min(most, Number(url.searchParams.get('limit') ?? 100));
    const offset = Number(url.searchParams.get('offset') ?? 0);
    const numbered = records.map((record, i) => ({ _id: i + 1, ...record }));
    const fields = Object.keys(numbered[0] ?? {}).map((id) => ({ id }));
    return {
      success: true,
      result: { records: numbered.slice(offset, offset + limit), fields, limit, total: records.length },
    };
  };
}

/**
 * Socrata data sets over SODA 2.1 (https://dev.socrata.com/docs/): columns checked before the pull, pages in the order of `:id`,
 * and only what changed if the portal says so. Row identity is the publisher's key, never `:id`: a "replace" gives new ones.
 */

import { addMs, DAY_MS, type Instant } from '../../listings/day.ts';
import { isRecord } from '../../listings/record.ts';
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

const SOCRATA_PAGE_ROWS = 10_000; // rows; SODA 2.0 allows 50,000, but a page is held in memory
const REWRITE = 0.5; // of all rows changed at once: the publisher has replaced the data set

type DatasetMetadata = { rowsUpdatedAt?: number; updatedAt?: string };

/** `where` is SoQL. Throws `source`: a column is missing, a page is not what it should be, or the portal gave too few rows. */
export async function pullSocrata(portal: Portal, where: string | undefined): Promise<Pulled> {
  const { there, rowsUpdatedAt } = await metadata(portal);
  checkColumns(portal, there);
  const known = portal.known as DatasetMetadata | undefined;
  if (known?.rowsUpdatedAt !== undefined && known.rowsUpdatedAt === rowsUpdatedAt) return 'same';
  const total = await countDatasetRows(portal, where);
  const changes = await changedSince(portal, known, { where, total });
  if (changes === 'nothing') return 'same';
  const since = changes?.since;
  const fields = selectFields(portal, there);
  const updatedAt = await fetchDatasetPages(portal, fields, {
    where: both(where, since),
    total: changes?.total ?? total,
  });
  const newest = [updatedAt, known?.updatedAt ?? '']
    .filter((time) => isPastTime(time, portal.now))
    .toSorted()
    .at(-1);
  return { whole: since === undefined, mark: { rowsUpdatedAt, updatedAt: newest } };
}

/** `/api/views/ID.json` is the truth about columns, and says when rows last changed. */
async function metadata(portal: Portal): Promise<{ there: string[]; rowsUpdatedAt: unknown }> {
  const id = /\/resource\/([a-z0-9]{4}-[a-z0-9]{4})(?:\.json)?$/.exec(portal.address.pathname)?.[1];
  if (id === undefined)
    throw portalError(portal.address, 'a Socrata URL must end in /resource/xxxx-xxxx.json');
  const address = new URL(`/api/views/${id}.json`, portal.address);
  const { columns, rowsUpdatedAt } = await portal.get(address);
  if (!Array.isArray(columns)) throw portalError(address, 'the response has no list of columns');
  return {
    there: columns.filter(isRecord).map(({ fieldName }) => String(fieldName)),
    rowsUpdatedAt: readVersion(rowsUpdatedAt),
  };
}

async function countDatasetRows(portal: Portal, where: string | undefined): Promise<number> {
  const address = addQuery(portal.address, { $select: 'count(*) as n', ...(where && { $where: where }) });
  const n = Number((await portal.getList(address))[0]?.n);
  if (!Number.isSafeInteger(n)) throw portalError(portal.address, 'the response has no row count');
  return n;
}

/**
 * SoQL for what changed since the last pull and how many rows that is, `nothing` where no row did (one may have gone, or a description changed), or
 * `undefined` where all must be read: the first time, and after a rewrite, which changes every `:updated_at` at once.
 */
async function changedSince(
  portal: Portal,
  known: DatasetMetadata | undefined,
  { where, total }: { where: string | undefined; total: number },
): Promise<{ since: string; total: number } | 'nothing' | undefined> {
  if (!known?.updatedAt || !isPastTime(known.updatedAt, portal.now)) return undefined;
  const since = `:updated_at > '${known.updatedAt.replaceAll("'", "''")}'`;
  const changed = await countDatasetRows(portal, both(where, since));
  if (changed === 0) return 'nothing';
  return changed > total * REWRITE ? undefined : { since, total: changed };
}

/**
 * Whether `:updated_at` is a time, and not one to come: after a row from the year 9999, nothing would be newer, and every pull would say
 * that nothing has changed. A day of difference between clocks is allowed.
 */
function isPastTime(text: string, now: Instant | undefined): boolean {
  const isTime = /^\d{4}-\d\d-\d\dT[\d:.]{5,18}Z?$/.test(text);
  return isTime && (now === undefined || text < addMs(now, DAY_MS));
}

function both(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return `(${one}) AND ${other}`;
}

/** All pages; answers the newest `:updated_at`. A row that comes twice is written once. */
async function fetchDatasetPages(
  portal: Portal,
  fields: readonly string[],
  { where, total }: { where: string | undefined; total: number },
): Promise<string> {
  let newest = '';
  let read = 0;
  const seen = new Set<unknown>();
  for (let offset = 0; ; offset += SOCRATA_PAGE_ROWS) {
    const query = {
      $select: [':id', ':updated_at', ...fields].join(','),
      $order: ':id',
      $limit: SOCRATA_PAGE_ROWS,
      $offset: offset,
    };
    const rows = await portal.getList(
      addQuery(portal.address, { ...query, ...(where && { $where: where }) }),
    );
    const fresh = rows.filter((row) => !seen.has(row[':id']));
    for (const row of rows) seen.add(row[':id']);
    for (const row of rows) {
      const time = String(row[':updated_at'] ?? '');
      if (time > newest && isPastTime(time, portal.now)) newest = time;
    }
    await portal.write(fresh.map((row) => pickFields(row, fields)));
    read += fresh.length;
    if (rows.length < SOCRATA_PAGE_ROWS) break;
    checkPage(portal.address, { records: rows.length, fresh: fresh.length }, { read, total });
  }
  checkRead(portal.address, read, total, 'rows');
  return newest;
}

/**
 * Reads Socrata data sets (SODA 2.1). `:id` does not identify rows: it changes when a publisher replaces the data set.
 */

import { addMs, DAY_MS, type Instant } from '../../shared/day.ts';
import { filterRecords } from '../../shared/record.ts';
import { addQuery, fetchByOffset, type Portal, type Pull, portalError, readVersion } from './portal.ts';

const SOCRATA_PAGE_ROWS = 10_000; // SODA 2.0 allows 50,000, but a page is held in memory
const REPLACED_SHARE = 0.5; // if more rows have changed at once, the publisher has replaced the data set

const pullSocrata: Pull<'socrata'> = async (portal, { where }) => {
  const { names, rowsUpdatedAt } = await readMetadata(portal);
  const fields = portal.selectFields(names);
  const known = portal.known as { rowsUpdatedAt?: unknown; updatedAt?: string } | undefined;
  if (known?.rowsUpdatedAt !== undefined && known.rowsUpdatedAt === rowsUpdatedAt) return 'same';
  let total = await countRows(portal, where);
  let condition = where;
  let newest = known?.updatedAt && isPastTime(known.updatedAt, portal.now) ? known.updatedAt : '';
  if (newest !== '') {
    const isChanged = `:updated_at > '${newest}'`;
    const changedWhere = where === undefined ? isChanged : `(${where}) AND ${isChanged}`;
    const changed = await countRows(portal, changedWhere);
    if (changed === 0) return 'same'; // only the description has changed, or a row was deleted
    if (changed <= total * REPLACED_SHARE) [condition, total] = [changedWhere, changed];
  }
  const seeTime = (time: string) => {
    if (time > newest && isPastTime(time, portal.now)) newest = time;
  };
  const query = {
    $select: [':id', ':updated_at', ...fields].join(','),
    ...(condition && { $where: condition }),
    $order: ':id',
    $limit: SOCRATA_PAGE_ROWS,
  };
  const pages = fetchByOffset(':id', async (offset) => {
    const records = await portal.getList(addQuery(portal.address, { ...query, $offset: offset }));
    for (const record of records) seeTime(String(record[':updated_at'] ?? ''));
    return { records, limit: SOCRATA_PAGE_ROWS, total };
  });
  await portal.writePages(fields, pages, total, 'rows');
  return { whole: condition === where, mark: { rowsUpdatedAt, updatedAt: newest || undefined } };
};

export default pullSocrata;

async function readMetadata(portal: Portal): Promise<{ names: string[]; rowsUpdatedAt: unknown }> {
  const id = /\/resource\/([a-z0-9]{4}-[a-z0-9]{4})(?:\.json)?$/.exec(portal.address.pathname)?.[1];
  if (id === undefined)
    throw portalError(portal.address, 'a Socrata URL must end in /resource/xxxx-xxxx.json');
  const address = new URL(`/api/views/${id}.json`, portal.address);
  const { columns, rowsUpdatedAt } = await portal.get(address);
  if (!Array.isArray(columns)) throw portalError(address, 'the response has no list of columns');
  return {
    names: filterRecords(columns).map(({ fieldName }) => String(fieldName)),
    rowsUpdatedAt: readVersion(rowsUpdatedAt),
  };
}

async function countRows(portal: Portal, where: string | undefined): Promise<number> {
  const address = addQuery(portal.address, { $select: 'count(*) as n', ...(where && { $where: where }) });
  const n = Number((await portal.getList(address))[0]?.n);
  if (!Number.isSafeInteger(n)) throw portalError(portal.address, 'the response has no row count');
  return n;
}

/** Returns whether a time is valid and at most a day ahead. A time in 9999 would hide all later changes. */
function isPastTime(text: string, now: Instant | undefined): boolean {
  const isTime = /^\d{4}-\d\d-\d\dT[\d:.]{5,18}Z?$/.test(text);
  return isTime && (now === undefined || text < addMs(now, DAY_MS));
}

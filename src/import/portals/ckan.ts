/** Resources of a CKAN portal's DataStore: pages in the order of `_id`, at the size the portal really gives. */

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
  selectFields,
} from './portal.ts';

const CKAN_PAGE_ROWS = 10_000; // CKAN allows 32,000 and says so when it gives fewer

/** `filters` are exact values by column. Throws `source`: a column is missing, or the portal failed or gave too few records. */
export async function pullCkan(
  portal: Portal,
  filters: Readonly<Record<string, string>> | undefined,
): Promise<Pulled> {
  const ask = (limit: number, offset: number) =>
    resultAt(
      portal,
      addQuery(portal.address, {
        limit,
        offset,
        sort: '_id',
        ...(filters && { filters: JSON.stringify(filters) }),
      }),
    );
  const first = await ask(0, 0);
  const there = first.fields.map(({ id }) => String(id));
  checkColumns(portal, there);
  const fields = selectFields(portal, there);
  let read = 0;
  let last = Number.NEGATIVE_INFINITY;
  for (let limit = CKAN_PAGE_ROWS; ; ) {
    const page = await ask(limit, read);
    limit = Math.min(limit, page.limit);
    const fresh = page.records.filter(({ _id }) => Number(_id) > last).length;
    last = page.records.reduce((most, { _id }) => Math.max(most, Number(_id)), last);
    await portal.write(page.records.map((record) => pickFields(record, fields)));
    read += page.records.length;
    if (page.records.length < limit || limit < 1) break;
    checkPage(portal.address, { records: page.records.length, fresh }, { read, total: first.total });
  }
  if (first.total !== undefined) checkRead(portal.address, read, first.total, 'records');
  return { whole: true, mark: undefined };
}

type Result = {
  records: Record<string, unknown>[];
  fields: Record<string, unknown>[];
  /** What the portal made of the limit. */
  limit: number;
  /** How many records there are in all, unless the portal only estimates it. */
  total: number | undefined;
};

/** `success: false` may come with status 200. */
async function resultAt(portal: Portal, address: URL): Promise<Result> {
  const { success, result } = await portal.get(address);
  if (success !== true || !isRecord(result)) throw portalError(address, 'the portal reports an error');
  const { records, fields, limit, total, total_was_estimated } = result;
  if (!Array.isArray(records) || !Array.isArray(fields))
    throw portalError(address, 'the response has no records');
  return {
    records: filterRecords(records),
    fields: filterRecords(fields),
    limit: typeof limit === 'number' ? limit : CKAN_PAGE_ROWS,
    total: typeof total === 'number' && total_was_estimated !== true ? total : undefined,
  };
}

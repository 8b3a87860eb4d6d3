/** Reads resources of a CKAN portal's DataStore in the order of `_id`, in pages as large as the portal allows. */

import { filterRecords, isRecord } from '../../shared/record.ts';
import { addQuery, fetchByOffset, type Portal, type Pull, portalError } from './portal.ts';

const CKAN_PAGE_ROWS = 10_000; // CKAN allows 32,000; a portal with a lower limit states it in the response

type Filters = Readonly<Record<string, string>> | undefined;

const pullCkan: Pull<'ckan'> = async (portal, { filters }) => {
  const first = await queryResource(portal, filters, { limit: 0, offset: 0 });
  const fields = portal.selectFields(first.fields.map(({ id }) => String(id)));
  let limit = CKAN_PAGE_ROWS;
  const pages = fetchByOffset('_id', async (offset) => {
    const page = await queryResource(portal, filters, { limit, offset });
    limit = Math.min(limit, page.limit);
    return { records: page.records, limit: Math.max(1, limit), total: page.total ?? 0 };
  });
  await portal.writePages(fields, pages, first.total);
  return { whole: true, mark: undefined };
};

export default pullCkan;

async function queryResource(portal: Portal, filters: Filters, part: { limit: number; offset: number }) {
  const address = addQuery(portal.address, {
    ...part,
    sort: '_id',
    ...(filters && { filters: JSON.stringify(filters) }),
  });
  const { success, result } = await portal.get(address);
  // error responses may have status 200
  if (success !== true || !isRecord(result)) throw portalError(address, 'the portal reports an error');
  const { records, fields, limit, total, total_was_estimated } = result;
  if (!Array.isArray(records) || !Array.isArray(fields))
    throw portalError(address, 'the response has no records');
  return {
    records: filterRecords(records),
    fields: filterRecords(fields),
    limit: typeof limit === 'number' ? limit : CKAN_PAGE_ROWS,
    /** The number of records, or `undefined` if the portal only estimates it. */
    total: typeof total === 'number' && total_was_estimated !== true ? total : undefined,
  };
}

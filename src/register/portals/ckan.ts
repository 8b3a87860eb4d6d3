/** Reads resources of a CKAN portal's DataStore in the order of `_id`, in pages as large as the portal allows. */

import { filterRecords, isRecord } from '../../shared/record.ts';
import { addQuery, type Page, type Portal, type Pull, portalError } from './portal.ts';

const CKAN_PAGE_ROWS = 10_000; // CKAN allows 32,000; a portal with a lower limit states it in the response

type Filters = Readonly<Record<string, string>> | undefined;

const pullCkan: Pull<'ckan'> = async (portal, { filters }) => {
  const first = await queryResource(portal, filters, { limit: 0, offset: 0 });
  const fields = portal.selectFields(first.fields.map(({ id }) => String(id)));
  await portal.writePages(fields, fetchRecordPages(portal, filters), first.total);
  return { whole: true, mark: undefined };
};

export default pullCkan;

async function* fetchRecordPages(portal: Portal, filters: Filters): AsyncGenerator<Page> {
  let limit = CKAN_PAGE_ROWS;
  let offset = 0;
  let last = Number.NEGATIVE_INFINITY;
  for (let isLast = false; !isLast; ) {
    const page = await queryResource(portal, filters, { limit, offset });
    limit = Math.min(limit, page.limit);
    offset += page.records.length;
    const isShort = page.records.length < limit || limit < 1;
    // some portals cut pages short
    isLast = page.records.length === 0 || (isShort && offset >= (page.total ?? 0));
    const before = last;
    last = page.records.reduce((most, { _id }) => Math.max(most, Number(_id)), last);
    yield { fresh: page.records.filter(({ _id }) => !(Number(_id) <= before)), isLast };
  }
}

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

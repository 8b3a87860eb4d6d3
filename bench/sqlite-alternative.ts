/**
 * The alternative that a competent engineer would build, for comparison: the same Fastify over SQLite. Rows are inserted in the
 * order of results, so that the rowid sorts them; every filter, pair of filters and count has a covering index; FTS5 finds words; the
 * counts of each value are a table; statements are prepared once.
 */

import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { FastifyInstance } from 'fastify';
import { type StoredListing, UNCATEGORIZED, UNKNOWN_NEIGHBORHOOD } from '../src/shared/listing.ts';

const FILTERS = ['category', 'neighborhood', 'status'] as const;
const COUNTED = [...FILTERS, 'month'] as const;
const FIELDS = 'l.name, l.category, l.neighborhood, l.status, l.filed_on as filing_date';
const PAGE = 25;

/** Fills an in-memory SQLite with the listings, newest filing first, indexed and analysed. */
export function fillAlternative(listings: readonly StoredListing[]): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  db.exec(`create table listing (id integer primary key, name text, category text, neighborhood text, status text, filed_on text, month text);
    create virtual table word using fts5(name, category, neighborhood, content='listing', content_rowid='id',
      detail='none', columnsize=0, prefix='3 4 5');`);
  const insert = db.prepare(
    'insert into listing (name, category, neighborhood, status, filed_on, month) values (?, ?, ?, ?, ?, ?)',
  );
  db.exec('begin');
  const order = listings.toSorted(
    (a, b) => compare(b.filedOn, a.filedOn) || compare(a.name, b.name) || compare(a.key, b.key),
  );
  for (const { name, category, neighborhood, status, filedOn } of order)
    insert.run(
      name,
      category ?? UNCATEGORIZED,
      neighborhood ?? UNKNOWN_NEIGHBORHOOD,
      status,
      filedOn,
      filedOn.slice(0, 7),
    );
  db.exec('commit');
  // an index ends with the rowid, so it finds a page in order; with all columns, it counts without reading the table
  const pairs = COUNTED.flatMap((one, i) => COUNTED.slice(i + 1).map((other) => [one, other]));
  const covering = pairs.map((pair) => [...pair, ...COUNTED.filter((one) => !pair.includes(one))]);
  for (const columns of [...FILTERS.map((filter) => [filter]), ...pairs, ...covering])
    db.exec(`create index by_${columns.join('_')} on listing (${columns.join(', ')})`);
  db.exec(`create table city_count (dimension text, value text, n integer);
    create index largest on city_count (dimension, n desc, value);
    create index by_value on city_count (dimension, value, n);`);
  for (const dimension of COUNTED)
    db.exec(
      `insert into city_count select '${dimension}', ${dimension}, count(*) from listing group by 2 order by 3 desc`,
    );
  db.exec("insert into city_count select 'all', '', count(*) from listing");
  db.exec(`insert into word(word) values ('rebuild'); insert into word(word) values ('optimize'); analyze;`);
  return db;
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Adds a search (a page and its total) at `path`, and counts by each dimension at `path` with `/stats`. */
export function alternativeRoute(app: FastifyInstance, path: string, db: DatabaseSync): void {
  const prepared = new Map<string, ReturnType<DatabaseSync['prepare']>>();
  const statement = (sql: string) => prepared.getOrInsertComputed(sql, () => db.prepare(sql));
  app.get(path, (request) => {
    const query = request.query as Record<string, string>;
    const { counted, listed, values, known } = matching(query);
    const offset = Number(query.offset ?? 0);
    const { total } = (
      known === undefined
        ? statement(`select count(*) as total ${counted}`).get(...values)
        : statement('select sum(n) as total from city_count where dimension = ? and value = ?').get(...known)
    ) as { total: number };
    const listings = statement(`select ${FIELDS} ${listed} limit ${PAGE} offset ?`).all(...values, offset);
    const next = total > offset + PAGE ? `${path}?offset=${offset + PAGE}` : null;
    return { total, limit: PAGE, offset, next, listings };
  });
  app.get(`${path}/stats`, (request) => {
    const { grouped, values } = matching(request.query as Record<string, string>);
    const counts = COUNTED.map((dimension) => {
      const rows =
        values.length === 0
          ? statement('select value, n from city_count where dimension = ?').all(dimension)
          : statement(
              `select l.${dimension} as value, count(*) as n ${grouped} group by 1 order by 2 desc`,
            ).all(...values);
      return [`by_${dimension}`, Object.fromEntries(rows.map(({ value, n }) => [value, n]))];
    });
    return Object.fromEntries(counts);
  });
}

/** Writes the rest of the statements that count, list and group the rows that match, after their columns. */
function matching(query: Record<string, string>) {
  const filters = FILTERS.filter((name) => query[name] !== undefined);
  const parts = filters.map((name) => `l.${name} = ?`);
  const values: SQLInputValue[] = filters.map((name) => query[name]!);
  if (query.filed_from !== undefined) {
    parts.push('l.month between ? and ?');
    values.push(`${query.filed_from}-01`, `${query.filed_to}-12`);
  }
  const isFiltered = parts.length > 0;
  if (query.q === undefined) {
    const from = `from listing l${isFiltered ? ` where ${parts.join(' and ')}` : ''}`;
    const [filter = 'all'] = filters;
    const known = parts.length < 2 && query.filed_from === undefined ? [filter, values[0] ?? ''] : undefined;
    return { counted: from, grouped: from, listed: `${from} order by l.id`, values, known };
  }
  const terms = query.q.split(/\s+/).map((word) => `"${word.replaceAll('"', '""')}"`);
  const where = `where ${['word match ?', ...parts].join(' and ')}`;
  const joined = `from word join listing l on l.id = word.rowid ${where}`;
  return {
    counted: isFiltered ? joined : `from word ${where}`, // words alone are counted without a row of the table
    grouped: joined,
    listed: `${joined} order by word.rowid`,
    values: [`${terms.join(' AND ')}*`, ...values],
  };
}

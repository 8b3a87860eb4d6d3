/** The obvious alternative, for comparison: the same Fastify over SQLite FTS5 and composite indexes. */

import { DatabaseSync } from 'node:sqlite';
import type { FastifyInstance } from 'fastify';
import type { StoredListing } from '../src/shared/listing.ts';

/** Fills an in-memory SQLite with the listings, indexed as one would, and analysed. */
export function fillAlternative(listings: readonly StoredListing[]): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  db.exec(`create table listing (id integer primary key, name text, category text, neighborhood text, status text, filed_on text);
    create virtual table word using fts5(name, category, neighborhood, content='listing', content_rowid='id', prefix='3 4 5');`);
  const insert = db.prepare(
    'insert into listing (name, category, neighborhood, status, filed_on) values (?, ?, ?, ?, ?)',
  );
  db.exec('begin');
  for (const { name, category, neighborhood, status, filedOn } of listings)
    insert.run(name, category, neighborhood, status, filedOn);
  db.exec('commit');
  db.exec(`create index by_day on listing (filed_on desc, name, id);
    create index by_category on listing (category, filed_on desc, name, id);
    create index by_neighborhood on listing (neighborhood, filed_on desc, name, id);
    create index by_status on listing (status, filed_on desc, name, id);
    create index by_both on listing (category, neighborhood, filed_on desc, name, id);
    create index by_category_status on listing (category, status, filed_on desc, name, id);
    create index by_neighborhood_status on listing (neighborhood, status, filed_on desc, name, id);
    insert into word(word) values ('rebuild'); analyze;`);
  return db;
}

/** The route a careful person would write in an afternoon: a count and a page, prepared statements kept. */
export function alternativeRoute(app: FastifyInstance, path: string, db: DatabaseSync): void {
  const prepared = new Map<string, ReturnType<DatabaseSync['prepare']>>();
  const statement = (sql: string) => {
    let found = prepared.get(sql);
    if (found === undefined) {
      found = db.prepare(sql);
      prepared.set(sql, found);
    }
    return found;
  };
  app.get(path, (request) => {
    const query = request.query as Record<string, string>;
    const { where, values } = conditions(query);
    const offset = Number(query.offset ?? 0);
    const { total } = statement(`select count(*) as total from listing ${where}`).get(...values) as {
      total: number;
    };
    const listings = statement(
      `select name, category, neighborhood, status, filed_on as filing_date from listing ${where} order by filed_on desc, name, id limit 25 offset ?`,
    ).all(...values, offset);
    return {
      total,
      limit: 25,
      offset,
      next: total > offset + 25 ? `${path}?offset=${offset + 25}` : null,
      listings,
    };
  });
}

function conditions(query: Record<string, string>): { where: string; values: string[] } {
  const parts: string[] = [];
  const values: string[] = [];
  for (const column of ['category', 'neighborhood', 'status']) {
    const value = query[column];
    if (value === undefined) continue;
    parts.push(`${column} = ?`);
    values.push(value);
  }
  if (query.q !== undefined) {
    parts.push('id in (select rowid from word where word match ?)');
    values.push(
      `${query.q
        .split(/\s+/)
        .map((word) => `"${word.replaceAll('"', '""')}"`)
        .join(' ')}*`,
    );
  }
  return { where: parts.length > 0 ? `where ${parts.join(' and ')}` : '', values };
}

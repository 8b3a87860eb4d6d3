/** In random courses on each engine, each subscriber gets each new listing they wanted in exactly one edition. */

import { test } from 'node:test';
import fc from 'fast-check';
import type { Repositories } from '../../../src/service/data/store.ts';
import { aFolder } from '../../a-folder.ts';
import { openPostgresStore, openStore } from '../../a-store.ts';
import { atDepth, seedFrom } from '../../depth.ts';
import { aServer } from '../database/a-postgres.ts';
import { approvals, courses, tryPreferenceCourse } from './courses.ts';

const SEED = seedFrom(20261123);

const folder = aFolder();
let stores = 0;

/** 500 on each engine in full depth, as the promise says it. */
async function tryCourses(
  quick: number,
  open: () => Promise<{ store: Repositories; end(): Promise<void> }>,
): Promise<void> {
  const property = fc.asyncProperty(courses, approvals, async (course, unapproved) => {
    const { store, end } = await open();
    try {
      await tryPreferenceCourse(store, course, unapproved);
    } finally {
      await end();
    }
  });
  await fc.assert(property, { seed: SEED, numRuns: atDepth(quick, 500) });
}

test('SQLite: in random courses, each subscriber gets each new listing they wanted in exactly one edition', () =>
  tryCourses(15, async () => {
    const store = await openStore(`${folder}/${++stores}`);
    return { store, end: store.close };
  }));

test('PostgreSQL: in random courses, each subscriber gets each new listing they wanted in exactly one edition', async () => {
  const primary = await aServer();
  await tryCourses(4, async () => {
    const url = await primary.migrated();
    const store = await openPostgresStore(url);
    return {
      store,
      async end() {
        await store.close();
        await primary.drop(url);
      },
    };
  });
});

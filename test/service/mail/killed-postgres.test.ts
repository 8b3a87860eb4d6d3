/** kill -9 while an edition or an announcement is created and delivered, on PostgreSQL. Signups and the like are killed on SQLite alone: killed.test.ts. */

import { before } from 'node:test';
import { aCity, MAIL_ENV } from '../../a-city.ts';
import { atDepth } from '../../depth.ts';
import { aServer } from '../database/a-postgres.ts';
import { fillCity, KILLS, QUICK_KILLS, testMailKills } from './kills.ts';

const city = aCity();
const primary = await aServer();
const filled = await primary.migrated();
let copies = 0;

before(async () => {
  city.config.databaseUrl = filled;
  const service = await city.open(new Date().toISOString());
  await fillCity(city, service);
  await service.close();
});

async function aCopy(): Promise<Record<string, string>> {
  return {
    ...{ ...city.env, ...MAIL_ENV, SHINGLE_DATA: `${city.folder}/copy-${++copies}`, SHINGLE_LIMITS: 'off' },
    DATABASE_URL: await primary.copyOf(filled),
  };
}

testMailKills('PostgreSQL', aCopy, atDepth(QUICK_KILLS.slice(1), KILLS));

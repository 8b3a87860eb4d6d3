/** kill -9 while an edition is created and delivered, on PostgreSQL. Signups and the like are killed on SQLite alone: killed.test.ts. */

import { after, before } from 'node:test';
import { aCity, MAIL_ENV } from '../a-city.ts';
import { aCluster, asked, type Cluster } from '../storage/a-postgres.ts';
import { fillCity, KILLS, testEditionKills } from './edition-kills.ts';

const TEMPLATE = 'filled_city';
const city = aCity();
let cluster: Cluster;
let copies = 0;

before(async () => {
  cluster = await aCluster();
  await asked(cluster.primary.url('postgres'), `create database ${TEMPLATE}`);
  city.config.databaseUrl = cluster.primary.url(TEMPLATE);
  const service = await city.open(new Date().toISOString());
  await fillCity(city, service);
  await service.close();
});
after(() => cluster?.end());

/** Every third; all of them in test/long. */
const kills = process.env.PEOPLE === undefined ? KILLS.filter((_, i) => i % 3 === 1) : KILLS;

async function aCopy(): Promise<Record<string, string>> {
  const name = `copy_${++copies}`;
  await asked(cluster.primary.url('postgres'), `create database ${name} template ${TEMPLATE}`);
  return {
    ...{ ...city.env, ...MAIL_ENV, SHINGLE_DATA: `${city.folder}/${name}`, SHINGLE_LIMITS: 'off' },
    DATABASE_URL: cluster.primary.url(name),
  };
}

testEditionKills('PostgreSQL', aCopy, kills);

/** kill -9 while an edition is created and delivered, on PostgreSQL. Signups and the like are killed on SQLite alone: killed.test.ts. */

import { after, before } from 'node:test';
import { aCity } from '../a-city.ts';
import { atDepth } from '../depth.ts';
import { aCluster, asked, type Cluster } from '../storage/a-postgres.ts';
import { fillCity, KILLS, QUICK_KILLS, testEditionKills } from './edition-kills.ts';

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

async function aCopy(): Promise<Record<string, string>> {
  const name = `copy_${++copies}`;
  await asked(cluster.primary.url('postgres'), `create database ${name} template ${TEMPLATE}`);
  return {
    ...{ SHINGLE_CITY: city.config.city, SHINGLE_DATA: `${city.folder}/${name}`, SHINGLE_LIMITS: 'off' },
    ...{ DATABASE_URL: cluster.primary.url(name), MAIL_FROM: 'news@rivermouth.example' },
    ...{ MAIL_POSTAL_ADDRESS: '1 Quay Street', PUBLIC_URL: 'https://rivermouth.example' },
  };
}

testEditionKills('PostgreSQL', aCopy, atDepth(QUICK_KILLS.slice(-1), KILLS));

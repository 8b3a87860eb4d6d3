/** kill -9 while an announcement is created and delivered, on both engines: everybody gets it, and once as far as that can be known. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { openStoreAt } from '../../../src/operations/data/store.ts';
import { aCity, MAIL_ENV } from '../../a-city.ts';
import { command } from '../../a-command.ts';
import { lastJson } from '../../a-process.ts';
import { addressesOf, addSubscribers } from '../../a-subscriber.ts';
import { aServer } from '../../database/a-postgres.ts';
import { atDepth } from '../../depth.ts';
import { type Arrived, aMailServer, parsed } from '../a-mail-server.ts';

const PEOPLE = 30;
const MIDDLE = PEOPLE / 2;
const city = aCity();
const file = city.file('announcement.md', '# Pro is here\n\nCome and see.\n');
let copies = 0;

const { primary, end: stop } = await aServer();
after(stop);

/** Where, and how many people may then have it twice: one for each connection on which DATA had begun. */
const KILLS: [kill: string, twice: number][] = [
  ['announcement:before 1', 0],
  ['announcement:committed 1', 0],
  ['message:claimed 1', 0],
  [`message:data ${MIDDLE}`, 2],
  [`message:accepted ${MIDDLE}`, 2],
  [`message:accepted ${PEOPLE}`, 2],
  [`message:marked ${MIDDLE}`, 1],
];

/** Taken by the mail server, which only the server knows. */
const QUICK = KILLS.filter(([kill]) => kill === `message:accepted ${MIDDLE}`);

const ENGINES: Record<string, () => Promise<Record<string, string>>> = {
  SQLite: async () => ({}),
  PostgreSQL: async () => ({ DATABASE_URL: await primary.migrated() }),
};

for (const [engine, place] of Object.entries(ENGINES))
  describe(`on ${engine}`, () => {
    for (const [kill, most] of atDepth(QUICK, KILLS))
      test(`killed at ${kill}: everybody gets the announcement, at most ${most} get it twice`, async () => {
        const env = { ...envOf(join(city.folder, `copy-${++copies}`)), ...(await place()) };
        await fill(env);
        const arrived = await announceTwice(env, kill);
        assert.equal(arrived.size, PEOPLE, 'nobody is missed');
        const twice = [...arrived.values()].filter((ids) => ids.length > 1);
        assert.ok(twice.length <= most, `${twice.length} got it twice`);
        for (const ids of twice) assert.deepEqual([ids.length, new Set(ids).size], [2, 1]);
      });
  });

function envOf(folder: string): Record<string, string> {
  return { ...city.env, ...MAIL_ENV, SHINGLE_DATA: folder };
}

async function fill(env: Record<string, string>): Promise<void> {
  const store = await openStoreAt({ dataFolder: env.SHINGLE_DATA!, databaseUrl: env.DATABASE_URL });
  const at = new Date().toISOString();
  await addSubscribers(store, addressesOf(PEOPLE), { type: 'pro-waitlist', at });
  await store.close();
}

/** Announces with a kill in it, and then twice more; answers the Message-IDs that each person got. */
async function announceTwice(env: Record<string, string>, kill: string): Promise<Map<string, string[]>> {
  const smtp = await aMailServer();
  const run = (more: Record<string, string> = {}) =>
    command(['waitlist', 'announce', '--type', 'pro-waitlist', '--from', file, '--json'], {
      ...env,
      SMTP_URL: smtp.url,
      ...more,
    });
  const died = await run({ DIES_AT: kill });
  assert.equal(died.code, null, `it was to die: ${died.out}${died.err}`);
  const again = await run();
  assert.equal(again.code, 0, again.err);
  assert.deepEqual([lastJson(again).sent, lastJson(again).waiting], [PEOPLE, 0]);
  const count = smtp.arrived.length;
  assert.equal(lastJson(await run()).outcome, 'repeated');
  assert.equal(smtp.arrived.length, count, 'a further run sends nothing');
  await smtp.close();
  return byRecipient(smtp.arrived);
}

async function byRecipient(arrived: readonly Arrived[]): Promise<Map<string, string[]>> {
  const ids = new Map<string, string[]>();
  for (const mail of arrived) {
    const { messageId } = await parsed(mail);
    ids.set(mail.to[0]!, [...(ids.get(mail.to[0]!) ?? []), messageId!]);
  }
  return ids;
}

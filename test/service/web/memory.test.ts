/** What has been asked leaves nothing behind: no collection of the process grows with addresses, clients or headers. */

import assert from 'node:assert/strict';
import { Session } from 'node:inspector/promises';
import { test } from 'node:test';
import { random } from '../../../cities/sample/random.ts';
import { openSqlite } from '../../../src/service/database/engines/sqlite.ts';
import { addDays } from '../../../src/shared/day.ts';
import { aFolder } from '../../a-folder.ts';
import { aClient } from '../../abuse/a-client.ts';
import { aSignupServer } from '../mail/a-mailing.ts';
import { asking } from '../search/made-up.ts';
import { index } from '../search/shops.ts';

/** Requests of each path. A collection that grows by half as many is one that keeps them. */
const ASKED = 60;

type Collection = Map<unknown, unknown> | Set<unknown> | unknown[];

function sizeOf(one: Collection): number {
  if (Array.isArray(one)) return one.length;
  try {
    return one.size;
  } catch {
    return 0; // a prototype, or something that inherits from one
  }
}

/** All maps, sets and lists of the process that are still in use. */
async function listCollections(session: Session): Promise<Collection[]> {
  const all: Collection[] = [];
  const taken = globalThis as unknown as { taken?: Collection[] };
  for (const name of ['Map', 'Set', 'Array']) {
    const { result } = await session.post('Runtime.evaluate', { expression: `${name}.prototype` });
    const { objects } = await session.post('Runtime.queryObjects', { prototypeObjectId: result.objectId! });
    const functionDeclaration = 'function () { globalThis.taken = this; }';
    await session.post('Runtime.callFunctionOn', { objectId: objects.objectId!, functionDeclaration });
    for (const one of taken.taken!) all.push(one);
    await session.post('Runtime.releaseObject', { objectId: objects.objectId! });
  }
  delete taken.taken;
  return all;
}

test('thousands of addresses, clients and headers that are seen once stay in no map, set or list', async (t) => {
  const { port, paths } = await aSignupServer(t, { mayEmbed: true, trustProxy: ['127.0.0.1/32'] });
  const client = aClient(port, 4);
  const next = random(20_261_128);
  const digits = (count: number) => Array.from({ length: count }, () => Math.floor(next() * 10)).join('');
  const ask = (count: number) => {
    const all = paths.flatMap((path) =>
      Array.from({ length: /png|problems/.test(path) ? 1 : count }, () => ({
        path: `${path}?category=${digits(400)}&neighborhood=${digits(400)}`, // texts as long as these are remembered nowhere
        headers: {
          'x-forwarded-for': `2001:${digits(3)}:${digits(3)}::${digits(3)}`,
          ...{ 'user-agent': digits(100), accept: 'text/html', 'if-none-match': `"${digits(16)}"` },
        },
      })),
    );
    return client.askAll(all, (_, { status }) => assert.ok(status < 500));
  };
  const session = new Session();
  session.connect();
  t.after(() => session.disconnect());
  await ask(3);
  const sizes = new Map((await listCollections(session)).map((one) => [one, sizeOf(one)]));
  await ask(ASKED);
  const isOurs = (one: unknown) =>
    one === sizes || (Array.isArray(one) && (one[0] instanceof Map || one[0] instanceof Set));
  const grown = (await listCollections(session)).filter(
    (one) => sizeOf(one) - (sizes.get(one) ?? 0) >= ASKED / 2,
  );
  assert.deepEqual(
    grown.filter((one) => !isOurs(one)).map((one) => [...one].slice(0, 3)),
    [],
  );
});

test('of many different statements and questions, the last few are remembered', async (t) => {
  const engine = openSqlite(aFolder());
  t.after(() => engine.close());
  const session = new Session();
  session.connect();
  t.after(() => session.disconnect());
  const listMaps = async () => (await listCollections(session)).filter((one) => !Array.isArray(one));
  const sizes = new Map((await listMaps()).map((one) => [one, sizeOf(one)]));
  for (let i = 0; i < 300; i++) await engine.read(`select ${i}`);
  const grown = (await listMaps()).filter(
    (one) => one !== sizes && sizeOf(one) - (sizes.get(one) ?? 0) >= 250,
  );
  assert.deepEqual(grown.map(sizeOf), []);
  const wordsSince = (filed_from: string) => index.read(asking({ q: 'pizza', filed_from })).words;
  const remembered = wordsSince('2015-01-01');
  assert.equal(wordsSince('2015-01-01'), remembered);
  for (let i = 1; i <= 1_000; i++) wordsSince(addDays('2015-01-01', -i));
  assert.notEqual(wordsSince('2015-01-01'), remembered);
});

/** kill -9 at every named point of signup, confirmation, unsubscribe, erasure, and creating and delivering editions: nothing acknowledged is lost. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { aCity, MAIL_ENV } from '../../a-city.ts';
import { command } from '../../a-command.ts';
import { type Running, running } from '../../a-process.ts';
import { openStore } from '../../a-store.ts';
import { atDepth } from '../../depth.ts';
import { until } from '../../until.ts';
import { parsed } from './a-mail-server.ts';
import { holding } from './holding.ts';
import { fillCity, testMailKills } from './kills.ts';

const city = aCity();
const envOf = (folder: string): Record<string, string> => ({
  ...{ ...city.env, ...MAIL_ENV, SHINGLE_DATA: folder, SHINGLE_LIMITS: 'off' },
});

before(async () => {
  const service = await city.open(new Date().toISOString());
  await fillCity(city, service);
  await service.close();
});

testMailKills(() => envOf(city.copyData()));

const POST = { method: 'POST' };
const SIGNUP = {
  ...POST,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ email: 'ann@b.example', type: 'weekly' }),
};

/** The links in the emails of a data folder, newest last. */
async function linksIn(folder: string): Promise<Record<string, string>[]> {
  const mails = join(folder, 'mail');
  const names = readdirSync(mails).filter((name) => name.endsWith('.eml'));
  return Promise.all(
    names
      .toSorted()
      .map(async (name) => (await parsed({ raw: readFileSync(join(mails, name), 'latin1'), to: [] })).links),
  );
}

async function oneMail(folder: string): Promise<Record<string, string>> {
  const found = await until(async () => {
    const links = await linksIn(folder).catch(() => []);
    return links.length > 0 ? links : undefined;
  }, 'an email');
  assert.equal(found.length, 1);
  return found[0]!;
}

async function people(folder: string): Promise<string[]> {
  const store = await openStore(folder);
  try {
    await store.repairAfterRestore(new Date().toISOString());
    const all = await store.subscribers.all();
    return all
      .filter(({ address }) => address.startsWith('ann@'))
      .flatMap(({ address, subscriptions }) => subscriptions.map(({ state }) => `${address} ${state}`));
  } finally {
    await store.close();
  }
}

const here = ({ url }: Running, link: string) => url + new URL(link).pathname + new URL(link).search;

/** Does `act` in a service that dies at the point; true where it was acknowledged all the same. */
async function dies(
  folder: string,
  point: string,
  act: (service: Running) => Promise<Response>,
): Promise<boolean> {
  const service = await running(['serve'], { ...envOf(folder), DIES_AT: `${point} 1` });
  const answer = await act(service).catch(() => undefined);
  await until(() => (service.child.signalCode === null ? undefined : true), `the kill at ${point}`);
  return answer !== undefined && answer.status < 300;
}

async function after(folder: string, act: (service: Running) => Promise<void>): Promise<void> {
  const service = await running(['serve'], envOf(folder));
  await act(service);
  assert.equal(await service.stop(), 0);
}

test('a signup that was acknowledged is stored and can be confirmed, even if the service is killed at once', async () => {
  const folder = city.copyData();
  assert.ok(await dies(folder, 'message:claimed', ({ url }) => fetch(`${url}/api/signup`, SIGNUP)));
  assert.deepEqual(await people(folder), ['ann@b.example pending']);
  await after(folder, async (service) => {
    const { confirm } = await oneMail(folder);
    assert.equal((await fetch(here(service, confirm!), POST)).status, 200);
  });
  assert.deepEqual(await people(folder), ['ann@b.example confirmed']);
});

test('a confirmation, unsubscribe or erasure that is killed is complete or undone, and can be repeated', async () => {
  const folder = city.copyData();
  await after(folder, async ({ url }) => {
    assert.equal((await fetch(`${url}/api/signup`, SIGNUP)).status, 202);
    await oneMail(folder);
  });
  const { confirm, manage } = await oneMail(folder);
  const form = (action: string) => ({ ...POST, body: new URLSearchParams({ action }) });
  // a write that fails at any other point: test/faults/torture.test.ts
  const steps: [point: string, link: string, init: RequestInit, then: string[]][] = [
    ['confirm:before-commit', confirm!, POST, ['ann@b.example pending']],
    ['confirm:committed', confirm!, POST, ['ann@b.example confirmed']],
    ['leave:before-commit', manage!, form('leave-weekly'), ['ann@b.example left']], // noted beside the database before
    ['leave:committed', manage!, form('leave-weekly'), ['ann@b.example left']],
    ['erase:before-commit', manage!, form('erase'), []],
  ];
  const oneOfEach = steps.filter(([point]) => /^(confirm:committed|leave:before|erase)/.test(point));
  for (const [point, link, init, then] of atDepth(oneOfEach, steps)) {
    assert.equal(await dies(folder, point, (service) => fetch(here(service, link), init)), false);
    assert.deepEqual(await people(folder), then, point);
  }
});

test('after a kill during an erasure, the next start removes the address from all files', async () => {
  const folder = city.copyData();
  const address = 'zebrafish@b.example';
  await command(['subscribers', 'add', address, '--confirmed'], envOf(folder));
  const service = await running(['serve'], envOf(folder)); // so that the journal outlives the command
  const died = await command(['subscribers', 'erase', address], {
    ...envOf(folder),
    DIES_AT: 'erase:committed 1',
  });
  assert.equal(died.code, null);
  assert.notDeepEqual(holding(folder, 'zebrafish'), [], 'it died before it had tidied up');
  const again = await command(['subscribers', 'erase', address], envOf(folder));
  assert.match(again.err, /no subscriber has this address/);
  assert.deepEqual(holding(folder, 'zebrafish'), []);
  assert.equal(await service.stop(), 0);
});

test('a message during which the service is killed three times is not sent again, and the log says so', async () => {
  const folder = city.copyData();
  assert.ok(await dies(folder, 'message:claimed', ({ url }) => fetch(`${url}/api/signup`, SIGNUP)));
  for (let again = 0; again < 2; again++)
    assert.equal((await command(['serve'], { ...envOf(folder), DIES_AT: 'message:claimed 1' })).code, null);
  await after(folder, async (service) => {
    await until(
      () => (/1 of the emails are not sent again/.test(service.said().err) ? true : undefined),
      'the warning',
    );
  });
  const store = await openStore(folder);
  const found = (await store.outbox.countMessages()).filter(({ kind }) => kind === 'confirmation');
  assert.deepEqual(found, [{ kind: 'confirmation', state: 'uncertain', count: 1 }]);
  assert.deepEqual(await linksIn(folder).catch(() => []), []);
  await store.close();
});

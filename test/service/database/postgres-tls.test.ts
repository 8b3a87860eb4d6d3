/** What goes over the way to PostgreSQL: nothing, until the server has proved who it is. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { TLSSocket } from 'node:tls';
import { openStoreAt, openStoreToRead } from '../../../src/service/data/store.ts';
import { openPostgres } from '../../../src/service/database/engines/postgres.ts';
import { aFolder } from '../../a-folder.ts';
import { until } from '../../until.ts';
import { anAuthority, setTls } from './a-certificate.ts';
import { aCluster, asked } from './a-postgres.ts';

const { primary, standby, end: stop } = await aCluster();
const authority = anAuthority();
const stranger = anAuthority();
const ROOT = `sslrootcert=${authority.file}`;
const folder = aFolder();
let url = '';

before(async () => {
  await standby.start();
  url = await primary.fresh();
});
after(async () => {
  await stop();
});

/** This database at these hosts. */
const at = (hosts: string, query = ''): string =>
  `${url.replace(/@[^/]*/, `@${hosts}`)}${query && `?${query}`}`;
/** This machine by an address that is not one of its loopback network: any other server for all that Shingle knows. */
const FAR = '0.0.0.0';

async function isEncrypted(address: string): Promise<boolean> {
  const engine = await openPostgres(address);
  try {
    const [row] = await engine.read<{ ssl: number }>(
      'select ssl from pg_stat_ssl where pid = pg_backend_pid()',
    );
    return row!.ssl === 1;
  } finally {
    await engine.close();
  }
}

async function isRefused(address: string, message: RegExp, code = 'refused'): Promise<void> {
  await assert.rejects(openPostgres(address), (error: Error & { code: string }) => {
    assert.match(error.message, message);
    assert.doesNotMatch(error.message, /secret/);
    assert.equal(error.code, code);
    return true;
  });
}

test('TLS with a trusted certificate is required, except on this machine and with sslmode=disable', async () => {
  const port = primary.port;
  await setTls(primary);
  await isRefused(at(`${FAR}:${port}`), /does not offer TLS, and sslmode is verify-full/);
  for (const mode of ['allow', 'prefer', 'require', 'verify-ca', 'verify-full'])
    await isRefused(at(`localhost:${port}`, `sslmode=${mode}`), /does not offer TLS/);
  await isRefused(at(`127.0.0.1:${port}`, 'ssl=true'), /does not offer TLS/);
  await isRefused(at(`127.0.0.1:${port}`, ROOT), /does not offer TLS/);
  assert.equal(await isEncrypted(at(`127.0.0.1:${port}`)), false);
  assert.equal(await isEncrypted(at(`localhost:${port}`)), false);
  assert.equal(await isEncrypted(at(`${FAR}:${port}`, 'sslmode=disable')), false);

  await setTls(primary, authority.certify(`IP:${FAR},DNS:localhost`));
  await isRefused(at(`${FAR}:${port}`), /is not trusted, and sslmode is verify-full: .*sslrootcert=FILE/);
  await isRefused(at(`${FAR}:${port}`, `sslrootcert=${stranger.file}`), /is not trusted/);
  await isRefused(at(`${FAR}:${port}`, 'sslrootcert=system'), /is not trusted/);
  assert.equal(await isEncrypted(at(`${FAR}:${port}`, ROOT)), true);
  for (const mode of ['allow', 'prefer', 'require', 'verify-ca', 'verify-full']) {
    await isRefused(at(`localhost:${port}`, `sslmode=${mode}`), /is not trusted/);
    await isRefused(at(`127.0.0.1:${port}`, `sslmode=${mode}&${ROOT}`), /is not trusted.*ALTNAME/);
    assert.equal(await isEncrypted(at(`localhost:${port}`, `sslmode=${mode}&${ROOT}`)), true);
  }
  assert.equal(await isEncrypted(at(`${FAR}:${port}`, `sslmode=disable&${ROOT}`)), false);
});

test('variables of Node and parameters of the driver cannot weaken TLS', async () => {
  await setTls(primary, stranger.certify(`IP:${FAR}`));
  const there = `${FAR}:${primary.port}`;
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  try {
    await isRefused(at(there), /is not trusted/);
  } finally {
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  }
  for (const query of [
    ...['sslmode=no-verify', 'sslmode=', 'sslmode=disable&sslmode=verify-full'],
    ...['ssl=0', 'ssl=no-verify', 'SSLMODE=disable', 'sslnegotiation=direct'],
    ...['uselibpqcompat=true&sslmode=require', 'sslrootcert=/nowhere/ca.pem'],
  ])
    await isRefused(at(there, query), /the database URL cannot be used: .*ssl/i);
  const elsewhere = at(`localhost:${primary.port}`, `host=${FAR}`);
  await isRefused(elsewhere, /"host" can only be the folder of a socket/);
});

test('each host of a list shows a certificate for its own name, even after a failover', async () => {
  const [near, far] = [`localhost:${primary.port}`, `127.0.0.1:${standby.port}`];
  await setTls(primary, authority.certify('DNS:localhost'));
  await setTls(standby, authority.certify('IP:127.0.0.1'));
  const swapped = at(`127.0.0.1:${primary.port},localhost:${standby.port}`, `sslmode=verify-full&${ROOT}`);
  await isRefused(swapped, /is not trusted.*ALTNAME/);
  assert.equal(await isEncrypted(at(`${far},${near}`, `sslmode=verify-full&${ROOT}`)), true);

  const engine = await openPostgres(at(`${near},${far}`, `sslmode=verify-full&${ROOT}`));
  const misnamed = await openPostgres(at(`${near},localhost:${standby.port}`, `sslmode=verify-full&${ROOT}`));
  const writable = () =>
    asked<{ off: boolean }>(standby.url('postgres'), 'select not pg_is_in_recovery() as off');
  try {
    await until(
      async () => ((await asked(url, 'select 1 from pg_stat_replication')).length > 0 ? true : undefined),
      'the standby',
    );
    await primary.crash();
    await asked(standby.url('postgres'), 'select pg_promote()');
    await until(async () => (await writable())[0]?.off || undefined, 'the promotion');
    const read = () => engine.read<{ one: number }>('select 1 as one').catch(() => undefined);
    assert.deepEqual(await until(read, 'the promoted server'), [{ one: 1 }]);
    // away, not refused: the service goes on, and its visitors are told to come back
    await assert.rejects(misnamed.read('select 1'), { code: 'store' });
    await assert.rejects(misnamed.read('select 1'), { code: 'store' });
  } finally {
    await Promise.all([engine.close(), misnamed.close()]);
    await standby.crash();
    await primary.start();
  }
});

test('a server that loses its TLS while the service runs counts as away until TLS is back', async () => {
  await setTls(primary, authority.certify('DNS:localhost'));
  const engine = await openPostgres(at(`localhost:${primary.port}`, `sslmode=require&${ROOT}`));
  try {
    await setTls(primary);
    await asked(
      primary.url('postgres'),
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'shingle'",
    );
    const failed = async () =>
      engine.read('select 1').then(
        () => undefined,
        (error: Error) => error,
      );
    for (let i = 0; i < 3; i++) await failed();
    const error = (await failed()) as Error & { code: string };
    assert.equal(error.code, 'store');
    assert.match(error.message, /does not offer TLS, and sslmode/);
    await setTls(primary, authority.certify('DNS:localhost'));
    assert.deepEqual(await engine.read('select 1 as one'), [{ one: 1 }]);
  } finally {
    await engine.close();
  }
});

/** A server that asks for the password in clear: before TLS, instead of it, or after it with a certificate of its own. */
async function aThief(answer: (socket: Socket) => void) {
  const seen: Buffer[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined).on('data', (bytes: Buffer) => seen.push(bytes));
    socket.once('data', () => answer(socket));
  });
  server.listen(0, FAR);
  await once(server, 'listening');
  return {
    url: `postgres://shingle:secret@${FAR}:${(server.address() as { port: number }).port}/shingle`,
    seen: () => Buffer.concat(seen).toString('latin1'),
    close: () => server.close(),
  };
}

const CLEARTEXT = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]); // AuthenticationCleartextPassword
const THIEVES: Record<string, (socket: Socket) => void> = {
  'has no TLS': (socket) => socket.write('N'),
  'asks instead of answering': (socket) => socket.write(CLEARTEXT),
  'asks in the same breath as it agrees': (socket) =>
    socket.write(Buffer.concat([Buffer.from('S'), CLEARTEXT])),
  'has a certificate of nobody we know': (socket) => {
    const { cert, key } = stranger.certify(`IP:${FAR}`);
    socket.removeAllListeners('data').write('S');
    const safe = new TLSSocket(socket, { isServer: true, cert: readFileSync(cert), key: readFileSync(key) });
    safe.on('error', () => undefined).write(CLEARTEXT);
    safe.on('data', (bytes: Buffer) => socket.emit('told', bytes));
  },
};

for (const [name, answer] of Object.entries(THIEVES)) {
  test(`a server that ${name} does not get the password`, async () => {
    const told: Buffer[] = [];
    const thief = await aThief((socket) => {
      socket.on('told', (bytes: Buffer) => told.push(bytes));
      answer(socket);
    });
    try {
      const place = { dataFolder: folder, databaseUrl: thief.url };
      await assert.rejects(openStoreAt(place), { code: 'refused', message: /sslmode/ });
      await assert.rejects(openStoreToRead(place), { code: 'refused', message: /sslmode/ });
      assert.doesNotMatch(thief.seen(), /secret|shingle/);
      assert.equal(Buffer.concat(told).length, 0, 'nothing after the handshake');
    } finally {
      thief.close();
    }
  });
}

/** Room for everybody: what one client can hold of the connections there are. */

import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { connect, type Server, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { limitConnections } from '../../../src/service/web/connections.ts';
import { aClient } from '../../abuse/a-client.ts';
import { until } from '../../until.ts';
import { aDoor } from './a-door.ts';

const HALF = 'GET /api/search HTTP/1.1\r\nHost: rivermouth.example\r\nX-A';
const ATTEMPTS = 2000;
const MOST = 100; // docs/api.md

type Peer = {
  /** Open, or still on their way. */
  held(): number;
  /** Ended without an answer. One that is too slow is answered 408, and is not among them. */
  refused(): number;
  sockets: Socket[];
  leave(): void;
};

/** Opens connections from an address and says half a header on each, or nothing. */
function aPeer(
  t: TestContext,
  { port, from, count, says = HALF }: { port: number; from: string; count: number; says?: string },
): Peer {
  let refused = 0;
  const sockets = Array.from({ length: count }, () => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from }).on('error', () => undefined);
    socket.once('connect', () => socket.write(says)).once('close', () => socket.bytesRead === 0 && refused++);
    return socket.resume();
  });
  const leave = () => sockets.forEach((socket) => void socket.destroy());
  t.after(leave);
  return {
    held: () => sockets.filter(({ destroyed }) => !destroyed).length,
    refused: () => refused,
    sockets,
    leave,
  };
}

/** The status over a connection of its own. */
async function statusFor(port: number, from: string, path: string): Promise<number> {
  return (await aClient(port, 1, from).ask({ path, headers: { Connection: 'close' } })).status;
}

test('a client that opens 2,000 connections with incomplete headers keeps 100, and other clients are answered', async (t) => {
  const { port } = await aDoor(t, {});
  const peer = aPeer(t, { port, from: '127.0.0.1', count: ATTEMPTS });
  const statuses = new Set<number>();
  for (let probes = 0; probes < 30 || peer.held() > MOST; probes++)
    for (const path of ['/api/health', '/api/search']) statuses.add(await statusFor(port, '127.0.0.2', path));
  assert.deepEqual([...statuses], [200]);
  const slow = peer.sockets.filter(({ bytesRead }) => bytesRead > 0).length; // where the machine is busy
  assert.equal(peer.held() + slow, ATTEMPTS - peer.refused());
  assert.ok(slow > 0 || peer.held() === MOST, `${peer.held()} are held`);

  peer.leave();
  const again = () => statusFor(port, '127.0.0.1', '/api/health').catch(() => undefined);
  assert.equal(await until(again, 'room again'), 200);
});

test('the profile sets the number of connections, and Shingle counts none behind a proxy or without limits', async (t) => {
  const held = async (given: Parameters<typeof aDoor>[1], wanted: number): Promise<void> => {
    const { port } = await aDoor(t, given);
    const peer = aPeer(t, { port, from: '127.0.0.3', count: 150 });
    await until(() => peer.held() === wanted || undefined, `${wanted} connections`);
    await until(() => peer.sockets.every(({ connecting }) => !connecting) || undefined, 'half a header');
    for (const socket of peer.sockets) if (!socket.destroyed) socket.write(': 1\r\n\r\n');
    const answered = () => peer.sockets.filter(({ bytesRead }) => bytesRead > 0).length;
    await until(() => answered() + peer.refused() === 150 || undefined, 'an answer to each');
    assert.equal(answered(), wanted);
    peer.leave();
  };
  await held({ limits: { connections: 7 } }, 7);
  await held({ limits: { connections: 7 }, trustProxy: ['10.0.0.0/8'] }, 150);
  await held({ limits: 'off' }, 150);
});

test('connections are counted for an IPv4 address in any spelling, or an IPv6 /48', () => {
  const server = new EventEmitter();
  limitConnections(server as Server, 1);
  const isLetIn = (remoteAddress: string): boolean => {
    let isOpen = true;
    const socket = Object.assign(new EventEmitter(), {
      remoteAddress,
      resetAndDestroy: () => {
        isOpen = false;
      },
    });
    server.emit('connection', socket);
    return isOpen;
  };
  const tries = ['203.0.113.1', '203.0.113.2', '::ffff:203.0.113.1', '2001:db8:1::1', '2001:db8:2::1'];
  assert.deepEqual(tries.map(isLetIn), [true, true, false, true, true]);
  assert.equal(isLetIn('2001:db8:1:ff00::9'), false);
});

test('2,000 idle connections from twenty addresses do not shut other clients out', async (t) => {
  const { port } = await aDoor(t, {});
  const peers = Array.from({ length: 20 }, (_, i) =>
    aPeer(t, { port, from: `127.0.1.${i + 1}`, count: MOST, says: '' }),
  );
  const settled = () => peers.every(({ sockets }) => sockets.every(({ connecting }) => !connecting));
  await until(() => settled() || undefined, 'all connections');
  const statuses = new Set<number>();
  for (let i = 0; i < 100; i++)
    statuses.add(await statusFor(port, `127.0.2.${1 + (i % 200)}`, '/api/search'));
  assert.deepEqual([...statuses], [200]);
  const left = peers.map(({ held }) => held());
  assert.ok(Math.max(...left) - Math.min(...left) <= 5, `of each address ${left} are left`);
});

/** A proxy that TRUST_PROXY does not name is told of; one visitor that forges its header is not enough. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get as httpGet } from 'node:http';
import { test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { openAddressReader } from '../../../src/service/web/limits/client-address.ts';
import { aDoor } from './a-door.ts';

test('health warns of forwarded addresses from a second client or a proxy, but not from one client', () => {
  const clock = { now: 0 };
  const seen = (...requests: [peer: string, forwarded: string, afterMs?: number][]): [boolean, number] => {
    let warnings = 0;
    const reader = openAddressReader(
      ['10.0.0.0/8'],
      () => clock.now,
      () => void warnings++,
    );
    for (const [remoteAddress, forwarded, afterMs = 0] of requests) {
      clock.now += afterMs;
      const headers = { 'x-forwarded-for': forwarded };
      assert.equal(reader.addressOf({ socket: { remoteAddress }, headers } as never), remoteAddress);
    }
    return [reader.sawUnvouched(), warnings];
  };
  assert.deepEqual(seen(['198.51.100.1', '203.0.113.9'], ['198.51.100.1', '203.0.113.8']), [false, 1]);
  assert.deepEqual(seen(['2001:db8:1:1::1', 'a'], ['2001:db8:1:ffff::2', 'b']), [false, 1], 'one /48');
  assert.deepEqual(seen(['198.51.100.1', '203.0.113.9'], ['198.51.100.2', '203.0.113.9']), [true, 1]);
  assert.deepEqual(seen(['2001:db8:1::1', 'a'], ['2001:db8:2::1', 'a']), [true, 1]);
  for (const proxy of ['127.0.0.1', '::1', '192.168.1.2', '172.17.0.1', 'fd00::1']) {
    assert.deepEqual(seen([proxy, '203.0.113.9'], [proxy, '203.0.113.9']), [false, 1], proxy);
    assert.deepEqual(seen([proxy, '203.0.113.9'], [proxy, '203.0.113.8']), [true, 1], proxy);
    assert.deepEqual(
      seen([proxy, '1.1.1.1, 203.0.113.9'], [proxy, '2.2.2.2, 203.0.113.9']),
      [false, 1],
      proxy,
    );
  }
  const longAgo: [string, string, number] = ['198.51.100.2', '203.0.113.9', 600_000];
  assert.deepEqual(seen(['198.51.100.1', '203.0.113.9'], longAgo), [false, 2]);
  assert.deepEqual(seen(['198.51.100.1', 'a'], ['198.51.100.2', 'a', 599_999]), [true, 1]);
});

test('one forged header does not change health, and a second client’s header is reported for ten minutes', async (t) => {
  let app: FastifyInstance;
  const routes = (opened: FastifyInstance) => {
    app = opened;
  };
  const { port, clock } = await aDoor(t, { routes });
  const forge = async (localAddress: string, forwarded: string) => {
    const headers = { 'x-forwarded-for': forwarded };
    const request = httpGet({
      port,
      host: '127.0.0.1',
      path: '/api/stats',
      localAddress,
      headers,
      agent: false,
    });
    const [response] = await once(request, 'response');
    await once(response.resume(), 'end');
  };
  for (let i = 0; i < 3; i++) await forge('127.0.0.1', '203.0.113.1');
  assert.equal(app!.sawUnvouched(), false);
  await forge('127.0.0.2', '203.0.113.2');
  assert.equal(app!.sawUnvouched(), true);
  clock.now += 599_999;
  assert.equal(app!.sawUnvouched(), true);
  clock.now += 1;
  assert.equal(app!.sawUnvouched(), false);
});

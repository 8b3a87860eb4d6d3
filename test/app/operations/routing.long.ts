/** Three instances on one PostgreSQL, behind the proxies as shipped: a client has one budget, because it has one instance. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { aCity } from '../../a-city.ts';
import { commandsOf } from '../../a-command.ts';
import { aFolder } from '../../a-folder.ts';
import { type Running, running } from '../../a-process.ts';
import { aServer } from '../../service/database/a-postgres.ts';
import { until } from '../../until.ts';
import { type Asked, ask, caddyAsShipped, nginxAsShipped, type ProxyServer, without } from './a-proxy.ts';

const ROWS = 200; // listings a day for one client
const BUCKET = ROWS / 2; // at once: four pages
const MANY = 60; // clients: that none of them meets one of three instances has a chance of one in ten million
const NEEDS_NGINX = { skip: without('nginx', true) || without('openssl', true) };
const NEEDS_CADDY = { skip: without('caddy', true) };

const folder = aFolder();
chmodSync(folder, 0o755); // nginx looks into it as another user
const primary = await aServer();
const city = aCity();
city.change('sources: [source({', `limits: { rows: ${ROWS} }, sources: [source({`);
const env = { DATABASE_URL: await primary.migrated(), TRUST_PROXY: '127.0.0.1/32' };
const ingest = await commandsOf(city, env)('ingest', '--from', city.csv(300));
assert.equal(ingest.code, 0, ingest.err);
const instances = await Promise.all([1, 2, 3].map((i) => anInstance(`instance-${i}`)));
after(() => Promise.all(instances.map((instance) => instance.stop())));

function freshFolder(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

async function anInstance(name: string): Promise<Running> {
  const instance = await running(['serve'], { ...city.env, ...env, SHINGLE_DATA: freshFolder(name) });
  await until(async () => (await fetch(`${instance.url}/api/health`)).ok, 'the listings');
  return instance;
}

const urls = instances.map(({ url }) => url);

type Served = { rows: number; by: Set<string> };

/** Asks for new pages until one is refused, and then some more. A client lies about its address in every request. */
async function takeAll({ url }: ProxyServer, client: Asked = {}, from = 1): Promise<Served> {
  const served: Served = { rows: 0, by: new Set() };
  for (let request = 0, refused = 0; refused < 4; request++) {
    const lie = `203.0.113.${request}`;
    const headers = { 'x-forwarded-for': lie, 'x-real-ip': lie, 'x-shingle-client': lie, ...client.headers };
    const answer = await ask(url, `/api/search?offset=${25 * request + from}`, { ...client, headers });
    assert.ok(answer.status === 200 || answer.status === 429, `${answer.status}: ${answer.text}`);
    if (answer.status === 200) served.rows += JSON.parse(answer.text).listings.length;
    else refused++;
    served.by.add(instanceOf(answer.headers));
  }
  return served;
}

/** Which instance answered, as the test's own directive of the proxy says; the last one where several were tried. */
const instanceOf = (headers: Record<string, unknown>) => String(headers['x-instance']).split(', ').at(-1)!;

/** Which instances answer these clients, each asking once. */
async function instancesFor({ url }: ProxyServer, clients: readonly Asked[]): Promise<Set<string>> {
  const by = new Set<string>();
  for (const client of clients) {
    const { status, headers } = await ask(url, '/api/stats', client);
    assert.equal(status, 200);
    by.add(instanceOf(headers));
  }
  return by;
}

const many = (client: (i: number) => Asked) => Array.from({ length: MANY }, (_, i) => client(i));
const inNginx = ['add_header X-Instance $upstream_addr always;'];
/** nginx takes the client's address from a header, as it does behind a CDN: the loopback has only one of IPv6. */
const withAddresses = [...inNginx, 'set_real_ip_from 127.0.0.1;', 'real_ip_header X-Test-Address;'];
const as = (address: string): Asked => ({ headers: { 'x-test-address': address } });

test(
  'nginx sends every address of an IPv6 /48, in every spelling, to one instance',
  NEEDS_NGINX,
  async () => {
    const nginx = await nginxAsShipped(freshFolder('nginx-48'), urls, withAddresses);
    for (const spellings of [
      [
        ...['2001:db8::1', '2001:DB8:0:1::1', '2001:0db8:0000:ffff:0:0:0:1'],
        ...['2001:db8:0:a00:1:2:3:4', '2001:db8::10.10.10.10'],
      ],
      [
        ...['2001:db8:a::1', '2001:db8:A:0:1::', '2001:db8:000a:1:0:0:0:0'],
        ...['2001:0DB8:a::a:0:0:a', '2001:db8:a:a0a::1'],
      ],
      ['2001::1', '2001:0:0:1::1', '2001::1:0:0:0:1', '2001:0:0:ffff:ffff:ffff:ffff:ffff'],
      ['::1', '0:0:0:7::', '::1:2:3:4:5', '0::0'],
      ['::3:0:0:0:0:1', '0:0:3::', '0:0:3:4:5:6:7:8'],
      ['203.0.113.9', '::ffff:203.0.113.9', '::FFFF:cb00:7109'],
      ['10.10.10.10', '::ffff:a0a:a0a'],
    ])
      assert.equal((await instancesFor(nginx, spellings.map(as))).size, 1, spellings.join());
    for (const others of [
      many((i) => as(`2001:db8:${i.toString(16)}::1`)),
      many((i) => as(`2001:${i.toString(16)}::1`)),
      many((i) => as(`::ffff:203.0.113.${i}`)),
    ])
      assert.equal((await instancesFor(nginx, others)).size, 3, 'sites, and IPv4 addresses, are spread');

    const household = await takeAll(nginx, as('2001:db8:beef:100::1'));
    assert.deepEqual([household.rows, household.by.size], [BUCKET, 1]);
    const site: Served = { ...household };
    for (const home of [
      'beef::1',
      'BEEF:2ff::',
      'beef:0300:0:0:0:1',
      'beef:400::9',
      'beef:ff00::1',
      'beef:aaaa::',
    ]) {
      // what the household read is new to none of them
      const { rows, by } = await takeAll(nginx, as(`2001:db8:${home}`), BUCKET + site.rows);
      site.rows += rows;
      site.by = site.by.union(by);
    }
    assert.deepEqual(
      [site.rows, site.by.size],
      [1.5 * BUCKET, 1],
      'one and a half budgets, not four and a half',
    );
    await nginx.stop();
  },
);

test('Caddy sends every address of an IPv6 /48 to one instance', NEEDS_CADDY, async () => {
  const caddy = await caddyAsShipped(freshFolder('caddy-48'), urls, (text) =>
    toldWhich(text).replace('map {remote_host}', 'map {header.X-Test-Address}'),
  );
  const keyOf = async (address: string) =>
    (await ask(caddy.url, '/api/search?limit=0', as(address))).headers['x-key'];
  // as Go writes addresses: the first of the longest runs of zeros is left out
  for (const [key, addresses] of Object.entries({
    '2001:db8:0': ['2001:db8::1', '2001:db8:0:1::', '2001:db8:0:1:2:3:4:5', '2001:db8::1:0:0:1'],
    '2001:db8:a': [
      ...['2001:db8:a::', '2001:db8:a::1', '2001:db8:a:b::1', '2001:db8:a:0:1::', '2001:db8:a:1:2:3:4:5'],
    ],
    '2001:0:0': ['2001::', '2001::1', '2001:0:0:1::', '2001::1:0:0:0:1', '2001::1:2:3:4:5'],
    '2001:0:a': ['2001:0:a::1', '2001:0:a:1:2:3:4:5'],
    '203.0.113.9': ['203.0.113.9'],
    '::1': ['::1'],
  }))
    for (const address of addresses) assert.equal(await keyOf(address), key, address);
  const sites = many((i) => as(`2001:db8:${i.toString(16)}::1`));
  assert.equal((await instancesFor(caddy, sites)).size, 3);
  const site = ['2001:db8:7::1', '2001:db8:7:1::', '2001:db8:7:0:1::', '2001:db8:7:ff:1:2:3:4'].map(as);
  assert.equal((await instancesFor(caddy, site)).size, 1);
  await caddy.stop();
});

/** Headers for the test. */
function toldWhich(text: string): string {
  return text
    .replace('\treverse_proxy ', () => '\theader X-Key {shingle_client}\n\treverse_proxy ')
    .replace(
      '\t\tlb_policy',
      () => '\t\theader_down X-Instance {http.reverse_proxy.upstream.hostport}\n\t\tlb_policy',
    );
}

const FAILOVER = {
  nginx: (services: string[]) => nginxAsShipped(freshFolder('nginx-failing'), services, inNginx),
  Caddy: (services: string[]) => caddyAsShipped(freshFolder('caddy-failing'), services, toldWhich),
};
for (const [i, [name, start]] of Object.entries(FAILOVER).entries())
  test(`when an instance behind ${name} dies, its clients continue at another instance with a new budget`, {
    ...(name === 'nginx' ? NEEDS_NGINX : NEEDS_CADDY),
  }, async () => {
    const dying = await anInstance(`dying-${i}`);
    const { host } = new URL(dying.url);
    const proxy = await start([dying.url, ...urls]);
    const clients = many((client) => ({ from: `127.0.${5 + i}.${client}` }));
    const at = await Promise.all(
      clients.map(async (client) => (await instancesFor(proxy, [client])).has(host)),
    );
    const theirs = clients.filter((_, client) => at[client]).slice(0, 3);
    const others = clients.filter((_, client) => !at[client]).slice(0, 3);
    assert.ok(theirs.length > 0 && others.length > 0);
    for (const client of [...theirs, ...others]) {
      const { rows, by } = await takeAll(proxy, client);
      assert.deepEqual([rows, by.size], [BUCKET, 1]);
    }
    const gone = once(dying.child, 'exit');
    dying.child.kill('SIGKILL');
    await gone;
    for (const client of theirs) {
      const { rows, by } = await takeAll(proxy, client);
      assert.deepEqual([rows, by.size, by.has(host)], [BUCKET, 1, false], 'at one other instance');
    }
    for (const client of others)
      assert.equal((await takeAll(proxy, client)).rows, 0, 'they stay where they are');
    await proxy.stop();
  });

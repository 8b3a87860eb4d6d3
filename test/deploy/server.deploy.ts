/**
 * A public city on Debian 13, started by systemd: the commands of docs/serve-your-town.md, docs/operate.md and docs/deploy.md, typed one after the
 * other. Only what a test cannot have is something else: the register and the mail server are the test's, and certificates come from
 * an authority in the guest, over ACME.
 */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort } from '../a-port.ts';
import { saidBy } from '../app/operations/a-proxy.ts';
import { blocksOf, blockWith, instead } from '../blocks.ts';
import { aMailServer } from '../service/mail/a-mail-server.ts';
import { until } from '../until.ts';
import { aGuest } from './a-guest.ts';
import { aLargeFolder, aRegistry, ROOT, takenPort, withoutRoot } from './a-machine.ts';
import { NAME, visit, visitOverHttp2 } from './a-visitor.ts';

const PAGE = 'docs/serve-your-town.md';
const BACKUP = 'docs/operate.md';
const PROXY = 'docs/deploy.md';
const AUTHORITY = 'authority.example.org';
const ROOT_CERTIFICATE = '/var/lib/authority/pki/authorities/local/root.crt';
const IN_TOWN = 'cd ~/my-town\n';
const startsAuthority =
  'sudo systemd-run --quiet --unit=authority caddy run --config /var/lib/authority/Caddyfile';

const skip =
  withoutRoot('mmdebstrap', 'systemd-nspawn', 'nsenter', 'setpriv', 'apt-get', 'npm') ||
  (await takenPort(80, 443, 3000));

test('the commands of the docs make a public city on Debian 13', { skip }, async (t) => {
  const folder = aLargeFolder();
  const registry = await aRegistry(folder);
  const mail = await aMailServer();
  const guest = await aGuest({ folder, ...registry, hosts: [NAME, AUTHORITY] });
  const inTown = (commands: string) => guest.types(IN_TOWN + commands);
  const asService = (commands: string) => guest.types(`sudo -iu shingle bash -euo pipefail`, commands);
  const authority = await startAuthority();
  const steps = blocksOf(PAGE);
  const step = (number: number) => steps[number - 1]!.text;
  const certificate = () => guest.types(`sudo cat ${ROOT_CERTIFICATE}`);
  const totalAt = async (ask: () => Promise<string>) =>
    until(async () => {
      const answer = await ask().catch(() => '');
      return answer.startsWith('{"') ? (JSON.parse(answer).total as number | undefined) : undefined;
    }, 'an answer with a total');
  const served = () => totalAt(async () => (await visit(await certificate(), '/api/search?limit=0')).text);
  const property = async (name: string) =>
    (await guest.types(`systemctl show --value --property=${name} shingle`)).trim();

  let isBroken = false;
  /** One part of it; those after one that fails are skipped, because they build on it. */
  const part = (name: string, run: () => Promise<void>) =>
    t.test(name, async (within) => {
      if (isBroken) return within.skip('an earlier part failed');
      isBroken = true;
      await run();
      isBroken = false;
    });

  async function startAuthority(): Promise<string> {
    const port = await freePort();
    const caddyfile = `{
      admin off
      skip_install_trust
      auto_https disable_redirects
      storage file_system /var/lib/authority
    }
    https://${AUTHORITY}:${port} {
      tls internal
      acme_server
    }`;
    await guest.as('root', 'mkdir -p /var/lib/authority && cat > /var/lib/authority/Caddyfile', caddyfile);
    return `https://${AUTHORITY}:${port}/acme/local/directory`;
  }

  await part('1-2: installs, and drafts a city from an export', async () => {
    await guest.types('cat > ~/export.csv', readFileSync(join(ROOT, 'docs/example/register.csv'), 'utf8'));
    await guest.types(step(1));
    await guest.types(
      `file=$(npm config get globalconfig) && sudo mkdir -p "\${file%/*}" && sudo tee "$file"`,
      guest.npmrc,
    );
    await guest.types(`npm install ${registry.name}`); // as its tarball would be
    const said = await guest.types(step(2));
    assert.match(said, /cd my-town\n {2}npm start/);
  });

  await part('3: serves it until Ctrl-C', async () => {
    const service = guest.begins(`script -qec ${JSON.stringify(step(3))} /dev/null`);
    const said = saidBy(service);
    const asked =
      "curl -fs --retry 120 --retry-delay 1 --retry-all-errors 'http://127.0.0.1:3000/api/search?limit=0'";
    assert.equal(await totalAt(() => guest.types(asked)), 21, said());
    await guest.types("pkill -INT --full '^node .*shingle start'");
    await until(() => (service.exitCode === null ? undefined : true), 'the end of it');
  });

  await part('4-5: the service runs as its own user', async () => {
    await inTown(instead(step(4), { 'smtp://USER:PASSWORD@mail.example.org:587': mail.url }));
    await inTown(step(5));
    assert.equal(await totalAt(() => guest.types("curl -s 'http://127.0.0.1:3000/api/search?limit=0'")), 21);
    assert.match(
      await guest.types('ps -o user= -p "$(systemctl show --value -p MainPID shingle)"'),
      /^shingle$/m,
    );
  });

  await part('6: Caddy gets a certificate, and serves the city over TLS and HTTP/2', async () => {
    await guest.types(startsAuthority);
    await until(
      async () => (await guest.as('root', `test -s ${ROOT_CERTIFICATE}`)).code === 0 || undefined,
      'the authority',
    );
    await guest.types(
      `sudo cp ${ROOT_CERTIFICATE} /usr/local/share/ca-certificates/ && sudo update-ca-certificates`,
    );
    const atOurs = `-e 's,admin off,acme_ca ${authority},'`;
    await inTown(instead(step(6), { 'sed ': `sed ${atOurs} -e ` }));
    assert.equal(await served(), 21);
    assert.equal(await visitOverHttp2(await certificate()), 200);
  });

  await part('7-8: mail arrives, and somebody signs up', async () => {
    await guest.types(step(7));
    assert.deepEqual((await mail.mails(1))[0]?.rcpt, ['you@example.org']);
    assert.match(await guest.types(step(8)), /"status":"(ok|warn)"/);
    const ca = await certificate();
    assert.ok(
      (await visit(ca, '/signup', { form: { email: 'ann@example.org', type: 'weekly' } })).status! < 300,
    );
    const link = (await mail.mails(2))[1]!.links.confirm!;
    assert.ok(link.startsWith(`https://${NAME}/confirm?token=`), link);
    const { pathname, search } = new URL(link);
    assert.equal((await visit(ca, pathname + search, { form: {} })).status, 200);
    assert.match(await guest.types('sudo -iu shingle npx shingle subscribers list'), /ann@example\.org/);
  });

  await part('a newer export is imported', async () => {
    const rows = readFileSync(join(ROOT, 'docs/example/register.csv'), 'utf8');
    await guest.types('cat > ~/register.csv', rows);
    await guest.types(instead(blockWith(PAGE, '/srv/shingle/filings/'), { 'export.csv': 'register.csv' }));
  });

  await part('after a kill, systemd starts it again; a stop is clean', async () => {
    const before = await property('MainPID');
    await guest.types(`sudo kill -KILL ${before}`);
    await until(async () => (await property('NRestarts')) === '1' || undefined, 'the restart');
    assert.equal(await served(), 21);
    assert.notEqual(await property('MainPID'), before);
    await guest.types('sudo systemctl stop shingle');
    assert.deepEqual(
      [await property('Result'), await property('ExecMainStatus'), await property('ExecMainCode')],
      ['success', '0', '1'],
    );
    await guest.types('sudo systemctl start shingle');
    assert.equal(await served(), 21);
  });

  await part('it can write to its data alone', async () => {
    const enter = 'sudo nsenter -t "$(systemctl show --value -p MainPID shingle)" -m --';
    const writes = async (path: string) =>
      (await guest.as('ada', `${enter} touch ${path} 2>&1`)).said.includes('Read-only')
        ? 'refused'
        : 'written';
    for (const path of [
      ...['/srv/shingle/city.yaml', '/srv/shingle/.env', '/srv/shingle/node_modules/x', '/etc/x', '/home/x'],
    ])
      assert.equal(await writes(path), 'refused', path);
    assert.equal(await writes('/srv/shingle/data/x'), 'written');
  });

  await part('it comes back after a reboot', async () => {
    await guest.reboot();
    assert.equal(await served(), 21);
  });

  await part('an upgrade keeps the data', async () => {
    registry.publishNext();
    await guest.types(instead(blockWith(PAGE, 'npm update'), { 'npm update': 'npm update --prefer-online' }));
    assert.equal(await served(), 21);
    const { text } = await visit(await certificate(), '/api/health');
    assert.equal(JSON.parse(text).version, registry.next);
  });

  await part('the unit starts where there is no data folder yet', async () => {
    await guest.types('sudo systemctl stop shingle && sudo mv /srv/shingle/data /srv/shingle/aside');
    await guest.types('sudo systemctl start shingle');
    const hasData = 'sudo test -e /srv/shingle/data/shingle.db && systemctl is-active shingle || true';
    await until(async () => /^active$/m.test(await guest.types(hasData)) || undefined, 'a database');
    await guest.types('sudo systemctl stop shingle && sudo rm -r /srv/shingle/data');
    await guest.types('sudo mv /srv/shingle/aside /srv/shingle/data && sudo systemctl start shingle');
    assert.equal(await served(), 21);
  });

  await part('a backup brings back a lost database', async () => {
    const [prepare = '', backUp = '', restore = ''] = blocksOf(BACKUP)
      .filter(({ heading }) => heading === 'On a server, step by step')
      .map(({ text }) => text);
    await guest.types(instead(prepare, { 'sudo -iu shingle': '' }));
    await asService(backUp);
    await guest.types('sudo systemctl stop shingle && sudo truncate -s 5000 /srv/shingle/data/shingle.db');
    await guest.types('sudo systemctl start shingle || true'); // a refusal may come before systemd says "started"
    await until(async () => (await property('ActiveState')) === 'failed' || undefined, 'the refusal');
    assert.equal(await property('ExecMainStatus'), '78');
    assert.match(await asService(restore), /^restored .* listings/m);
    await guest.types('sudo systemctl start shingle');
    assert.equal(await served(), 21);
    assert.match(await guest.types('sudo -iu shingle npx shingle subscribers list'), /ann@example\.org/);
  });

  await part('nginx in place of Caddy: a certificate and HTTP/2', async () => {
    await guest.types(startsAuthority);
    const block = blockWith(PROXY, 'certbot certonly');
    const [before, after] = block.split(/^(?=sudo certbot)/m) as [string, string];
    await guest.types(before);
    await guest.types(`echo 'server = ${authority}' | sudo tee /etc/letsencrypt/cli.ini`);
    await guest.types(
      `alias sudo='sudo REQUESTS_CA_BUNDLE=/etc/ssl/certs/ca-certificates.crt'\nshopt -s expand_aliases\n${after}`,
    );
    assert.equal(await served(), 21);
    assert.equal(await visitOverHttp2(await certificate()), 200);
  });

  await part('it stops within its time when the machine is switched off', async () => {
    await guest.powerOff();
  });
});

/** A certificate authority of a test's own, and servers that show its certificates. */

import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aFolder } from '../../a-folder.ts';
import { until } from '../../until.ts';
import { asked, type Server } from './a-postgres.ts';

export type Authority = {
  /** Its own certificate. */
  file: string;
  /** A certificate for a name, as openssl writes it: `DNS:db.example` or `IP:127.0.0.1`; it may have expired. */
  certify(name: string, state?: 'expired'): { cert: string; key: string };
};

const openssl = (folder: string, args: string): void =>
  void execFileSync('openssl', args.split(' '), { cwd: folder, stdio: 'pipe' });

/** Its folder is removed after the test file. */
export function anAuthority(): Authority {
  const folder = aFolder();
  const key = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes';
  openssl(folder, `req -x509 ${key} -days 3650 -subj /CN=authority -keyout ca.key -out ca.pem`);
  let made = 0;
  return {
    file: join(folder, 'ca.pem'),
    certify(name, state) {
      const to = `server-${++made}`;
      writeFileSync(join(folder, `${to}.ext`), `subjectAltName=${name}\n`);
      openssl(folder, `req ${key} -subj /CN=server -keyout ${to}.key -out ${to}.csr`);
      openssl(
        folder,
        `x509 -req -in ${to}.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days ${state === 'expired' ? -1 : 3650} -extfile ${to}.ext -out ${to}.pem`,
      );
      return { cert: join(folder, `${to}.pem`), key: join(folder, `${to}.key`) };
    },
  };
}

/** Turns TLS on at a server with a certificate, or off without one. */
export async function setTls(server: Server, certificate?: { cert: string; key: string }): Promise<void> {
  const url = server.url('postgres');
  if (certificate !== undefined) {
    const [row] = await asked<{ data_directory: string }>(url, 'show data_directory');
    const data = row!.data_directory;
    const { uid, gid } = statSync(data);
    for (const [from, name] of [
      [certificate.cert, 'server.crt'],
      [certificate.key, 'server.key'],
    ] as const) {
      copyFileSync(from, join(data, name));
      if (process.getuid?.() === 0) chownSync(join(data, name), uid, gid);
      chmodSync(join(data, name), 0o600);
    }
  }
  const wanted = certificate === undefined ? 'off' : 'on';
  await asked(url, `alter system set ssl = ${wanted}`);
  await asked(url, 'select pg_reload_conf()');
  const isSo = async () => (await asked<{ ssl: string }>(url, 'show ssl'))[0]?.ssl === wanted;
  await until(async () => (await isSo()) || undefined, `ssl to be ${wanted}`);
}

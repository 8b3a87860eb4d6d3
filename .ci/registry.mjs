/**
 * A package registry with versions of Shingle that are not published: node registry.mjs UPSTREAM TARBALL... It serves the tarballs that
 * exist when it is asked, and sends every other request to the registry UPSTREAM. Prints its address.
 */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename } from 'node:path';

const [upstream, ...tarballs] = process.argv.slice(2);

const manifestOf = (path) => JSON.parse(execFileSync('tar', ['xzOf', path, 'package/package.json']));
const { name } = manifestOf(tarballs.find(existsSync));

/** What a registry says of a package: all its versions, and the last one as the latest. */
function describePackage(base) {
  const versions = tarballs.filter(existsSync).map((path) => {
    const integrity = `sha512-${createHash('sha512').update(readFileSync(path)).digest('base64')}`;
    return { ...manifestOf(path), dist: { tarball: `${base}/${name}/-/${basename(path)}`, integrity } };
  });
  const latest = versions.at(-1).version;
  return {
    name,
    'dist-tags': { latest },
    versions: Object.fromEntries(versions.map((one) => [one.version, one])),
  };
}

const server = createServer((request, response) => {
  const asked = decodeURIComponent(request.url.replace(/\?.*/, ''));
  const tarball = tarballs.find((one) => asked === `/${name}/-/${basename(one)}`);
  if (tarball !== undefined) response.end(readFileSync(tarball));
  else if (asked === `/${name}`)
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify(describePackage(`http://${request.headers.host}`)));
  else response.writeHead(302, { location: new URL(request.url, upstream).href }).end();
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/`));

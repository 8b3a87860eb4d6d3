/** Adds the assets of pages: styles, script, font, marks and icon. Files are read once. Addresses contain a hash. */

import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { getCompileCacheDir, stripTypeScriptTypes } from 'node:module';
import { extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { DEFAULT_ACCENT, deriveAccents } from '../../page/color.ts';
import { MARK_COLORS } from '../../page/kinds/kinds.ts';
import { sendFree } from '../../service/web/answers.ts';
import { makeEtag } from '../../service/web/etags.ts';
import type { CityFacts } from '../../shared/city/city-facts.ts';
import { lazy } from '../../shared/remember.ts';
import type { PageContext } from './page-context.ts';

const FOR_GOOD = 'public, max-age=31536000, immutable'; // the address changes with the content

/** Whether the script is already JavaScript, as in the npm package. Converting TypeScript takes 40 MiB of memory. */
const hasPackagedScript = extname(import.meta.url) === '.js';

/** The files of the script, in their order. */
export const SCRIPTS = ['corner', 'page'];

export function readAssets({ accent = DEFAULT_ACCENT }: CityFacts) {
  const { light, onLight, dark, onDark } = deriveAccents(accent);
  const font = makeAsset('/display.woff2', 'font/woff2', bytes('display.woff2'));
  const marks = makeAsset('/marks.svg', 'image/svg+xml', file('marks.svg'));
  const style = file('style.css')
    .replace('/display.woff2', font.address)
    .replaceAll('/marks.svg', marks.address);
  const colors = `:root{--accent-light:${light};--on-light:${onLight};--accent-dark:${dark};--on-dark:${onDark}}`;
  return {
    style: makeAsset('/style.css', 'text/css; charset=utf-8', `${colors}\n${listMarkColors()}\n${style}`),
    referenceStyle: makeAsset('/reference.css', 'text/css; charset=utf-8', file('reference.css')),
    script: makeAsset('/page.js', 'text/javascript; charset=utf-8', readScript()),
    icon: makeAsset('/icon.svg', 'image/svg+xml', file('icon.svg').replace('ACCENT', light)),
    font,
    marks,
    favicon: makeAsset('/favicon.ico', 'image/x-icon', colorFavicon(light)),
  };
}

const readScript = lazy(() =>
  SCRIPTS.map((name) => (hasPackagedScript ? file(`${name}.js`) : stripOnce(file(`${name}.ts`)))).join(''),
);

/** Returns TypeScript as JavaScript, which is kept beside the compiled code of this checkout, if that can be written. */
function stripOnce(text: string): string {
  const folder = getCompileCacheDir();
  if (folder === undefined) return stripTypes(text);
  const path = join(folder, `${makeEtag(text).slice(1, -1)}.js`);
  try {
    return readFileSync(path, 'utf8');
  } catch {
    const script = stripTypes(text);
    try {
      writeFileSync(`${path}.${process.pid}`, script);
      renameSync(`${path}.${process.pid}`, path);
    } catch {} // the folder cannot be written
    return script;
  }
}

/** Where the picture of the favicon has the color of its sign, as blue, green and red. */
const SIGN_COLOR = 70;

function colorFavicon(accent: string): Buffer {
  const icon = bytes('favicon.ico');
  Buffer.from(accent.slice(1), 'hex').reverse().copy(icon, SIGN_COLOR);
  return icon;
}

function makeAsset(path: string, type: string, content: string | Buffer) {
  const etag = makeEtag(String(content));
  return { path, type, body: Buffer.from(content), etag, address: `${path}?v=${etag.slice(1, -1)}` };
}

/** Returns TypeScript as JavaScript, without Node's warning about this API, which operators cannot act on. */
export function stripTypes(text: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return stripTypeScriptTypes(text).replaceAll(/^ *\n/gm, '');
  } finally {
    process.emitWarning = emitWarning;
  }
}

function file(name: string): string {
  return bytes(name).toString('utf8');
}

function bytes(name: string): Buffer {
  return readFileSync(new URL(`../../page/assets/${name}`, import.meta.url));
}

/** Returns the colors of the marks as styles, because emails have the same colors and no style sheet. */
function listMarkColors(): string {
  const list = (look: 'light' | 'dark') =>
    Object.entries(MARK_COLORS)
      .map(([group, colors]) => `--${group}:${colors[look]}`)
      .join(';');
  return `:root{${list('light')}}@media (prefers-color-scheme:dark){:root{${list('dark')}}}`;
}

export function assetRoutes(
  app: FastifyInstance,
  context: PageContext,
  assets: ReturnType<typeof readAssets>,
): void {
  for (const { path, type, body, etag, address } of Object.values(assets)) {
    const headers = { 'content-type': type, 'cross-origin-resource-policy': 'same-origin' };
    // free, because an error page must be readable when the budget is used up
    app.get(path, { config: { isUnlimited: true } }, ({ raw }, reply) => {
      const cacheControl = raw.url === address ? FOR_GOOD : 'public, max-age=300';
      return sendFree(context, reply, { body, etag, cacheControl, headers });
    });
  }
}

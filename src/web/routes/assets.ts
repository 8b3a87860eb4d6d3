/** Adds the assets of pages: styles, script and icon. Files are read once. Addresses contain a hash. */

import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { extname } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { City } from '../../city/define.ts';
import { sendFree } from '../answers.ts';
import type { ServerContext } from '../context.ts';
import { makeEtag } from '../limits/hash.ts';
import { DEFAULT_ACCENT, deriveAccents } from '../pages/color.ts';
import type { Assets } from '../pages/page-layout.ts';
import { readQuery } from '../plugins/strict-http.ts';

const FOR_GOOD = 'public, max-age=31536000, immutable'; // the address changes with the content

/** Whether the script is already JavaScript, as in the npm package. Converting TypeScript takes 40 MiB of memory. */
const hasPackagedScript = extname(import.meta.url) === '.js';

const ACCENT_IN_PALETTE = 70; // bytes: blue, green and red of the third color, after two headers of 62 bytes together

type Asset = { path: string; type: string; text: string | Buffer };

export type ReadAssets = { addresses: Assets; files: readonly Asset[] };

export function readAssets({ accent = DEFAULT_ACCENT }: City): ReadAssets {
  const colors = deriveAccents(accent);
  const style: Asset = {
    path: '/style.css',
    type: 'text/css; charset=utf-8',
    text: `:root{--accent-light:${colors.light};--on-light:${colors.onLight};--accent-dark:${colors.dark};--on-dark:${colors.onDark}}\n${file('style.css')}`,
  };
  const referenceStyle = {
    path: '/reference.css',
    type: 'text/css; charset=utf-8',
    text: file('reference.css'),
  };
  const script = {
    path: '/page.js',
    type: 'text/javascript; charset=utf-8',
    text: hasPackagedScript ? file('page.js') : stripTypes(file('page.ts')),
  };
  const icon = {
    path: '/icon.svg',
    type: 'image/svg+xml',
    text: file('icon.svg').replace('ACCENT', colors.light),
  };
  const favicon = { path: '/favicon.ico', type: 'image/x-icon', text: readFavicon(colors.light) };
  return {
    addresses: {
      style: formatAssetAddress(style),
      referenceStyle: formatAssetAddress(referenceStyle),
      script: formatAssetAddress(script),
      icon: formatAssetAddress(icon),
    },
    files: [style, referenceStyle, script, icon, favicon],
  };
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
  return readFileSync(new URL(`../pages/assets/${name}`, import.meta.url), 'utf8');
}

/** Reads the icon for programs without SVG. Replaces one color of its palette with `accent`, such as `#0b6e4f`. */
function readFavicon(accent: string): Buffer {
  const icon = readFileSync(new URL('../pages/assets/favicon.ico', import.meta.url));
  icon.writeUIntLE(Number.parseInt(accent.slice(1), 16), ACCENT_IN_PALETTE, 3);
  return icon;
}

function formatAssetAddress({ path, text }: Asset): string {
  return `${path}?v=${makeEtag(String(text)).slice(1, -1)}`;
}

export function assetRoutes(app: FastifyInstance, context: ServerContext, { files }: ReadAssets): void {
  for (const asset of files) {
    const [, query = ''] = formatAssetAddress(asset).split('?');
    const body = Buffer.from(asset.text);
    const headers = { 'content-type': asset.type, 'cross-origin-resource-policy': 'same-origin' };
    // free, because an error page must be readable when the budget is used up
    app.get(asset.path, { config: { isUnlimited: true } }, (request, reply) => {
      const cacheControl = readQuery(request.raw) === query ? FOR_GOOD : 'public, max-age=300';
      return sendFree(context, reply, { body, etag: makeEtag(query), cacheControl, headers });
    });
  }
}

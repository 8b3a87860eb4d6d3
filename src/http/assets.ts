/** What pages are made of beside HTML: the style, the script, the sign. Read once at boot, named by what is in them. */

import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import type { City } from '../city/define.ts';
import { accentsOf } from '../web/colour.ts';
import type { Assets } from '../web/dress.ts';
import { compressed } from './compressed.ts';
import { etagOf } from './fingerprint.ts';
import { BARE, type Resource } from './reply.ts';

const ACCENT = '#0b6e4f';
const FOR_GOOD = 'public, max-age=31536000, immutable'; // its address changes with its content

type Asset = { path: string; type: string; text: string };

export function openAssets({ accent = ACCENT }: City): { assets: Assets; resources: Resource[] } {
  const colours = accentsOf(accent);
  const style: Asset = {
    path: '/style.css',
    type: 'text/css; charset=utf-8',
    text: `:root{--accent-light:${colours.light};--on-light:${colours.onLight};--accent-dark:${colours.dark};--on-dark:${colours.onDark}}\n${file('style.css')}`,
  };
  const script = {
    path: '/page.js',
    type: 'text/javascript; charset=utf-8',
    text: withoutTypes(file('page.ts')),
  };
  const icon = {
    path: '/icon.svg',
    type: 'image/svg+xml',
    text: file('icon.svg').replace('ACCENT', colours.light),
  };
  return {
    assets: { style: addressOf(style), script: addressOf(script), icon: addressOf(icon) },
    resources: [style, script, icon].map(resourceOf),
  };
}

function file(name: string): string {
  return readFileSync(new URL(`../browser/${name}`, import.meta.url), 'utf8');
}

/** As Node strips its own; the warning it gives with every start is about an API, and the operator can do nothing about it. */
function withoutTypes(text: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return stripTypeScriptTypes(text).replaceAll(/^ *\n/gm, '');
  } finally {
    process.emitWarning = emitWarning;
  }
}

function addressOf({ path, text }: Asset): string {
  return `${path}?v=${etagOf(text).slice(1, -1)}`;
}

function resourceOf(asset: Asset): Resource {
  const version = addressOf(asset).slice(asset.path.length + 1);
  const body = Buffer.from(asset.text);
  const headers = ['Content-Type', asset.type, ...BARE, 'Cross-Origin-Resource-Policy', 'same-origin'];
  return {
    path: asset.path,
    isFree: true, // a page that says no must be readable too
    get(ask) {
      const life = ask.query === version ? FOR_GOOD : 'public, max-age=300';
      return compressed(ask, { status: 200, headers: [...headers, 'Cache-Control', life], body }, true);
    },
  };
}

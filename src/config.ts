/** What the operator has set, read once from the environment. The only reader of `process.env`; refuses what it cannot do. */

import { resolve } from 'node:path';
import { ShingleError } from './errors.ts';

export type Config = {
  /** A folder in `cities/`, or a path to a `city.ts`. */
  city: string;
  /** Absolute path of the data folder. */
  dataFolder: string;
  host: string;
  port: number;
  /** Without a trailing slash. */
  publicUrl: string | undefined;
  /** Networks in CIDR notation whose forwarded addresses are believed. */
  trustProxy: readonly string[];
  limits: 'on' | 'off';
};

/** Reads the variables that docs/operating.md lists. Throws `refused` naming the variable. */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  if (env.DATABASE_URL)
    throw refused('DATABASE_URL', 'is set, but this version keeps its data in SQLite only; unset it');
  return {
    city: env.SHINGLE_CITY || 'sample',
    dataFolder: resolve(env.SHINGLE_DATA || './data'),
    host: env.HOST || '127.0.0.1',
    port: portOf(env.PORT || '3000'),
    publicUrl: env.PUBLIC_URL ? publicUrlOf(env.PUBLIC_URL) : undefined,
    trustProxy: (env.TRUST_PROXY ?? '')
      .split(',')
      .map((network) => network.trim())
      .filter((network) => network !== ''),
    limits: limitsOf(env.SHINGLE_LIMITS || 'on'),
  };
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw refused('PORT', `must be a number from 0 to 65535, not "${text}"`);
  return port;
}

function publicUrlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw refused('PUBLIC_URL', `must be an http(s) address without query, not "${text}"`);
  }
  return url.href.replace(/\/+$/, '');
}

function limitsOf(text: string): 'on' | 'off' {
  if (text !== 'on' && text !== 'off')
    throw refused('SHINGLE_LIMITS', `must be "on" or "off", not "${text}"`);
  return text;
}

function refused(name: string, sentence: string): ShingleError {
  return new ShingleError('refused', `${name} ${sentence}`);
}

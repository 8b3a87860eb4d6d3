/** The rooms of the house and their doors: who may import whom, and why (docs/architecture.md). */

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const SRC = fileURLToPath(new URL('../../src/', import.meta.url));

const DOORS: Record<string, { may: string[]; because: string }> = {
  errors: { may: [], because: 'everything may throw' },
  listings: { may: ['errors'], because: 'the domain knows no database, network, disk or clock' },
  city: {
    may: ['listings', 'errors'],
    because: 'a profile turns rows into filings and knows nothing of how they are kept',
  },
  filings: {
    may: ['city', 'listings', 'errors'],
    because: 'it delivers filings; it does not decide how they are kept',
  },
  catalogue: { may: ['listings', 'errors'], because: 'it is an index over listings' },
  mailing: {
    may: ['listings', 'city', 'errors'],
    because: 'an edition is made of listings; it is handed its store and its way out',
  },
  stores: {
    may: ['listings', 'filings', 'mailing', 'errors'],
    because: 'it implements the ports that those rooms declare',
  },
  web: {
    may: ['listings', 'catalogue', 'city', 'errors'],
    because: 'a page is a pure function of what it shows',
  },
  browser: { may: [], because: 'it runs in a browser, where there is nothing of ours but the page' },
  server: {
    may: ['listings', 'catalogue', 'mailing', 'web', 'city', 'errors'],
    because: 'it is handed what it needs; it never opens a store',
  },
  config: { may: ['errors'], because: 'it only reads the environment' },
  cli: {
    may: ['service', 'config', 'city', 'filings', 'mailing', 'errors'],
    because: 'a command is a thin way in',
  },
  service: {
    may: [
      ...['config', 'stores', 'server', 'web', 'catalogue', 'mailing', 'filings', 'city'],
      ...['listings', 'errors'],
    ],
    because: 'it is the one place that knows them all, but no command',
  },
  main: { may: ['cli'], because: 'it hands argv to a command' },
};

/** Files at the top of src/ that belong to the service's room. */
const SERVICE_FILES = ['service', 'serving', 'schedule', 'mail', 'log', 'gauges', 'build-worker'];

const DRIVERS: Record<string, { only: string[]; because: string }> = {
  'node:sqlite': { only: ['stores/sqlite.ts'], because: 'one file knows SQLite' },
  pg: { only: ['stores/postgres.ts'], because: 'one file knows PostgreSQL' },
  fastify: { only: ['server/'], because: 'one room knows the web framework' },
  'nodemailer/lib/mail-composer': { only: ['mailing/smtp.ts'], because: 'one file knows the SMTP library' },
  'nodemailer/lib/smtp-connection': { only: ['mailing/smtp.ts'], because: 'one file knows the SMTP library' },
  '@modelcontextprotocol/server': {
    only: ['server/mcp-server.ts'],
    because: 'one file knows the protocol of agents',
  },
  commander: { only: ['cli/'], because: 'one room knows the command line' },
};

/** A statement at the beginning of a text in quotes. */
const SQL = /['"`]\s*(select [^'"`]* from |insert into |update \w+ set |delete from |create (table|index) )/i;

function roomOf(path: string): string {
  const [first = ''] = relative(SRC, path).split('/');
  const room = first.replace(/\.ts$/, '');
  return SERVICE_FILES.includes(room) ? 'service' : room;
}

function importsOf(path: string): string[] {
  const text = readFileSync(path, 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?'([^']+)'/g)].map((m) => m[1]!);
}

const files = globSync(`${SRC}**/*.ts`);

test('rooms are entered through their doors only', () => {
  assert.ok(files.length > 20);
  for (const file of files) {
    const room = roomOf(file);
    const door = DOORS[room];
    assert.ok(door, `src/${relative(SRC, file)} belongs to no room of docs/architecture.md`);
    for (const target of importsOf(file).filter((specifier) => specifier.startsWith('.'))) {
      const to = roomOf(normalize(join(dirname(file), target)));
      assert.ok(
        to === room || door.may.includes(to),
        `src/${relative(SRC, file)} imports ${to}, but ${room} may import only ${door.may.join(', ') || 'nothing'}, because ${door.because}`,
      );
    }
  }
});

test('a driver is known to one place', () => {
  for (const file of files) {
    const name = relative(SRC, file);
    for (const specifier of importsOf(file)) {
      const driver = DRIVERS[specifier];
      if (driver === undefined) continue;
      assert.ok(
        driver.only.some((place) => name.startsWith(place)),
        `src/${name} imports ${specifier}: ${driver.because}`,
      );
    }
  }
});

test('the environment is read in one file, SQL is written in one room', () => {
  for (const file of files) {
    const name = relative(SRC, file);
    const text = readFileSync(file, 'utf8');
    if (name !== 'config.ts')
      assert.doesNotMatch(text, /process\.env/, `src/${name} reads process.env: only config.ts may`);
    if (!name.startsWith('stores/')) {
      assert.doesNotMatch(text, SQL, `src/${name} holds SQL`);
    }
  }
});

test('no file is named after nothing, and none is longer than 350 lines', () => {
  for (const file of [
    ...files,
    ...globSync(fileURLToPath(new URL('../../{cities,bench,test}/**/*.ts', import.meta.url))),
  ]) {
    assert.doesNotMatch(
      file,
      /\/(utils?|helpers?|common|types|base|manager|index)\.ts$/,
      `${file} has no name`,
    );
    const lines = readFileSync(file, 'utf8').split('\n').length;
    assert.ok(lines <= 351, `${file} has ${lines} lines`);
    assert.doesNotMatch(readFileSync(file, 'utf8'), /^export \* /m, `${file} is a barrel`);
  }
});

test('imports make no cycles', () => {
  const graph = new Map(
    files.map((file) => [
      file,
      importsOf(file)
        .filter((s) => s.startsWith('.'))
        .map((s) => normalize(join(dirname(file), s))),
    ]),
  );
  const done = new Set<string>();
  const visit = (file: string, trail: string[]): void => {
    assert.ok(
      !trail.includes(file),
      `a cycle: ${[...trail, file].map((f) => relative(SRC, f)).join(' -> ')}`,
    );
    if (done.has(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...trail, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
});

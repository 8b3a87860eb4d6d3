/** Import rules: which folder may import which, and why (docs/architecture.md). */

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const SRC = fileURLToPath(new URL('../../src/', import.meta.url));

const RULES: Record<string, { may: string[]; because: string }> = {
  errors: { may: [], because: 'everything may throw' },
  logger: { may: [], because: 'it only writes lines' },
  config: { may: ['errors'], because: 'it only reads the environment' },
  polling: { may: ['errors'], because: 'it repeats any work' },
  text: { may: [], because: 'it handles any text, whatever it says' },
  data: {
    may: ['listings', 'text'],
    because: 'words and codes are the same for every city, and fold texts as listings do',
  },
  listings: { may: ['errors'], because: 'the domain knows no database, network, disk or clock' },
  database: {
    may: ['listings', 'text', 'errors'],
    because: 'an engine knows no table; the folders above own the statements about theirs',
  },
  city: {
    may: ['data', 'listings', 'text', 'errors'],
    because: 'a profile turns rows into filings and knows nothing of how they are stored',
  },
  registers: {
    may: ['city', 'data', 'listings', 'text', 'errors'],
    because: 'it is about tables and what their columns mean; it reads no file',
  },
  import: {
    may: ['registers', 'city', 'data', 'database', 'listings', 'text', 'errors'],
    because: 'it turns files into listings, and is finished when they are stored',
  },
  search: { may: ['data', 'listings', 'text', 'errors'], because: 'it is an index over listings' },
  subscribers: {
    may: ['city', 'database', 'data', 'listings', 'text', 'errors'],
    because: 'who wants what is known without knowing HTTP or SMTP',
  },
  mail: {
    may: [
      'subscribers',
      'import',
      'search',
      'city',
      'data',
      'database',
      'polling',
      'listings',
      'text',
      'errors',
    ],
    because:
      'what is news comes from the runs; a message goes to a subscriber or the operator, and links to searches',
  },
  'web/pages': {
    may: ['search', 'city', 'listings', 'text', 'errors'],
    because: 'a page is a pure function of what it shows',
  },
  web: {
    may: ['web/pages', 'mail', 'subscribers', 'search', 'city', 'data', 'listings', 'text', 'errors'],
    because: 'it is handed what it needs; it never opens a database',
  },
  operations: {
    may: [
      ...[
        'config',
        'logger',
        'polling',
        'web',
        'web/pages',
        'mail',
        'subscribers',
        'search',
        'import',
        'registers',
      ],
      ...['database'],
      ...['city', 'data', 'listings', 'text', 'errors'],
    ],
    because: 'it is the one place that knows them all, but no command',
  },
  cli: {
    may: [
      ...[
        'operations',
        'config',
        'logger',
        'web/pages',
        'mail',
        'subscribers',
        'import',
        'registers',
        'city',
      ],
      ...['data', 'listings', 'text', 'errors'],
    ],
    because: 'a command reads its options, calls the service, and renders what it answers',
  },
  main: { may: ['cli'], because: 'it hands argv to a command' },
};

const DRIVERS: Record<string, { only: string[]; because: string }> = {
  'node:sqlite': { only: ['database/engines/sqlite'], because: 'one engine knows SQLite' },
  pg: { only: ['database/engines/postgres.ts'], because: 'one file knows PostgreSQL' },
  fastify: { only: ['web/'], because: 'one folder knows the web framework' },
  'nodemailer/lib/mail-composer': {
    only: ['mail/smtp.ts'],
    because: 'one file knows the SMTP library',
  },
  'nodemailer/lib/smtp-connection': {
    only: ['mail/smtp.ts'],
    because: 'one file knows the SMTP library',
  },
  '@modelcontextprotocol/server': {
    only: ['web/mcp-server.ts'],
    because: 'one file knows the protocol of agents',
  },
  commander: { only: ['cli/'], because: 'one folder knows the command line' },
};

/** Each owns its tables; the engine knows none. */
const SQL_FOLDERS = ['database/', 'import/', 'subscribers/', 'mail/', 'operations/data/'];

/** A statement at the beginning of a text in quotes. */
const SQL = /['"`]\s*(select [^'"`]* from |insert into |update \w+ set |delete from |create (table|index) )/i;

function folderOf(path: string): string {
  const [first = '', second] = relative(SRC, path).split('/');
  if (first === 'web' && second === 'pages') return 'web/pages';
  return first.replace(/\.ts$/, '');
}

function importsOf(path: string): string[] {
  const text = readFileSync(path, 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?'([^']+)'/g)].map((m) => m[1]!);
}

const files = globSync(`${SRC}**/*.ts`);

test('a folder imports only the folders it may', () => {
  assert.ok(files.length > 20);
  for (const file of files) {
    const folder = folderOf(file);
    const rule = RULES[folder];
    assert.ok(rule, `src/${relative(SRC, file)} is in no folder of docs/architecture.md`);
    for (const target of importsOf(file).filter((specifier) => specifier.startsWith('.'))) {
      const to = folderOf(normalize(join(dirname(file), target)));
      assert.ok(
        to === folder || rule.may.includes(to),
        `src/${relative(SRC, file)} imports ${to}, but ${folder} may import only ${rule.may.join(', ') || 'nothing'}, because ${rule.because}`,
      );
    }
  }
});

test('each driver is imported in one place', () => {
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

test('the environment is read in one file, SQL is written in the folders that own tables', () => {
  for (const file of files) {
    const name = relative(SRC, file);
    const text = readFileSync(file, 'utf8');
    if (name !== 'config.ts')
      assert.doesNotMatch(text, /process\.env/, `src/${name} reads process.env: only config.ts may`);
    if (!SQL_FOLDERS.some((folder) => name.startsWith(folder)))
      assert.doesNotMatch(text, SQL, `src/${name} holds SQL`);
  }
});

test('no file has a meaningless name, and none is longer than 450 lines', () => {
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
    assert.ok(lines <= 451, `${file} has ${lines} lines`);
    assert.doesNotMatch(readFileSync(file, 'utf8'), /^export \* /m, `${file} is a barrel`);
  }
});

test('no folder of src has more than 18 files of code', () => {
  const folders = Object.groupBy(files, (file) => relative(SRC, dirname(file)));
  for (const [folder, some = []] of Object.entries(folders))
    assert.ok(some.length <= 18, `src/${folder} has ${some.length} files: more than a reader keeps in mind`);
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

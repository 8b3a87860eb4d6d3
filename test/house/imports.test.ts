/** Rules of the source: which folder may import which, and why (docs/architecture.md), and what exports are called. */

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const SRC = fileURLToPath(new URL('../../src/', import.meta.url));

/** The houses, and the folders of the service, each with what it may import besides itself. */
const RULES: Record<string, { may: string[]; because: string }> = {
  shared: {
    may: [],
    because: 'the domain knows no database, network, disk or clock, and none of its users',
  },
  config: { may: ['shared'], because: 'it only reads the environment' },
  register: {
    may: ['shared'],
    because: 'it turns what a county publishes into filings, and does not know where they are kept',
  },
  page: { may: ['shared'], because: 'a page is a pure function of what it shows' },
  'service/database': {
    may: ['shared'],
    because: 'an engine knows no table; the folders beside it own the statements about theirs',
  },
  'service/search': { may: ['shared'], because: 'it is an index over listings' },
  'service/runs': {
    may: ['service/database', 'shared'],
    because: 'it keeps filings, and never sees a row, a mapping or a format',
  },
  'service/subscribers': {
    may: ['service/database', 'shared'],
    because: 'who wants what is known without knowing HTTP or SMTP',
  },
  'service/mail': {
    may: ['service/subscribers', 'service/runs', 'service/database', 'shared'],
    because: 'what is news comes from the runs; a message goes to a subscriber or the operator',
  },
  'service/data': {
    may: ['service/mail', 'service/subscribers', 'service/runs', 'service/database', 'config', 'shared'],
    because: 'it opens, upgrades, moves and backs up what the others keep',
  },
  'service/web': {
    may: ['service/mail', 'service/subscribers', 'service/search', 'shared'],
    because: 'it is handed what it needs; it never opens a database',
  },
  app: {
    may: [
      ...['config', 'register', 'page', 'service/database', 'service/search', 'service/runs'],
      ...['service/subscribers', 'service/mail', 'service/data', 'service/web', 'shared'],
    ],
    because: 'it is the one place where the houses meet',
  },
  main: { may: ['app'], because: 'it hands argv to a command' },
};

const DRIVERS: Record<string, { only: string[]; because: string }> = {
  'node:sqlite': { only: ['service/database/engines/sqlite'], because: 'one engine knows SQLite' },
  pg: { only: ['service/database/engines/postgres.ts'], because: 'one file knows PostgreSQL' },
  fastify: { only: ['service/web/', 'app/web/'], because: 'one folder knows the web framework' },
  'nodemailer/lib/mail-composer': {
    only: ['service/mail/smtp.ts'],
    because: 'one file knows the SMTP library',
  },
  'nodemailer/lib/smtp-connection': {
    only: ['service/mail/smtp.ts'],
    because: 'one file knows the SMTP library',
  },
  '@modelcontextprotocol/server': {
    only: ['service/web/mcp-server.ts'],
    because: 'one file knows the protocol of agents',
  },
  commander: { only: ['app/cli/'], because: 'one folder knows the command line' },
};

/** Each owns its tables; the engine knows none. */
const SQL_FOLDERS = ['database', 'runs', 'subscribers', 'mail', 'data'].map((one) => `service/${one}/`);

/** A statement at the beginning of a text in quotes. */
const SQL = /['"`]\s*(select [^'"`]* from |insert into |update \w+ set |delete from |create (table|index) )/i;

function folderOf(path: string): string {
  const [first = '', second] = relative(SRC, path).split('/');
  if (first === 'service') return `service/${second}`;
  return first === 'data' ? 'shared' : first.replace(/\.ts$/, '');
}

function importsOf(path: string): string[] {
  const text = readFileSync(path, 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?'([^']+)'/g)].map((m) => m[1]!);
}

const files = globSync(`${SRC}**/*.ts`);

test('a folder imports only the folders that the rules allow', () => {
  assert.ok(files.length > 20);
  const wrong: string[] = [];
  for (const file of files) {
    const folder = folderOf(file);
    const rule = RULES[folder];
    assert.ok(rule, `src/${relative(SRC, file)} is in no folder of docs/architecture.md`);
    for (const target of importsOf(file).filter((specifier) => specifier.startsWith('.'))) {
      const to = folderOf(normalize(join(dirname(file), target)));
      if (to !== folder && !rule.may.includes(to))
        wrong.push(
          `src/${relative(SRC, file)} imports ${to}, but ${folder} may import only ${rule.may.join(', ') || 'nothing'}, because ${rule.because}`,
        );
    }
  }
  assert.deepEqual(wrong, []);
});

test('each database driver is imported by only one file', () => {
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

test('one file reads the environment, and only the folders that own tables contain SQL', () => {
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

test('imports form no cycles', () => {
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

test('of two neighboring folders, at most one imports the other', () => {
  const uses = new Set<string>();
  for (const file of files)
    for (const target of importsOf(file).filter((specifier) => specifier.startsWith('.'))) {
      const [from, to] = [file, normalize(join(dirname(file), target))].map((path) =>
        relative(SRC, path).split('/'),
      );
      const apart = from!.findIndex((part, i) => part !== to![i]);
      const siblings = [from!, to!].map((parts) => parts.slice(0, apart + 1).join('/'));
      if (apart < from!.length - 1 && apart < to!.length - 1) uses.add(siblings.join(' '));
    }
  const mutual = [...uses].filter((use) => uses.has(use.split(' ').toReversed().join(' ')));
  assert.deepEqual(mutual, []);
});

const EXPORTED = /^export (?:async )?(?:const|let|function\*?|type|interface|class|enum) +([\w$]+)/gm;
const FUNCTION = /^export (?:async )?function\*? +([\w$]+)/gm;

/** A single word that describes instead of saying what is done. */
const DESCRIBES =
  /^(?:[a-z]+(?:ed|en)|held|kept|known|said|found|left|lost|made|sent|set|within|between|later|first|last)$/;

const FILES = globSync('**/*.ts', { cwd: SRC });

function namesIn(text: string, declaration: RegExp): string[] {
  return [...text.matchAll(declaration)].map(([, name]) => name!);
}

function namesBy(declaration: RegExp): Map<string, string[]> {
  const files = new Map<string, string[]>();
  for (const file of FILES)
    for (const name of new Set(namesIn(readFileSync(join(SRC, file), 'utf8'), declaration)))
      files.set(name, [...(files.get(name) ?? []), file]);
  return files;
}

test('no two files of a folder export the same name', () => {
  const names = namesBy(EXPORTED);
  assert.ok(names.size > 300, `only ${names.size} exported names found`);
  const shared = [...names].filter(([, files]) => new Set(files.map(dirname)).size < files.length);
  assert.deepEqual(
    shared.map(([name, files]) => `${name}: ${files.join(', ')}`),
    [],
  );
});

test('no exported function is named by a bare adjective or participle', () => {
  const names = namesBy(FUNCTION);
  assert.ok(names.size > 200, `only ${names.size} exported functions found`);
  const bare = [...names].filter(([name]) => DESCRIBES.test(name));
  assert.deepEqual(
    bare.map(([name, files]) => `${name}: ${files.join(', ')}`),
    [],
  );
});

/** Rules of the source: which folder may import which, and why (docs/architecture.md), and what exports are called. */

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../tiers.ts';

const SERVICE = ['database', 'search', 'runs', 'subscribers', 'mail', 'data', 'web']
  .map((one) => `service/${one}`)
  .join(' ');

/** The houses, and the folders of the service: what each may import besides itself, and why no more. */
const RULES: Record<string, [may: string, because: string]> = {
  shared: ['', 'the domain knows no database, network, disk or clock, and none of its users'],
  config: ['shared', 'it only reads the environment'],
  register: ['shared', 'it makes filings of what a county publishes, and does not know where they are kept'],
  page: ['shared', 'a page is a pure function of what it shows'],
  'service/database': [
    'shared',
    'an engine knows no table; the folders beside it own the statements of theirs',
  ],
  'service/search': ['shared', 'it is an index over listings'],
  'service/runs': [
    'service/database shared',
    'it keeps filings, and never sees a row, a mapping or a format',
  ],
  'service/subscribers': ['service/database shared', 'who wants what is known without knowing HTTP or SMTP'],
  'service/mail': [
    'service/subscribers service/runs service/database shared',
    'what is news comes from the runs; a message goes to a subscriber or the operator',
  ],
  'service/data': [
    'service/mail service/subscribers service/runs service/database config shared',
    'it opens, upgrades, moves and backs up what the others keep',
  ],
  'service/web': [
    'service/mail service/subscribers service/search shared',
    'it is handed what it needs; it never opens a database',
  ],
  app: [`config register page shared ${SERVICE}`, 'it is the one place where the houses meet'],
  main: ['app', 'it hands argv to a command'],
};

/** The only places that may import a package. */
const DRIVERS: Record<string, string[]> = {
  'node:sqlite': ['service/database/engines/sqlite'],
  pg: ['service/database/engines/postgres.ts'],
  fastify: ['service/web/', 'app/web/'],
  'nodemailer/lib/mail-composer': ['service/mail/smtp.ts'],
  'nodemailer/lib/smtp-connection': ['service/mail/smtp.ts'],
  '@modelcontextprotocol/server': ['service/web/mcp-server.ts'],
  commander: ['app/cli/'],
};

/** Each of these folders owns its tables; the engine knows none. */
const OWNS_TABLES = /^service\/(?:database|runs|subscribers|mail|data)\//;
/** A statement at the beginning of a text in quotes. */
const SQL = /['"`]\s*(select [^'"`]* from |insert into |update \w+ set |delete from |create (table|index) )/i;

const files = globSync('**/*.ts', { cwd: `${ROOT}src` });
const textOf = (file: string) => readFileSync(`${ROOT}src/${file}`, 'utf8');

function folderOf(path: string): string {
  const [first = '', second] = path.split('/');
  if (first === 'service') return `service/${second}`;
  return first === 'data' ? 'shared' : first.replace(/\.ts$/, '');
}

/** What each file imports: packages, and files of `src`. */
const imports = new Map(
  files.map((file) => {
    const named = [...textOf(file).matchAll(/(?:from|import)\s*\(?'([^']+)'/g)].map(([, name]) => name!);
    const isFile = (name: string) => name.startsWith('.');
    const targets = named.filter(isFile).map((name) => normalize(join(dirname(file), name)));
    return [file, { packages: named.filter((name) => !isFile(name)), targets }];
  }),
);

test('a folder imports only the folders that the rules allow', () => {
  assert.ok(files.length > 20);
  for (const [file, { targets }] of imports) {
    const folder = folderOf(file);
    const [may, because] =
      RULES[folder] ?? assert.fail(`src/${file} is in no folder of docs/architecture.md`);
    const wrong = targets.map(folderOf).filter((to) => to !== folder && !may.split(' ').includes(to));
    assert.deepEqual(wrong, [], `${folder} may import only "${may}", because ${because}: src/${file}`);
  }
});

test('each driver is imported only by the place that knows it', () => {
  for (const [file, { packages }] of imports)
    for (const name of packages) {
      const only = DRIVERS[name] ?? [''];
      assert.ok(
        only.some((place) => file.startsWith(place)),
        `src/${file} imports ${name}, which only ${only} knows`,
      );
    }
});

test('one file reads the environment, and only the folders that own tables contain SQL', () => {
  for (const file of files) {
    if (file !== 'config.ts')
      assert.doesNotMatch(textOf(file), /process\.env/, `src/${file}: only config.ts may`);
    if (!OWNS_TABLES.test(file)) assert.doesNotMatch(textOf(file), SQL, `src/${file} holds SQL`);
  }
});

test('no file has a meaningless name, and none is longer than 450 lines', () => {
  for (const file of globSync('{src,cities,bench,test}/**/*.ts', { cwd: ROOT })) {
    assert.doesNotMatch(file, /\/(utils?|helpers?|common|types|base|manager|index)\.ts$/);
    const text = readFileSync(ROOT + file, 'utf8');
    const { length } = text.split('\n');
    assert.ok(length <= 451, `${file} has ${length} lines`);
    assert.doesNotMatch(text, /^export \* /m, `${file} is a barrel`);
  }
});

test('no folder of src has more than 18 files of code', () => {
  for (const [folder, some] of Map.groupBy(files, dirname))
    assert.ok(some.length <= 18, `src/${folder} has ${some.length} files: more than a reader keeps in mind`);
});

test('imports form no cycles', () => {
  const done = new Set<string>();
  const visit = (file: string, trail: string[]): void => {
    assert.ok(!trail.includes(file), `a cycle: ${[...trail, file].join(' -> ')}`);
    if (done.has(file)) return;
    for (const next of imports.get(file)?.targets ?? []) visit(next, [...trail, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
});

test('of two neighboring folders, at most one imports the other', () => {
  const uses = new Set<string>();
  for (const [file, { targets }] of imports)
    for (const target of targets) {
      const [from, to] = [file.split('/'), target.split('/')];
      const apart = from.findIndex((part, i) => part !== to[i]);
      const siblings = [from, to].map((parts) => parts.slice(0, apart + 1).join('/'));
      if (apart < from.length - 1 && apart < to.length - 1) uses.add(siblings.join(' '));
    }
  const mutual = [...uses].filter((use) => uses.has(use.split(' ').toReversed().join(' ')));
  assert.deepEqual(mutual, []);
});

const EXPORTED = /^export (?:async )?(?:const|let|function\*?|type|interface|class|enum) +([\w$]+)/gm;
const FUNCTION = /^export (?:async )?function\*? +([\w$]+)/gm;
/** A single word that describes instead of saying what is done. */
const DESCRIBES =
  /^(?:[a-z]+(?:ed|en)|held|kept|known|said|found|left|lost|made|sent|set|within|between|later|first|last)$/;

const namesIn = (file: string, declaration: RegExp) => [
  ...new Set([...textOf(file).matchAll(declaration)].map(([, name]) => name!)),
];

test('no two files of a folder export the same name', () => {
  const names = files.flatMap((file) => namesIn(file, EXPORTED).map((name) => `${dirname(file)}: ${name}`));
  assert.ok(names.length > 300, `only ${names.length} exported names found`);
  assert.deepEqual(
    names.filter((name, i) => names.indexOf(name) < i),
    [],
  );
});

test('no exported function is named by a bare adjective or participle', () => {
  const names = files.flatMap((file) => namesIn(file, FUNCTION));
  assert.ok(names.length > 200, `only ${names.length} exported functions found`);
  assert.deepEqual(
    names.filter((name) => DESCRIBES.test(name)),
    [],
  );
});

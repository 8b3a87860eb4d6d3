/** The docs are true both ways: nothing undocumented, nothing documented that is not there. */

import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { EXIT } from '../../src/app/exit-codes.ts';
import { describeApp } from '../service/web/a-door.ts';
import { readApiPage } from './api-lists.ts';
import { readReferencePage } from './reference-list.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const doc = (name: string) => readFileSync(join(ROOT, 'docs', name), 'utf8');

/** The words that the items of the list below a heading begin with, without backticks. */
function listedWords(text: string, heading: string): string[] {
  const section = text.split(new RegExp(`^## ${heading}$`, 'm'))[1]?.split(/^## /m)[0] ?? '';
  return [...section.matchAll(/^- (`[^:]+`): /gm)].flatMap((match) =>
    [...match[1]!.matchAll(/`([^`]+)`/g)].map((m) => m[1]!),
  );
}

test('every variable is documented, and the program reads every documented variable', () => {
  const config = readFileSync(join(ROOT, 'src/config.ts'), 'utf8');
  const read = new Set([...config.matchAll(/(?:env\.|\bread\(')([A-Z_]+)/g)].map((match) => match[1]));
  assert.deepEqual(listedWords(doc('reference.md'), 'Variables').toSorted(), [...read].toSorted());
});

test('the list of variables follows from the code that defines them', () => {
  const { page, filled } = readReferencePage();
  assert.ok(page === filled, 'write it with `node bin/node.mjs test/house/reference-list.ts`');
});

test('Shingle can print every message that the docs explain', () => {
  const rows = doc('troubleshoot.md').split('## What visitors say')[0]!;
  const messages = [...rows.matchAll(/^- ("[^:]*): /gm)].flatMap(([, cell]) => cell!.split(', '));
  const source = globSync('src/**/*.{ts,json}', { cwd: ROOT }).map((file) =>
    readFileSync(join(ROOT, file), 'utf8'),
  );
  const text = source.join('\n');
  assert.ok(messages.length > 10);
  for (const message of messages) {
    const pieces = message.slice(1, -1).split(/ (?:N|\.\.\.) /);
    for (const piece of pieces) assert.ok(text.includes(piece), `nothing in src says ${message}`);
  }
});

/** What an operator reads, but for how to map a register and the reference of the API. */
const FOR_OPERATORS = [
  ...['why', 'serve-your-town', 'deploy', 'operate', 'email', 'instances', 'troubleshoot'],
  ...['privacy', 'reference'],
];

test('every table of the documents begins with its head and has no empty line in it', () => {
  for (const file of globSync(['docs/**/*.md', '*.md', 'src/data/README.md'], { cwd: ROOT })) {
    const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
    const isRow = (at: number) => lines[at]?.startsWith('|') === true;
    const isRule = (at: number) => /^\|[-|: ]+\|$/.test(lines[at] ?? '');
    for (const at of lines.keys())
      if (isRow(at)) assert.equal(isRule(at + 1), !isRow(at - 1), `${file}:${at + 1} ${lines[at]}`);
  }
});

test('the pages for operators are short', (t) => {
  const counts = FOR_OPERATORS.map((name) => doc(`${name}.md`).match(/\S*[\p{L}\p{N}]\S*/gu)!.length);
  t.diagnostic(`${counts.reduce((sum, one) => sum + one)} words`);
  for (const [at, words] of counts.entries())
    assert.ok(words <= 1_200, `${FOR_OPERATORS[at]}: ${words} words`);
});

test('the README leads to the index, and the index to each page that is in the package', () => {
  assert.ok(linksOf('README.md').some(({ target }) => target === 'docs/README.md'));
  const linked = new Set(linksOf('docs/README.md').map(({ target }) => target));
  const ofDevelopers = ['docs/README.md', 'docs/architecture.md'];
  for (const page of globSync('docs/*.md', { cwd: ROOT }))
    if (!ofDevelopers.includes(page)) assert.ok(linked.has(page), page);
});

test('every exit code is documented', () => {
  const section = doc('reference.md').split('## Exit codes\n\n')[1]!.split('\n\n')[0]!;
  const documented = [...section.matchAll(/^- (\d+): /gm)].map((match) => Number(match[1]));
  assert.deepEqual(documented.toSorted(), Object.values(EXIT).toSorted());
});

test('every route is documented, and every documented route is served', async () => {
  const text = doc('api.md');
  const targets = await describeApp((app) => app.targets());
  const served = targets.flatMap(({ path, methods }) =>
    methods
      .filter((method) => method === 'GET' || method === 'POST')
      .map((method) => `${method} ${path.replace(/^\/problems\/.*$/, '/problems/:code')}`),
  );
  const pages = [...text.matchAll(/^### ((?:GET|POST).*)$/gm)].flatMap((match) => match[1]!.split(', '));
  const operations = [...text.matchAll(/^`(?:GET|POST) .*$/gm)].flatMap((match) =>
    match[0].slice(1, -1).split('` `'),
  );
  const headings = [...pages, ...operations];
  const documented = headings.flatMap((heading) => {
    const [methods = '', path = ''] = heading.split(' ');
    return methods.split('|').map((method) => `${method} ${path}`);
  });
  const [headed, routes] = [new Set(documented), new Set(served)];
  const undocumented = [...routes.difference(headed)];
  assert.deepEqual(undocumented, [], 'these routes are in no heading of docs/api.md');
  assert.deepEqual([...headed.difference(routes)], [], 'no route answers these headings of docs/api.md');
  assert.equal(documented.length, headed.size, 'docs/api.md has a route in two headings');
});

test('the lists of docs/api.md follow from the schemas', async () => {
  const { page, filled } = await readApiPage();
  assert.ok(page === filled, 'write them with `node bin/node.mjs test/house/api-lists.ts`');
});

/** As GitHub names the headings of a page. */
function anchorsOf(page: string): string[] {
  const headings = [...readFileSync(page, 'utf8').matchAll(/^#+ (.*)$/gm)].map((match) => match[1]!);
  return headings.map((text) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The links of a page that lead to other files of the repository. */
function linksOf(file: string): { target: string; anchor: string }[] {
  const text = readFileSync(join(ROOT, file), 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
  const links = [...text.matchAll(/\]\((?!https?:|mailto:)([^)#]*)#?([^)]*)\)/g)];
  return links.map(([, target = '', anchor = '']) => ({
    target: target === '' ? file : join(dirname(file), target),
    anchor,
  }));
}

test('every link between the docs leads somewhere', (t) => {
  let links = 0;
  for (const file of globSync(['*.md', 'docs/**/*.md', 'bench/*.md', 'test/*.md'], { cwd: ROOT }))
    for (const { target, anchor } of linksOf(file)) {
      links++;
      const page = join(ROOT, target);
      assert.ok(existsSync(page), `${file} links to ${target}`);
      assert.ok(anchor === '' || anchorsOf(page).includes(anchor), `${file} links to ${target}#${anchor}`);
    }
  t.diagnostic(`${links} links`);
});

test('every file that the architecture names exists', () => {
  const named = [...doc('architecture.md').matchAll(/`([\w./-]+\/[\w.-]+\.(?:ts|css|json|csv|md))`/g)].map(
    (match) => match[1]!,
  );
  const files = named.filter((file) => !/[A-Z]{4}|step-N/.test(file));
  assert.ok(files.length > 40, `${files.length}`);
  const lost = files.filter((file) => !['', 'src'].some((folder) => existsSync(join(ROOT, folder, file))));
  assert.deepEqual(lost, []);
});

/** What only the README may link to outside the package: npm's site shows it from the repository. */
const IN_THE_REPOSITORY =
  /^(docs\/(images\/.*|architecture\.md|decisions\/README\.md)|test\/promises\.md|CONTRIBUTING\.md)$/;

test('every link of a page in the npm package leads to a file of the package', (t) => {
  const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { files: string[] };
  const [left, taken] = [
    files.filter((one) => one.startsWith('!')),
    files.filter((one) => !one.startsWith('!')),
  ];
  const within = (patterns: readonly string[]) =>
    globSync(
      patterns.flatMap((pattern) => [pattern, `${pattern}/**`]),
      { cwd: ROOT },
    );
  const out = new Set(within(left.map((one) => one.slice(1))));
  const packed = new Set(
    ['README.md', 'LICENSE', 'package.json', ...within(taken)].filter((one) => !out.has(one)),
  );
  const pages = [...packed].filter((file) => file.endsWith('.md') && !file.startsWith('dist/'));
  const lost = pages.flatMap((file) => {
    const targets = linksOf(file).map(({ target }) => target.replace(/\/$/, ''));
    const isKnown = (target: string) =>
      packed.has(target) || (file === 'README.md' && IN_THE_REPOSITORY.test(target));
    return targets.filter((target) => !isKnown(target)).map((target) => `${file} links to ${target}`);
  });
  t.diagnostic(`${pages.length} pages`);
  assert.ok(pages.length > 15);
  assert.deepEqual(lost, []);
});

test('every runtime dependency has its line in the decisions', () => {
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const page = doc('decisions/0004-runtime-dependencies.md');
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies }))
    assert.ok(page.includes(`\`${name}\``), name);
});

test('every decision has a title, a date and a status, and the index leads to it', () => {
  const linked = new Set(linksOf('docs/decisions/README.md').map(({ target }) => target));
  for (const file of globSync('docs/decisions/[0-9]*.md', { cwd: ROOT })) {
    const [title = '', empty, status = ''] = readFileSync(join(ROOT, file), 'utf8').split('\n');
    assert.match(title, new RegExp(`^# ${Number(/\d{4}/.exec(file)![0])}\\. \\S`), file);
    assert.equal(empty, '', file);
    assert.match(status, /^\d{4}-\d\d-\d\d, accepted(\. .*)?$/, `${file}: such as "2026-11-29, accepted"`);
    assert.ok(linked.has(file), `docs/decisions/README.md lacks ${file}`);
  }
});

/** The docs are true both ways: nothing undocumented, nothing documented that is not there. */

import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { commandLine } from '../../src/cli/cli.ts';
import { EXIT } from '../../src/cli/terminal.ts';
import { searchParameters } from '../../src/search/parameters.ts';
import { PROBLEMS } from '../../src/web/problems.ts';
import { describeApp } from '../web/a-door.ts';
import { readApiPage } from './api-tables.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const doc = (name: string) => readFileSync(join(ROOT, 'docs', name), 'utf8');

/** The first column of every table row below a heading, without backticks. */
function firstColumn(text: string, heading: string): string[] {
  const section = text.split(new RegExp(`^## ${heading}$`, 'm'))[1]?.split(/^## /m)[0] ?? '';
  return [...section.matchAll(/^\| (`[^|]+`) /gm)].flatMap((match) =>
    [...match[1]!.matchAll(/`([^`]+)`/g)].map((m) => m[1]!),
  );
}

test('every variable is documented, and every documented one is read', () => {
  const config = readFileSync(join(ROOT, 'src/config.ts'), 'utf8');
  const read = new Set([...config.matchAll(/env\.([A-Z_]+)/g)].map((match) => match[1]));
  assert.deepEqual(firstColumn(doc('operating.md'), 'Variables').toSorted(), [...read].toSorted());
});

function leaves(command: Command, trail: string[] = []): { name: string; options: string[] }[] {
  const own = {
    name: [...trail, command.name()].join(' '),
    options: command.options.map(({ long }) => long ?? ''),
  };
  const below = command.commands.flatMap((child) => leaves(child, [...trail, command.name()]));
  const isGroup = command.commands.length > 0 && own.options.length <= 1;
  return isGroup ? below : [own, ...below];
}

test('every command is documented with its options, and every documented one exists', () => {
  const text = doc('operating.md');
  const commands = leaves(commandLine(() => undefined));
  const documented = firstColumn(text, 'Commands').filter((name) => name.startsWith('shingle '));
  const plain = documented.map((name) => name.replace(/ (N|VALUE|FILE|EMAIL|ADDRESS|PLACE)$/, ''));
  assert.deepEqual(plain.toSorted(), commands.map(({ name }) => name).toSorted());
  for (const { name, options } of commands) {
    for (const option of options)
      assert.ok(
        text.includes(`\`${option}`) || text.includes(`${option} `),
        `${name} ${option} is undocumented`,
      );
  }
});

test('every exit code is documented', () => {
  const section = doc('operating.md').split('| exit code | meaning |')[1]!.split('\n\n')[0]!;
  const documented = [...section.matchAll(/^\| (\d+) \|/gm)].map((match) => Number(match[1]));
  assert.deepEqual(documented.toSorted(), Object.values(EXIT).toSorted());
});

test('every route and parameter is documented, and every documented one is served', async () => {
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
  assert.deepEqual(documented.toSorted(), [...new Set(served)].toSorted());
  const parameters = Object.keys(searchParameters);
  assert.deepEqual(
    firstColumn(text.split('### The result of a search')[0]!, 'Search')
      .filter((name) => parameters.includes(name))
      .toSorted(),
    parameters.toSorted(),
  );
});

test('the tables of docs/api.md follow from the schemas', async () => {
  const { page, filled } = await readApiPage();
  assert.equal(page, filled, 'write them with `node bin/node.mjs test/house/api-tables.ts`');
});

test('every problem type is documented, and every documented one is thrown', () => {
  const documented = [...doc('api.md').matchAll(/^\| `([a-z-]+)` \| \d{3} \|/gm)].map((match) => match[1]!);
  assert.deepEqual(documented.toSorted(), Object.keys(PROBLEMS).toSorted());
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

test('every link between the docs leads somewhere', () => {
  for (const file of globSync(['*.md', 'docs/**/*.md', 'bench/*.md'], { cwd: ROOT })) {
    const links = readFileSync(join(ROOT, file), 'utf8').matchAll(
      /\]\((?!https?:|mailto:)([^)#]*)#?([^)]*)\)/g,
    );
    for (const [, target = '', anchor = ''] of links) {
      const page = target === '' ? join(ROOT, file) : join(ROOT, dirname(file), target);
      assert.ok(existsSync(page), `${file} links to ${target}`);
      assert.ok(anchor === '' || anchorsOf(page).includes(anchor), `${file} links to ${target}#${anchor}`);
    }
  }
});

test('every runtime dependency has its line in the decisions', () => {
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const page = doc('decisions/0004-runtime-dependencies.md');
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies }))
    assert.ok(page.includes(`\`${name}\``), name);
});

test('the glossary has a line for every domain term', () => {
  const text = doc('glossary.md').toLowerCase();
  for (const word of ['city', 'filing', 'listing', 'index', 'store', 'subscriber', 'edition', 'message'])
    assert.ok(text.includes(`**${word}`), word);
});

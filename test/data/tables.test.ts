/** The tables of `src/data`: what they are is written in them, and all that rows are judged by are part of a profile's digest. */

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findDelimiter, splitCsvText } from '../../src/shared/text/csv-text.ts';
import { openWordLists, readDataLines } from '../../src/shared/text/word-table.ts';

const SRC = fileURLToPath(new URL('../../src/', import.meta.url));
const FILES = globSync('*.{csv,json,txt}', { cwd: `${SRC}data` });
/** Texts, the words about the fields of `city.yaml`, and a limit: no row is judged by them, nor by a twin in another language. */
const NOT_JUDGING = ['page-words.json', 'subscription-words.json', 'city-fields.csv', 'mail-providers.csv'];

test('every CSV table describes itself on the line after its header, and has no empty words', () => {
  const tables = FILES.filter((file) => file.endsWith('.csv'));
  assert.ok(tables.length > 8);
  for (const file of tables) {
    const [header = '', about = ''] = readFileSync(`${SRC}data/${file}`, 'utf8').split('\n');
    assert.match(about, /^# [A-Z].{20}/, file);
    for (const cells of readDataLines(file)) {
      assert.equal(cells.length, header.split(',').length, `${file}: ${cells[0]}`);
      for (const word of cells.at(-1)!.split('|')) assert.match(word, /^\S(.*\S)?$/, `${file}: ${cells[0]}`);
    }
  }
});

test('the README of the data names the origin of every other file', () => {
  const readme = readFileSync(`${SRC}data/README.md`, 'utf8');
  for (const file of FILES.filter((one) => !one.endsWith('.csv')))
    assert.ok(readme.includes(`| ${file} |`), file);
});

test('the digest of a profile changes with every table that judges rows', () => {
  const load = readFileSync(`${SRC}register/profile/load.ts`, 'utf8');
  const read = globSync('{register/profile,shared/city}/**/*.ts', { cwd: SRC }).flatMap((path) =>
    [...readFileSync(`${SRC}${path}`, 'utf8').matchAll(/['/]([\w-]+\.(?:csv|json))'/g)].map(
      ([, file]) => file!,
    ),
  );
  const judging = new Set(read.filter((file) => FILES.includes(file) && !NOT_JUDGING.includes(file)));
  assert.ok(judging.size > 5, [...judging].join());
  const [, listed = ''] = /JUDGING_WORDS = \{\s+csv: '([^']+)'/.exec(load)!;
  const digested = ['categories.json', ...listed.split(' ').map((name) => `${name}.csv`)];
  for (const file of judging) assert.ok(digested.includes(file), file);
  for (const file of NOT_JUDGING) assert.ok(!digested.includes(file), file);
});

test('each word of a list leads to its meaning, and cells with commas are quoted', () => {
  assert.equal(openWordLists('street-words.csv')('suffix').get('AVENUE'), 'AVE');
  assert.equal(openWordLists('type-words.csv')('form').get('import and export'), 'Wholesale');
});

test('a small CSV text is read with any delimiter, quotes and line ends, and with a byte order mark', () => {
  for (const delimiter of [',', ';', '\t', '|']) {
    const text = `\ufeffa${delimiter}"b ""x""\n1"\r\nc${delimiter}d\re`;
    assert.equal(findDelimiter(`"x,y;z|w"${delimiter}b`), delimiter);
    assert.deepEqual(
      splitCsvText(text, delimiter).map(({ line, cells }) => [line, ...cells]),
      [
        [1, 'a', 'b "x"\n1'],
        [3, 'c', 'd'],
        [4, 'e'],
      ],
    );
  }
  assert.equal(findDelimiter('a single cell'), undefined);
});

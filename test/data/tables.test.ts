/** The tables of `src/data`: what they are is written in them, and all that rows are judged by are part of a profile's digest. */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { kindOf, kindOfPhrase } from '../../src/register/profile/categories/kind.ts';
import { kindOfType } from '../../src/register/profile/categories/kind-of-type.ts';
import { CATEGORIES } from '../../src/shared/city/categories.ts';
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
  for (const file of FILES.filter((one) => !one.endsWith('.csv'))) {
    const row = `| ${file.replace(/\.\w+(?=\.json$)/, '.*')} |`; // of a language, as `page-words.*.json`
    assert.ok(readme.includes(row), `src/data/README.md has no row ${row}`);
  }
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

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const TABLES = {
  'preset-words.csv': '@openstreetmap/id-tagging-schema',
  'brand-words.csv': 'name-suggestion-index',
  'activity-words.csv': undefined,
};

test('the present script makes the word tables from the recorded versions, and NOTICE names them', () => {
  const { dependencies } = JSON.parse(read('tools/words/package.json'));
  const recipe = createHash('sha256');
  for (const path of ['tools/words/vocabulary.mjs', 'tools/words/kinds.csv', 'src/data/categories.json'])
    recipe.update(read(path));
  const made = `# Made by tools/words/vocabulary.mjs ${recipe.digest('hex').slice(0, 12)}.`;
  for (const [file, source] of Object.entries(TABLES)) {
    const [, about = '', by] = read(`src/data/${file}`).split('\n');
    assert.equal(by, made, `${file} is stale: npm ci and npm run make in tools/words`);
    if (source) assert.ok(about.includes(`${source} ${dependencies[source]} `), about);
    assert.ok(read('NOTICE').includes(file), file);
    for (const [category = '', words = ''] of readDataLines(file)) {
      assert.ok((CATEGORIES as string[]).includes(category), category);
      assert.deepEqual(words.split('|'), words.split('|').toSorted(), category);
    }
  }
});

test('a trade is found in other languages, a brand has a category, and an activity has the category of its code', () => {
  for (const [phrase, kind] of [
    ['tienda de ropa', 'Clothing & Jewelry'],
    ['tiem lam toc', 'Beauty & Hair'],
    ['미용실'.normalize('NFKD'), 'Beauty & Hair'],
    ['whataburger', 'Uncategorized'],
    ['dunkin donuts', 'Uncategorized'],
  ] as const)
    assert.equal(kindOfPhrase(phrase), kind, phrase);
  assert.equal(kindOf({ name: "Arby's #214 LLC" }), 'Restaurants');
  assert.equal(kindOf({ name: "Arby's Dental" }), 'Dental');
  assert.equal(kindOfType('Pedicurist services'), 'Beauty & Hair');
});

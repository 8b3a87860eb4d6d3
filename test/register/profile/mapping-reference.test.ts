/** The JSON Schema for editors and the lists of docs/city-yaml.md follow from the one schema of `city.yaml`. */

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Check } from 'typebox/value';
import { parse } from 'yaml';
import { fillLists, formatEditorSchema } from '../../../deploy/city-schema.ts';
import { readCategoryTable } from '../../../src/register/profile/mapping/category-table.ts';
import { DAY_FORMATS } from '../../../src/register/profile/parse-day.ts';
import { faultsOf, SOUND } from './a-mapping.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8');
const AGAIN = 'write it anew with `node bin/node.mjs deploy/city-schema.ts`';

test('city.schema.json and the lists of docs/city-yaml.md follow from the schema', () => {
  assert.ok(read('city.schema.json') === formatEditorSchema(), AGAIN);
  assert.ok(read('docs/city-yaml.md') === fillLists(read('docs/city-yaml.md')), AGAIN);
});

test('docs/city-yaml.md explains every word of the schema and every format of days', () => {
  const page = read('docs/city-yaml.md');
  assert.deepEqual(page.match(/^- `[^`]+`: {2}.*$/gm) ?? [], []);
  for (const format of DAY_FORMATS) assert.ok(page.includes(`\`${format}\``), format);
});

test('the examples in docs/city-yaml.md are valid', () => {
  const [city = '', table = ''] = read('docs/city-yaml.md')
    .match(/(?:^ {4}.*\n)+/gm)!
    .map((block) => block.replace(/^ {4}/gm, ''));
  assert.deepEqual(faultsOf(city), []);
  assert.deepEqual(readCategoryTable(Buffer.from(table)).problems, []);
});

test('the schema for editors accepts every city.yaml that Shingle accepts, including numbers and booleans', () => {
  const schema = JSON.parse(formatEditorSchema());
  const odd = `${SOUND}    status: { column: 02134, open: [yes, 7], closed: [NO] }\nzips: { 02134: 5 }\n`;
  const shipped = globSync('cities/*/city.yaml', { cwd: ROOT }).map(read);
  for (const text of [SOUND, odd, ...shipped]) {
    assert.deepEqual(faultsOf(text), []);
    assert.ok(Check(schema, parse(text)), text);
  }
  for (const [sound, faulty] of [
    ['snapshot', 'all'],
    ['key:', 'kye:'],
    ['csv:', 'cvs:'],
  ] as const)
    assert.ok(!Check(schema, parse(SOUND.replace(sound, faulty))), faulty);
});

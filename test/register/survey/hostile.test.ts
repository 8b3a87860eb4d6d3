/** Registers that were made to harm: their headers and cells are data in what is written about them, and in every verdict. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadCity } from '../../../src/register/profile/load.ts';
import { parseMapping } from '../../../src/register/profile/mapping/read-mapping.ts';
import { openJudge } from '../../../src/register/rows/judge.ts';
import { describeColumns } from '../../../src/register/survey/columns.ts';
import { splitHeader } from '../../../src/register/survey/header-words.ts';
import { findRoles } from '../../../src/register/survey/survey.ts';
import { openTable } from '../../../src/register/survey/table.ts';
import { draftMapping } from '../../../src/register/writing/draft-mapping.ts';
import { writeCategoriesCsv, writeCityYaml } from '../../../src/register/writing/write-city.ts';
import { aFolder } from '../../a-folder.ts';

const BREAKOUTS = [
  ...['x\nregisters: []', '# comment', 'a # comment', '- list', '{ a: b }', '[x]', "' quote", '" quote'],
  ...['!!js/function x', '&anchor *alias', '*alias', '%TAG', '---', 'a: b', '? key', '| block', '> folded'],
  ...['a\u2028b: c', 'a\rb: c', '@at', '`tick`', '~', 'null', 'NO', '=1+1', 'constructor', '__proto__'],
];

function mappingOf(header: readonly string[], rows: readonly (readonly string[])[]) {
  const choices = { name: header[1]! };
  const table = openTable();
  const addRow = table.openRows(header);
  for (const cells of rows) addRow((at) => cells[at]!);
  const roles = findRoles(describeColumns(table.close()), {
    today: '2026-01-01',
    choices,
    cityName: undefined,
  });
  return draftMapping(roles, {
    ...{ from: { csv: 'filings/a.csv' }, delivers: 'snapshot', showsPostalCodes: true },
    ...{ publisher: 'City', homepage: 'https://example.org/register', license: 'CC0-1.0' },
  });
}

const CITY = { name: 'Rivermouth', region: 'Oregon', timeZone: 'America/Chicago' };
/** Sixty rows. */
const rowsOf = (cells: (i: number) => string[]) => Array.from({ length: 60 }, (_, i) => cells(i));

const HEADER = 'license no|business name|issue date|city|status|owner|license type';

test('headers, cells and names of a register cannot break out of their place in the mapping', () => {
  for (const text of BREAKOUTS) {
    const header = HEADER.split('|').with(1, `business name ${text}`);
    const rows = rowsOf((i) => {
      return [`L-${i} ${text}`, `Shop ${i} ${text}`, '2024-03-01', text, i % 2 ? 'ACTIVE' : text, text, text];
    });
    const { mapping, remarks, types } = mappingOf(header, rows);
    const city = { ...CITY, name: `Rivermouth ${text}`, region: text, registers: [mapping!] };
    const yaml = writeCityYaml(city, [text], remarks);
    const read = parseMapping('city.yaml', yaml);
    assert.deepEqual(read.problems, [], yaml);
    const tidy = (value: unknown) => JSON.parse(JSON.stringify(value));
    assert.deepEqual(tidy(read.mapping), tidy(city), yaml);
    assert.ok(writeCategoriesCsv(types).split('\n').length >= types.length + 2);
  }
});

test('a word of a register can have the name of a JavaScript property', async () => {
  const header = ['license no', 'business name', 'issue date', 'status', 'license type'];
  const cellsOf = (i: number, word: string, type: string) => [`L-${i}`, `T ${i}`, '2024-03-01', word, type];
  const rows = rowsOf((i) => cellsOf(i, 'ACTIVE', i % 2 === 0 ? 'Restaurant' : 'Nail Salon'));
  const { mapping, remarks, types } = mappingOf(header, rows);
  const folder = aFolder();
  writeFileSync(join(folder, 'city.yaml'), writeCityYaml({ ...CITY, registers: [mapping!] }, [], remarks));
  writeFileSync(join(folder, 'categories.csv'), writeCategoriesCsv(types));
  const loaded = await loadCity(folder);
  const place = () => ({ neighborhood: null });
  const judge = openJudge(loaded.city.sources[0]!, { today: '2026-01-01' }, { place });
  for (const word of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
    const cells = cellsOf(1, word, word);
    const judged = judge(Object.fromEntries(header.map((name, at) => [name, cells[at]!])), 2);
    assert.ok(judged.kind === 'opening', `${word}: ${JSON.stringify(judged)}`);
    assert.deepEqual([judged.category, judged.status], [null, 'unknown'], word);
  }
});

test('a header of many joined words is read quickly', () => {
  // Without a bound this would take longer than the test may.
  for (const times of [8, 40])
    assert.equal(splitHeader(`${'zipcode'.repeat(times)}q`), `${'zipcode'.repeat(times)}q`);
  for (const [header, words] of Object.entries({
    DBANAME: 'dba name',
    EXPDTTM: 'expiration date',
    ISSDTTM: 'issued date',
    INSPDTTM: 'insp date',
    BEGDT: 'start date',
    Hauptstadt: 'hauptstadt',
    dateCréationÉtablissement: 'date creation etablissement',
  }))
    assert.equal(splitHeader(header), words);
});

/** What `shingle init` and its `--use` take and refuse. A refused init leaves nothing on the disk. */

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isoOf, nameOf } from '../../register/survey/a-register.ts';
import { anExportFolder } from './an-export.ts';

const { folder, file, csv, init } = anExportFolder();
const datedBy = (header: string) =>
  csv(`License No,Trade Name,${header}`, 240, (i) => `L${i},${nameOf(i)},${isoOf(i)}`);

test('--use sets the column of a role, and refuses a column that the file lacks', async () => {
  const place = datedBy('Expiration Date');
  const asked = await init(place, 'undated');
  assert.deepEqual([asked.code, existsSync(join(folder, 'undated'))], [3, false], asked.err);
  assert.match(asked.err, /No column is the date of a first filing/);
  const shown = /Expiration Date: 100 % of the rows have it, ([\d-]+) to ([\d-]+), written as/.exec(
    asked.err,
  );
  assert.ok(shown![1]! < shown![2]!, asked.err);
  assert.match(asked.err, /--use filed="COLUMN"/);
  const told = await init(place, 'undated', '--use', 'filed=Expiration Date');
  assert.equal(told.code, 0, told.err);
  assert.match(told.out, /stop no-first-date/, 'what was chosen is still judged');
  for (const [use, reason] of [
    ['filed=Nothing', /no column "Nothing"\. It has: License No, Trade Name, Expiration Date/],
    ['born=Trade Name', /--use must be ROLE=COLUMN/],
  ] as const) {
    const refused = await init(place, 'undated-2', '--use', use);
    assert.deepEqual([refused.code, reason.test(refused.err)], [2, true], refused.err);
  }
});

test('init shows a cell whose day it cannot read: of another calendar, in another language, or in two orders', async () => {
  const days = {
    'the Hijri calendar': (day: string) => `14${day.slice(2, 4)}/${day.slice(5, 7)}/01`,
    'the Buddhist calendar': (day: string) => `${Number(day.slice(0, 4)) + 543}${day.slice(4)}`,
    'the calendar of Taiwan': (day: string) => `民國${Number(day.slice(0, 4)) - 1911}年${day.slice(5, 7)}月`,
    'months in Finnish': (day: string) => `${day.slice(8)}. helmikuuta ${day.slice(0, 4)}`,
    'moments and days': (day: string, i: number) => (i % 2 ? day : `${Date.parse(day) / 1_000 + 1}`),
  };
  for (const [what, write] of Object.entries(days)) {
    const header = 'Registration Number,Trade Name,Start Date';
    const asked = await init(
      csv(header, 60, (i) => `L${i},${nameOf(i)},${write(isoOf(i), i)}`),
      'unread',
    );
    assert.equal(asked.code, 3, `${what}: ${asked.out}`);
    assert.match(asked.err, /dates in no format that Shingle reads, or in several.+ {2}Start Date: /s, what);
    assert.doesNotMatch(asked.err, / {2}Registration Number: /, what);
  }
});

test('an init that fails leaves no half-made folder, and changes no other folder', async () => {
  const example = fileURLToPath(new URL('../../../docs/example/', import.meta.url));
  const register = join(example, 'register.csv');
  const dateless = file('No,Trade Name\n1,Heron Bakery\n2,Tern Books\n3,Kestrel Cycles\n');
  const missing = ['--boundaries', join(example, 'neighborhoods.geojson'), '--addresses', 'no-such.csv'];
  for (const [place, args, code] of [
    [register, missing, 1],
    [register, ['--boundaries', file('{', 'broken.json')], 78],
    [dateless, [], 3],
  ] as const) {
    const ended = await init(place, 'half', ...args);
    assert.deepEqual([ended.code, existsSync(join(folder, 'half'))], [code, false], ended.err);
  }
  const notes = join(folder, 'kept', 'notes.txt');
  mkdirSync(join(folder, 'kept'));
  writeFileSync(notes, 'ours');
  assert.notEqual((await init(register, 'kept', ...missing)).code, 0);
  assert.ok(existsSync(notes));
});

test('init refuses days on which something happened to a business, in any language', async () => {
  for (const line of [
    'Inspection Date|Violation Date|Citation Date|Date Published',
    'Date_infraction|Date_jugement|Date_publication|Date du contrôle',
    'Fecha de inspección|Fecha de multa|Fecha de publicación|Fecha de sanción',
    'Data da vistoria|Data da infração|Data de publicação|Data da multa',
    'Kontrolldatum|Datum der Prüfung|Datum der Veröffentlichung|Bußgeld am',
    'Data ispezione|Data sanzione|Data pubblicazione|Data sentenza',
    'Дата проверки|Дата нарушения|Дата публикации|Дата постановления',
    '検査年月日|処分年月日|違反年月日|公表年月日',
    '점검일자|처분일자|위반일자|공개일자',
    '檢查日期|裁處日期|違規日期|公示日期',
  ]) {
    const names = line.split('|');
    const rowOf = (i: number) => `Heron Bakery ${i},${names.map((_, at) => isoOf(i + at)).join()}`;
    const asked = await init(csv(`Trade Name,${names.join()}`, 60, rowOf), 'events');
    assert.equal(asked.code, 3, `${line}: ${asked.out}`);
    for (const name of names)
      assert.match(asked.err, new RegExp(`  ${name}: .+ but its header means another day`), line);
  }
  const opened = await init(datedBy('Date Opened to Public'), 'opened');
  assert.equal(opened.code, 0, opened.err);
});

test('init takes neither trades under a header of types nor a few texts of laws for names', async () => {
  const rubros = 'Panadería Cafetería Peluquería Farmacia Restaurante Florería Ferretería'.split(' ');
  const asked = await init(
    csv('expediente,descripcion_rubro,titulares,fecha_habilitacion', 80, (i) =>
      [`E${i}`, `${rubros[i % 7]} ${i}`, `Quill ${i} SRL`, isoOf(i)].join(),
    ),
    'rubros',
  );
  assert.equal(asked.code, 3, asked.out);
  assert.match(asked.err, /No column names the business\..+ {2}descripcion_rubro: /s);
  const made = await init(
    csv('Account Number,Trade Name,NOM_LOI,Start Date', 80, (i) =>
      [`${7_000 + i}`, i % 2 ? nameOf(i) : '', i % 3 ? 'Loi P-29' : 'Loi B-3', isoOf(i)].join(),
    ),
    'laws',
  );
  assert.equal(made.code, 0, made.err);
  assert.match(made.out, /80 rows = 40 openings \+ 0 updates \+ 40 skipped/);
});

/** What `shingle init` and its `--use` take and refuse. A refused init leaves nothing on the disk. */

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { command } from '../../a-command.ts';
import { aFolder } from '../../a-folder.ts';
import { isoOf, nameOf } from '../../register/survey/a-register.ts';

const folder = aFolder();
const env = { SHINGLE_DATA: join(folder, 'data') };
const file = (called: string, text: string) => {
  writeFileSync(join(folder, called), text);
  return join(folder, called);
};
const registerOf = (date: string) =>
  [
    `License No,Trade Name,${date}`,
    ...Array.from({ length: 240 }, (_, i) => `L${i},${nameOf(i)},${isoOf(i)}`),
  ].join('\n');

test('--use sets the column of a role, and refuses a column that the file lacks', async () => {
  const place = file('undated.csv', registerOf('Expiration Date'));
  const out = join(folder, 'undated');
  const asked = await command(['init', place, '--out', out, '--no-install'], env);
  assert.deepEqual([asked.code, existsSync(out)], [3, false], asked.err);
  assert.match(asked.err, /No column is the date of a first filing/);
  const shown = /Expiration Date: 100 % of the rows have it, ([\d-]+) to ([\d-]+), written as/.exec(
    asked.err,
  );
  assert.ok(shown![1]! < shown![2]!, asked.err);
  assert.match(asked.err, /--use filed="COLUMN"/);
  const told = await command(
    ['init', place, '--out', out, '--use', 'filed=Expiration Date', '--no-install'],
    env,
  );
  assert.equal(told.code, 0, told.err);
  assert.match(told.out, /stop no-first-date/, 'what was chosen is still judged');
  for (const [use, reason] of [
    ['filed=Nothing', /no column "Nothing"\. It has: License No, Trade Name, Expiration Date/],
    ['born=Trade Name', /--use must be ROLE=COLUMN/],
  ] as const) {
    const refused = await command(['init', place, '--out', `${out}-2`, '--use', use], env);
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
    const rows = Array.from({ length: 60 }, (_, i) => `L${i},${nameOf(i)},${write(isoOf(i), i)}`);
    const place = file('unread.csv', ['Registration Number,Trade Name,Start Date', ...rows].join('\n'));
    const asked = await command(['init', place, '--out', join(folder, 'unread'), '--no-install'], env);
    assert.equal(asked.code, 3, `${what}: ${asked.out}`);
    assert.match(asked.err, /dates in no format that Shingle reads, or in several.+ {2}Start Date: /s, what);
    assert.doesNotMatch(asked.err, / {2}Registration Number: /, what);
  }
});

test('an init that fails leaves no half-made folder, and changes no other folder', async () => {
  const example = fileURLToPath(new URL('../../../docs/example/', import.meta.url));
  const register = join(example, 'register.csv');
  const boundaries = ['--boundaries', join(example, 'neighborhoods.geojson')];
  const init = (place: string, out: string, ...args: readonly string[]) =>
    command(['init', place, '--out', out, '--no-install', ...args], env);
  const broken = file('no-boundaries.json', '{');
  const dateless = file('dateless.csv', 'No,Trade Name\n1,Heron Bakery\n2,Tern Books\n3,Kestrel Cycles\n');
  const missing = ['--addresses', join(folder, 'no-such.csv')];
  for (const [place, args, code] of [
    [register, [...boundaries, ...missing], 1],
    [register, ['--boundaries', broken], 78],
    [dateless, [], 3],
  ] as const) {
    const out = join(folder, 'half');
    const ended = await init(place, out, ...args);
    assert.deepEqual([ended.code, existsSync(out)], [code, false], ended.err);
  }
  const kept = join(folder, 'kept');
  mkdirSync(kept);
  writeFileSync(join(kept, 'notes.txt'), 'ours');
  assert.notEqual((await init(register, kept, ...boundaries, ...missing)).code, 0);
  assert.ok(existsSync(join(kept, 'notes.txt')));
});

test('init refuses days on which something happened to a business, in any language', async () => {
  const headers = [
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
  ];
  for (const line of headers) {
    const names = line.split('|');
    const rows = Array.from({ length: 60 }, (_, i) => [
      `Heron Bakery ${i}`,
      ...names.map((_name, at) => isoOf(i + at)),
    ]);
    const text = [['Trade Name', ...names], ...rows].map((cells) => cells.join(',')).join('\n');
    const asked = await command(
      ['init', file('events.csv', text), '--out', join(folder, 'events'), '--no-install'],
      env,
    );
    assert.equal(asked.code, 3, `${line}: ${asked.out}`);
    for (const name of names)
      assert.match(asked.err, new RegExp(`  ${name}: .+ but its header means another day`), line);
  }
  const opened = await command(
    [
      'init',
      file('opened.csv', registerOf('Date Opened to Public')),
      '--out',
      join(folder, 'opened'),
      '--no-install',
    ],
    env,
  );
  assert.equal(opened.code, 0, opened.err);
});

test('init takes neither trades under a header of types nor a few texts of laws for names', async () => {
  const rubros = [
    'Panadería',
    'Cafetería',
    'Peluquería',
    'Farmacia',
    'Restaurante',
    'Florería',
    'Ferretería',
  ];
  const rows = (cells: (i: number) => string[]) => Array.from({ length: 80 }, (_, i) => cells(i).join(','));
  const place = file(
    'rubros.csv',
    [
      'expediente,descripcion_rubro,titulares,fecha_habilitacion',
      ...rows((i) => [`E${i}`, `${rubros[i % 7]} ${i}`, `Quill ${i} SRL`, isoOf(i)]),
    ].join('\n'),
  );
  const asked = await command(['init', place, '--out', join(folder, 'rubros'), '--no-install'], env);
  assert.equal(asked.code, 3, asked.out);
  assert.match(asked.err, /No column names the business\..+ {2}descripcion_rubro: /s);
  const laws = file(
    'laws.csv',
    [
      'Account Number,Trade Name,NOM_LOI,Start Date',
      ...rows((i) => [`${7_000 + i}`, i % 2 ? nameOf(i) : '', i % 3 ? 'Loi P-29' : 'Loi B-3', isoOf(i)]),
    ].join('\n'),
  );
  const made = await command(['init', laws, '--out', join(folder, 'laws'), '--no-install'], env);
  assert.equal(made.code, 0, made.err);
  assert.match(made.out, /80 rows = 40 openings \+ 0 updates \+ 40 skipped/);
});

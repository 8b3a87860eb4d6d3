/** Drafts of exports that were made to harm: a draft is code, and it is run at once for its check. */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parse } from 'acorn';
import { loadCity } from '../../src/city/load.ts';
import { draftProfile } from '../../src/draft/draft.ts';
import {
  formatColumn,
  formatList,
  formatRemark,
  formatTable,
  formatText,
} from '../../src/draft/draft-text.ts';
import { guessColumns } from '../../src/draft/guess.ts';
import { openJudge } from '../../src/ingest/judge.ts';
import { openTable } from '../../src/registers/table.ts';

const BREAKOUTS = [
  "x */ (await import('node:fs')).writeFileSync('PWNED','1') /*",
  "'; PWNED(); '",
  "\\'; PWNED(); //",
  '`; PWNED(); `',
  ['$', '{PWNED()}'].join(''),
  'a\nPWNED();//',
  'a\u2028PWNED();//',
  'a\rPWNED();//',
  '</script>*//*PWNED',
  "']; PWNED(); row['",
  '*\\/ PWNED() /*',
];

/** Every identifier and template of the program: nothing of the data may be among them. */
function codeOf(source: string): string[] {
  const found: string[] = [];
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node) walk(one);
    else if (typeof node === 'object' && node !== null) {
      const { type, name, value } = node as { type?: string; name?: string; value?: { raw?: string } };
      if (type === 'Identifier') found.push(name!);
      if (type === 'TemplateElement') found.push(value?.raw ?? '');
      if (type === 'ImportExpression' || type === 'AwaitExpression') found.push('PWNED');
      for (const child of Object.values(node)) walk(child);
    }
  };
  walk(parse(stripTypeScriptTypes(source), { ecmaVersion: 'latest', sourceType: 'module' }));
  return found;
}

test('nothing of an export becomes code of its draft, whatever its headers, cells and place are', () => {
  for (const text of BREAKOUTS) {
    const rows = openTable();
    const header = [
      'license no',
      `business name ${text}`,
      'issue date',
      'city',
      'status',
      'owner',
      'zip',
      'license type',
    ];
    rows.addColumns(header);
    for (let i = 0; i < 60; i++) {
      const cells = [
        `L-${i} ${text}`,
        `Shop ${i} ${text}`,
        '2024-03-01',
        text,
        i % 2 === 0 ? text : 'ACTIVE',
        text,
        text,
        text,
      ];
      rows.addRow(header.map((name, at) => [name, cells[at]!] as const));
    }
    const guesses = guessColumns(rows.close());
    const source = draftProfile({
      name: text,
      region: text,
      timeZone: 'America/Chicago',
      guesses,
      from: 'csv()',
      uses: 'csv',
      delivers: 'snapshot',
      boundaries: text,
      addresses: undefined,
      showsZips: true,
      place: text,
    });
    const code = codeOf(source);
    assert.ok(!code.some((part) => part.includes('PWNED')), `${text}\n${source}`);
  }
});

test('a draft judges words of its register that every object has as a name', async () => {
  const rows = openTable();
  const header = ['license no', 'business name', 'issue date', 'status', 'license type'];
  rows.addColumns(header);
  const typeOf = (i: number) => (i % 2 === 0 ? 'Restaurant' : 'Nail Salon');
  const cellsOf = (i: number, word: string, type: string) => [
    `L-${i}`,
    `Tern ${i}`,
    '2024-03-01',
    word,
    type,
  ];
  for (let i = 0; i < 60; i++)
    rows.addRow(header.map((name, at) => [name, cellsOf(i, 'ACTIVE', typeOf(i))[at]!] as const));
  const source = draftProfile({
    ...{
      name: 'Rivermouth',
      region: 'Oregon',
      timeZone: 'America/Chicago',
      guesses: guessColumns(rows.close()),
    },
    ...{ from: 'csv()', uses: 'csv', delivers: 'snapshot', place: 'a.csv', showsZips: false },
    ...{ boundaries: undefined, addresses: undefined },
  });
  const folder = mkdtempSync(join(tmpdir(), 'shingle-hostile-'));
  after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'city.ts'), source);
  const { city } = await loadCity(folder);
  const place = () => ({ neighborhood: 'Unknown' });
  const judge = openJudge(city.sources[0]!, { today: '2026-01-01' }, { place });
  for (const word of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
    const cells = cellsOf(1, word, word);
    const judged = judge(Object.fromEntries(header.map((name, at) => [name, cells[at]!])), 2);
    assert.ok(judged.kind === 'opening', `${word}: ${JSON.stringify(judged)}`);
    assert.deepEqual([judged.category, judged.status], ['Uncategorized', 'unknown'], word);
  }
});

test('every piece that a draft is written with keeps texts inside quotes and comments', () => {
  for (const text of BREAKOUTS) {
    const pieces = [
      `const a = ${formatText(text)};`,
      `const row = {}; const b = ${formatColumn({ name: text })};`,
      `/** ${formatRemark(text)} */`,
      `// ${formatRemark(text)}`,
      formatList('LIST', text, [text, text, text, text]),
      formatTable({ name: 'TABLE', type: 'string', remark: text }, [[text, 1, text]]),
    ];
    for (const piece of pieces) assert.ok(!codeOf(piece).some((part) => part.includes('PWNED')), piece);
  }
});

test('a header of many words glued together is read in no time', () => {
  const rows = openTable();
  const header = [`${'zipcode'.repeat(40)}q`, `${'zipcode'.repeat(8)}q`, 'name', 'issue date'];
  rows.addColumns(header);
  for (let i = 0; i < 40; i++) rows.addRow(header.map((name) => [name, `${name[0]}${i}`] as const));
  assert.ok(guessColumns(rows.close()) !== undefined); // without a bound this would take longer than the test may
});

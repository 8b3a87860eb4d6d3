/** Edits of `city.yaml` change the word that they are about and nothing else, however the operator writes YAML. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readYaml } from '../../src/city/mapping/read-yaml.ts';
import { addToWord, findRegisterLine, findWord, setWord } from '../../src/registers/writing/edit-yaml.ts';
import { markNoBusiness } from '../../src/registers/writing/repair.ts';

const BLOCK = `# top
name: X # city
registers:
# first
- id: a # the id

  # why this date
  filed:   {column: D, format: M/D/YYYY}   # trailing
  skip:
  - {column: T, values: [A], because: x} # one

  # two
  - column: T
    values:
    - B
    because: y # end
  # before town
  town:
    column: City
    keep: [A]
  # last
- id: b
  key: |
    K
`;

const linesOf = (text: string) => text.split('\n');

/** The lines that are in one of the texts only. */
function diff(before: string, after: string): { gone: string[]; come: string[] } {
  const [old, now] = [linesOf(before), linesOf(after)];
  return { gone: old.filter((line) => !now.includes(line)), come: now.filter((line) => !old.includes(line)) };
}

test('a word gets its new value on its line, beside its comment', () => {
  const after = setWord(BLOCK, 'a', ['filed', { column: 'First Issued', format: 'YYYY-MM-DD', pivot: 2029 }]);
  assert.deepEqual(diff(BLOCK, after), {
    gone: ['  filed:   {column: D, format: M/D/YYYY}   # trailing'],
    come: ['  filed:   { column: First Issued, format: YYYY-MM-DD, pivot: 2029 }   # trailing'],
  });
});

test('a value in lines of its own becomes one line', () => {
  const after = setWord(BLOCK, 'a', ['town', { column: 'Town', keep: ['OTTERFALL'] }]);
  assert.deepEqual(diff(BLOCK, after).come, ['  town: { column: Town, keep: [ OTTERFALL ] }']);
  assert.deepEqual(diff(BLOCK, after).gone, ['  town:', '    column: City', '    keep: [A]']);
});

test('items and words are added after what is there', () => {
  const item = { column: 'T', values: ['C'], because: 'no new business' };
  const after = addToWord(BLOCK, 'a', ['skip', [item]]);
  assert.deepEqual(diff(BLOCK, after), {
    gone: [],
    come: ['  - { column: T, values: [ C ], because: no new business }'],
  });
  assert.equal(
    linesOf(after)[linesOf(BLOCK).indexOf('    because: y # end') + 1]!.trim(),
    `- { column: T, values: [ C ], because: no new business }`,
  );

  assert.deepEqual(findWord(addToWord(BLOCK, 'b', ['owner', ['O']]), 'b', 'owner')?.value, ['O']);
});

test('flow style, Windows line ends, a file without a last line end, and a long list', () => {
  const flow = '{ registers: [ {id: a, filed: {column: X}, skip: []} ] }';
  assert.equal(
    addToWord(setWord(flow, 'a', ['owner', 'O']), 'a', ['skip', [{ column: 'C' }]]),
    '{ registers: [ {owner: O, id: a, filed: {column: X}, skip: [ { column: C } ]} ] }',
  );
  const windows = BLOCK.replaceAll('\n', '\r\n').trimEnd();
  const values = Array.from({ length: 40 }, (_, i) => `Type ${i}`);
  const after = setWord(windows, 'a', ['inside', { column: 'T', values }]);
  assert.equal(after.replaceAll('\r\n', '').includes('\n'), false);
  assert.deepEqual(findWord(after, 'a', 'inside')?.value, { column: 'T', values });
  assert.ok(linesOf(after).every((line) => line.length < 110));
  const short = 'registers:\n- id: a';
  assert.equal(setWord(short, 'a', ['key', 'K']), 'registers:\n- id: a\n  key: K\n');
});

test('every text of a register is the same text in the file', () => {
  const texts = [
    ...[
      '',
      '~',
      'null',
      'NO',
      'yes',
      '02134',
      '1e5',
      '- x',
      '# x',
      'a: b',
      'a #b',
      '"q"',
      "'q'",
      '[x',
      '{',
      '&a',
    ],
    ...[
      '*a',
      '!!int 3',
      '| x',
      'x\ny',
      '@x',
      '%x',
      '`x',
      'Café',
      '株式会社',
      'a,b',
      '...',
      '---',
      '\u202Ex',
      'x\u0000',
    ],
  ];
  const after = setWord(BLOCK, 'a', ['inside', { column: 'T', values: texts }]);
  assert.deepEqual(findWord(after, 'a', 'inside')?.value, { column: 'T', values: texts });
  const { value, faults } = readYaml(after);
  assert.deepEqual(faults, []);
  const { registers } = value as { registers: { inside: { values: string[] } }[] };
  assert.deepEqual(registers[0]!.inside.values, texts);
});

test('words are found on their lines; a word that is missing and a register that is missing are not', () => {
  assert.deepEqual(findWord(BLOCK, 'a', 'filed'), {
    line: 8,
    written: 'filed:   {column: D, format: M/D/YYYY}',
    value: { column: 'D', format: 'M/D/YYYY' },
  });
  assert.equal(findWord(BLOCK, 'a', 'owner'), undefined);
  assert.equal(findRegisterLine(BLOCK, 'b'), 22);
  assert.equal(findRegisterLine(BLOCK, 'c'), undefined);
  assert.equal(setWord(BLOCK, 'c', ['owner', 'O']), BLOCK);
});

test('a table of types without the column for it is left alone; short lines get what they lack', () => {
  assert.equal(markNoBusiness('type,category\nA,Legal\n', ['A']), undefined);
  const table = '\ufefftype,rows,category,new_business\nA\n"B,  c",1,Legal,"yes"\n';
  assert.equal(
    markNoBusiness(table, ['a', 'B, C', 'D "x"']),
    '\ufefftype,rows,category,new_business\nA,,,no\n"B,  c",1,Legal,no\n"D ""x""",,,no\n',
  );
});

/** The CSV reader on real exports. */

import assert from 'node:assert/strict';
import { createReadStream, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'csv-parse';
import { parse as parseText } from 'csv-parse/sync';
import { readCsv } from '../../../src/register/formats/csv.ts';
import { ALL_COLUMNS, listColumns, readCell, tidyText } from '../../../src/register/readers/row.ts';
import { realData } from '../../real-data.ts';

const scottsdale = realData('scottsdale/business_licenses.csv');
const longBeach = realData('long-beach/business_licenses.csv');

test('ragged rows and stray quotes of a real export are rejected with their lines, and all other rows are read', {
  skip: scottsdale.skip,
}, async () => {
  const lines = readFileSync(scottsdale.path, 'utf8').trimEnd().split('\n'); // no cell of it has two lines
  const isSound = (line: string) => {
    try {
      return parseText(line, { relax_column_count: true })[0]?.length === lines[0]!.split(',').length;
    } catch {
      return false;
    }
  };
  const expected = lines.flatMap((line, i) => (isSound(line) ? [] : [i + 1]));
  const rejected: number[] = [];
  let rows = 0;
  for await (const batch of readCsv(scottsdale.path, { delimiter: ',' }, ALL_COLUMNS))
    for (const one of batch)
      if ('row' in one) rows++;
      else rejected.push(one.line);
  assert.deepEqual(rejected, expected);
  assert.deepEqual([rejected.length, rejected[0], rows], [116, 226, lines.length - 1 - 116]);
  assert.ok(rejected.includes(24_449), 'the row with WALLBEDS "N" MORE');
});

test('Shingle finds the same cells in an export as another CSV reader', {
  skip: longBeach.skip,
}, async () => {
  const theirs = createReadStream(longBeach.path)
    .pipe(parse({ bom: true }))
    [Symbol.asyncIterator]();
  let rows = 0;
  await theirs.next();
  for await (const batch of readCsv(longBeach.path, { delimiter: ',' }, ALL_COLUMNS))
    for (const one of batch) {
      assert.ok('row' in one);
      const cells = listColumns(one.row).map((column) => readCell(one.row, column));
      // much faster than to compare lists
      assert.equal(cells.join('\n'), (await theirs.next()).value.map(tidyText).join('\n'));
      rows++;
    }
  assert.deepEqual([rows, (await theirs.next()).done], [89_245, true]);
});

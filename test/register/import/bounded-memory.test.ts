/** The memory for reading does not depend on the size of the file. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { aFolder } from '../../a-folder.ts';
import { PATIENCE_MS } from '../../patience.ts';

const HEAP_MB = 24; // a process that kept the rows of these files would need three times as much
const ROWS = 300_000;
const folder = aFolder();

type Text = { head: string; row: string; tail: string };

/** Reads a file of so many rows in a process of little memory; answers how many there were. */
async function rowsRead(format: 'csv' | 'json', { head, row, tail }: Text, options: object): Promise<number> {
  const path = join(folder, `a.${format}`);
  const file = openSync(path, 'w');
  writeSync(file, head);
  for (let i = 0; i < ROWS / 1000; i++) writeSync(file, row.repeat(1000));
  writeSync(file, tail);
  closeSync(file);
  const reader = new URL('../../../src/register/formats/read-file.ts', import.meta.url).href;
  const script = `
    import { readFileRows } from ${JSON.stringify(reader)};
    let rows = 0;
    const [path, reading] = ${JSON.stringify([path, { format, ...options }])};
    const spec = { columns: ['KEY', 'NAME'], optional: [] };
    for await (const batch of readFileRows(path, reading, spec)) rows += batch.length;
    console.log(rows);`;
  const flags = [`--max-old-space-size=${HEAP_MB}`, '--input-type=module', '-e', script];
  const { stdout } = await promisify(execFile)(process.execPath, flags, { timeout: PATIENCE_MS });
  return Number(stdout);
}

const record = '{"KEY":1,"NAME":"Blue Heron","A":"x","B":"y","C":2}';

test('a long CSV file is read in little memory', async () => {
  const text = { head: 'KEY,NAME,A,B,C\n', row: '1,Blue Heron,x,y,2\n', tail: '' };
  assert.equal(await rowsRead('csv', text, { delimiter: ',' }), ROWS);
});

test('a long JSON array and the data around it are read in little memory', async () => {
  const array = { head: `{"rows":[${record}`, row: `,${record}`, tail: ']}' };
  assert.equal(await rowsRead('json', array, { records: 'rows' }), ROWS + 1);
  const beside = { ...array, head: `{"rows":[${record}],"more":[0` };
  assert.equal(await rowsRead('json', beside, { records: 'rows' }), 1);
});

test('a long file of JSON lines is read in little memory', async () => {
  assert.equal(await rowsRead('json', { head: '', row: `${record}\n`, tail: '' }, {}), ROWS);
});

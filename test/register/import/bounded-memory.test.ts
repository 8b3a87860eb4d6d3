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

function written(name: string, text: { head: string; row: string; tail: string }): string {
  const path = join(folder, name);
  const file = openSync(path, 'w');
  writeSync(file, text.head);
  for (let i = 0; i < ROWS / 1000; i++) writeSync(file, text.row.repeat(1000));
  writeSync(file, text.tail);
  closeSync(file);
  return path;
}

/** Reads a file in a process of little memory; answers how many rows there were. */
async function rowsRead(read: 'readCsv' | 'readJson', path: string, format: object): Promise<number> {
  const from = new URL(
    `../../../src/register/formats/${read === 'readCsv' ? 'csv' : 'json'}.ts`,
    import.meta.url,
  );
  const script = `
    import { ${read} } from ${JSON.stringify(from.href)};
    let rows = 0;
    const spec = { columns: ['KEY', 'NAME'], optional: [] };
    for await (const batch of ${read}(${JSON.stringify(path)}, ${JSON.stringify(format)}, spec)) rows += batch.length;
    console.log(rows);`;
  const flags = [`--max-old-space-size=${HEAP_MB}`, '--input-type=module', '-e', script];
  const { stdout } = await promisify(execFile)(process.execPath, flags, { timeout: PATIENCE_MS });
  return Number(stdout);
}

const record = '{"KEY":1,"NAME":"Blue Heron","A":"x","B":"y","C":2}';

test('a long CSV file is read in little memory', async () => {
  const path = written('a.csv', { head: 'KEY,NAME,A,B,C\n', row: '1,Blue Heron,x,y,2\n', tail: '' });
  assert.equal(await rowsRead('readCsv', path, { format: 'csv', delimiter: ',' }), ROWS);
});

test('a long JSON array and the data around it are read in little memory', async () => {
  const beside = { head: `{"rows":[${record}],"more":[0`, row: `,${record}`, tail: ']}' };
  const inside = { head: `{"rows":[${record}`, row: `,${record}`, tail: ']}' };
  const format = { format: 'json', records: 'rows' };
  assert.equal(await rowsRead('readJson', written('inside.json', inside), format), ROWS + 1);
  assert.equal(await rowsRead('readJson', written('beside.json', beside), format), 1);
});

test('a long file of JSON lines is read in little memory', async () => {
  const path = written('a.ndjson', { head: '', row: `${record}\n`, tail: '' });
  assert.equal(await rowsRead('readJson', path, { format: 'json' }), ROWS);
});

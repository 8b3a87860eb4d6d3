/** Made-up registers with one fault each, kept beside the repository: each is read, or refused with a sentence that names the cause. */

import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readTable } from '../../../src/register/read-table.ts';
import { command } from '../../a-command.ts';
import { aFolder } from '../../a-folder.ts';
import { lastJson } from '../../a-process.ts';
import { everyEighth } from '../../depth.ts';
import { realData } from '../../real-data.ts';

const tempFolder = aFolder();

const REFUSED: Record<string, RegExp> = {
  'cut.csv': /may be cut off/,
  'empty.csv': /is empty/,
  'headeronly.csv': /no rows/,
  'page.csv': /web page/,
  'pdf.csv': /PDF/,
  'wide.csv': /3009 columns/,
  'x-cut.xlsx': /cut off/,
};
/** What is written into the mapping, where it is not plain. */
const READ: Record<string, object> = {
  'cp1252.csv': { encoding: 'windows-1252' },
  'fixed.txt': { widths: [16, 42, 34, 14, 34, 10] },
  'hdr5.csv': { header: 5 },
  'nested.json': { records: 'result.records' },
  'pipe.txt': { delimiter: '|' },
  'tab.tsv': { delimiter: '\t' },
  'twohdr.csv': { header: [1, 2] },
  'utf16-tab.txt': { delimiter: '\t', encoding: 'utf-16le' },
  'utf16.csv': { encoding: 'utf-16le' },
  'x-hdr5.xlsx': { header: 5 },
  'x-twohdr.xlsx': { header: [1, 2] },
};

const odd = realData('odd-files');
test('init reads each odd file correctly, or refuses it with the cause', { skip: odd.skip }, async (t) => {
  const names = readdirSync(odd.path).sort();
  assert.equal(names.length, 36);
  for (const name of names) {
    const options = { tempFolder, userAgent: 'test', timeZone: 'Etc/UTC', progress: () => undefined };
    const found = await readTable(join(odd.path, name), options).catch((error: Error) => error);
    const says = REFUSED[name];
    if (says !== undefined || found instanceof Error) {
      assert.match(String(found), says ?? /it is read/, name);
      continue;
    }
    const { from, table } = found;
    const [place, ...rest] = Object.entries(from);
    assert.equal(place?.[1], '', name);
    assert.deepEqual(Object.fromEntries(rest), READ[name] ?? {}, name);
    assert.ok([500, 1_000, 1_995, 2_000].includes(table.total), `${name}: ${table.total} rows`);
    const named = table.columns.map((column) => column.name);
    assert.ok(
      named.some((column) => column.endsWith('License Number')),
      `${name}: ${named.join(', ')}`,
    );
    assert.ok(
      named.some((column) => column.endsWith('Start Date')),
      `${name}: ${named.join(', ')}`,
    );
  }
  t.diagnostic(`${names.length} files, ${Object.keys(REFUSED).length} of them refused`);
});

test('init maps odd files into a city that works, or refuses it in a sentence and leaves nothing behind', {
  skip: odd.skip,
}, async () => {
  for (const name of everyEighth(readdirSync(odd.path).sort(), 1)) {
    const out = join(tempFolder, `city-${name}`);
    const env = { SHINGLE_DATA: join(tempFolder, 'data') };
    const ended = await command(['init', join(odd.path, name), '--out', out, '--json', '--no-install'], env);
    assert.ok(ended.code === 0 || ended.code === 1, `${name}: ${ended.code} ${ended.err}`);
    assert.equal(existsSync(out), ended.code === 0, name);
    assert.doesNotMatch(ended.err, /\n {4}at /, name);
    if (ended.code === 0) assert.notEqual(lastJson(ended).runs.at(-1)?.state, 'failed', name);
  }
});

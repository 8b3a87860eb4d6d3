/** Damaged files: each is refused with a message that says where, or read correctly. */

import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { findMostlySkipped } from '../../../src/register/findings/check-register.ts';
import { readCsv } from '../../../src/register/formats/csv.ts';
import { readJson } from '../../../src/register/formats/json.ts';
import type { NumberedRow, RejectedRow } from '../../../src/register/readers/row.ts';
import { openText } from '../../../src/register/readers/utf8.ts';
import { ShingleError } from '../../../src/shared/errors.ts';
import { aFolder } from '../../a-folder.ts';

const SPEC = { columns: ['KEY', 'NAME', 'FILED'], optional: [] };
const folder = aFolder();

/** Rows read and the lines rejected, or the sentence of the refusal. */
async function outcome(name: string, content: string | Buffer, records?: string): Promise<number | string> {
  const path = join(folder, name.replace(/\W+/g, '-'));
  writeFileSync(path, content);
  const batches = name.startsWith('csv')
    ? readCsv(path, { format: 'csv', delimiter: ',' }, SPEC)
    : readJson(path, { format: 'json', records }, SPEC);
  let rows = 0;
  const rejected: string[] = [];
  try {
    for await (const batch of batches as AsyncIterable<(NumberedRow | RejectedRow)[]>)
      for (const one of batch) {
        if ('reason' in one) rejected.push(`line ${one.line}: ${one.reason}`);
        else assert.equal(typeof one.row.NAME, 'string');
        if ('row' in one) rows++;
      }
    return rejected.length === 0 ? rows : `${rows} read; ${rejected.join(', ')}`;
  } catch (error) {
    assert.ok(error instanceof ShingleError && error.code === 'source', String(error));
    return error.message;
  }
}

const HEAD = 'KEY,NAME,FILED\n';
const ROW = '1,Blue Heron,2024-03-01\n';
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const HERON = { KEY: 1, NAME: 'Blue Heron', FILED: '2024-03-01' };
const heron = JSON.stringify(HERON);

/** A refusal says what the pattern says. A number is how many rows are read; text also names the lines rejected. */
type File = [name: string, content: string | Buffer, expected: RegExp | number | string, records?: string];
const CSV: File[] = [
  ['empty', '', /the file is empty/],
  ['nothing but a byte order mark and blank lines', '\ufeff\n\n', /the file is empty/],
  ['header only', HEAD, 0],
  ['cut in the middle of a row', `${HEAD}${ROW}2,Grey`, /line 3 has 2 cells, but the header has 3/],
  ['cut between two rows, which only its size betrays', HEAD + ROW, 1],
  ['cut inside a character', latin1(`${HEAD}2,Caf\xc3`), /line 2 is not UTF-8/],
  ['cut inside a quoted cell', `${HEAD}${ROW}2,"Grey`, /line 3: a quote is not closed/],
  ['cut after a quoted line break', `${HEAD}${ROW}2,"Grey\nGull`, /line 4 has 1 cells, but the header has 3/],
  ['cut between CR and LF', `${HEAD}${ROW}2,Grey,2024-03-01\r`, 2],
  ['cut after a closing quote, which nothing betrays', `${HEAD}${ROW}2,Grey,"2024-03-01"`, 2],
  ['an open quote, far up', `${HEAD}2,"Grey\n${ROW.repeat(9000)}`, '9000 read; line 2: unclosed quote'],
  [
    'a cell of more than 64 KiB in many lines',
    `${HEAD}2,"${'x\n'.repeat(5)}${'1,2,3\n'.repeat(11_000)}",\n${ROW}`,
    /^11001 read; line 2: unclosed quote, line 3: ragged row, .* line 6: ragged row, line 11007: unclosed quote$/,
  ],
  ['an open quote before another', `${HEAD}2,"Grey,x\n${ROW}3,"Gull",\n`, '2 read; line 2: unclosed quote'],
  ['spaces around quotes', `${HEAD}2, "Grey" ,\n${ROW}`, 2],
  [
    'a quote that opens in one damaged row and closes in another',
    `${HEAD}2,"Grey,2024-03-01\n${ROW}3,Gull",,2024-03-01\n${ROW}`,
    '2 read; line 2: ragged row, line 4: stray quote',
  ],
  ['a damaged last line', `${HEAD}${ROW}2,7" Pizza,`, /line 3: there is a quote inside an unquoted cell/],
  ['a quote in a bare cell of the header', `KEY,NA"ME,FILED\n${ROW}`, /line 1: there is a quote inside/],
  ['text after a quote in the header', `KEY,"NAME"S,FILED\n${ROW}`, /line 1: there is text after a closing/],
  ['a quote not closed in the header', `KEY,"NAME,FILED\n${ROW}`, /line 1: a quote is not closed/],
  [
    'UTF-16 with its mark',
    Buffer.from(`\ufeff${HEAD}${ROW}`, 'utf16le'),
    /line 1 is not UTF-8\. The file looks like UTF-16\. Add "encoding: utf-16le"/,
  ],
  ['UTF-32 with its mark', latin1('\xff\xfe\0\0K\0\0\0'), /the file is UTF-32\. Save it as UTF-8$/],
  ['UTF-32 in the other order', latin1('\0\0\xfe\xff\0\0\0K'), /the file is UTF-32\. Save it as UTF-8$/],
  ['UTF-16 without a mark', Buffer.from(HEAD + ROW, 'utf16le'), /looks like UTF-16/],
  ['Windows-1252', latin1(`${HEAD}${ROW}2,Caf\xe9 Gull,\n`), /line 3 is not UTF-8\. .*Windows-1252/],
  ['stray bytes', latin1(`${HEAD}${ROW}2,Caf\xc3\xa9,\n3,\xff,\n`), '2 read; line 4: damaged characters'],
  ['a stray byte far down', latin1(`${HEAD}${ROW.repeat(30_000)}2,\xe9 ,\n`), /line 30002 is not UTF-8/],
  ['a NUL', `${HEAD}${ROW}2,Gr\0ey,\n`, '1 read; line 3: damaged characters'],
  ['a cell of 5 MB', `${HEAD}2,${'x'.repeat(5e6)},\n${ROW}`, '1 read; line 2: row too large'],
  ['301 columns', `KEY,NAME,FILED${',x'.repeat(298)}\n`, /301 columns/],
  ['a long line after a stray quote', `${HEAD}2,7" ${'x'.repeat(7e4)},\n`, '0 read; line 2: stray quote'],
  ['a renamed column', `KEY,NAME,FILLED\n${ROW}`, /"FILED" is missing: .*line 1 has "FILLED" \(nearest\)/],
  ['a column gone', 'KEY,NAME\n1,Blue Heron\n', /column "FILED" is missing: .*line 1 has "KEY", "NAME"/],
  ['the same column twice', `KEY,NAME,NAME,FILED\n1,a,b,c\n`, 1],
  ['a header __proto__', `KEY,NAME,FILED,__proto__\n`, /line 1 has a column named "__proto__"/],
  ['a header constructor', `KEY,NAME,FILED, constructor\n`, /line 1 has a column named "constructor"/],
  ['semicolons', 'KEY;NAME;FILED\n1;Blue Heron;2024\n', /line 1 is a single cell: .* be ";", not ","/],
  ['tabs', 'KEY\tNAME\tFILED\n', /line 1 is a single cell: .* be a tab, not ","/],
  ['an HTML error page', '\n <!DOCTYPE html><title>Sorry</title>', /line 1 looks like a web page/],
  ['a web page with a table', '\ufeff<html><body><table><tr><td>Sorry', /save it as .xlsx or CSV/],
  ['JSON', `[${heron}]`, /line 1 looks like JSON, but the source is declared as CSV/],
  ['control and bidi characters', `${HEAD}1,Bl\u0007ue \u202eHeron\u202c,2024-03-01\n`, 1],
  ['an impossible day, left to the verdict', `${HEAD}1,Blue Heron,2024-02-31\n`, 1],
  ['the same key twice, left to folding', HEAD + ROW + ROW, 2],
];

const cafe = '{"NAME":"Caf\xc3\xa9"}';
const JSON_FILES: File[] = [
  ['empty', '', /the file is empty/],
  ['an empty array', '[]', 0],
  ['an empty wrapped array', '{"count":0,"filings":[]}', 0, 'filings'],
  ['cut inside a record', `[${heron},{"KEY":`, /record 2: the file ends in the middle/],
  ['cut between records', `[${heron},`, /record 2: the file ends in the middle/],
  ['cut inside a line', `${heron}\n{"KEY":`, /line 2 is not a complete JSON value/],
  ['a line that is cut', `${heron}\n{"KEY":\n${heron}\n`, '2 read; line 2: damaged JSON'],
  ['lost byte in a line', latin1(`${heron}\n{"A":"\xff"}\n${cafe}\n`), '2 read; line 2: damaged characters'],
  ['a lost byte', latin1(`[${heron},{"NAME":"\xff"},${cafe}]`), '2 read; line 2: damaged characters'],
  ['a comma too many', `[${heron},]`, /record 2: invalid JSON/],
  ['two documents', `[${heron}]\n[]`, /record 2: there is extra text after the end/],
  ['a record that is a number', `[${heron},7]`, '1 read; line 2: damaged JSON'],
  ['a line that is a number', `${heron}\n7\n`, '1 read; line 2: damaged JSON'],
  ['a wrong count', `{"filings":[${heron}],"count":2}`, /states 2 records but contains 1/, 'filings'],
  ['no array where it should be', `{"filing":[${heron}]}`, /"filings" is missing/, 'filings'],
  ['an object instead of the array', `{"filings":{"a":${heron}}}`, /"filings" is .* not an array/, 'filings'],
  ['a wrapper nobody declared', `{\n"filings":[${heron}]}`, /line 1 .*json\(\{ records \}\)/],
  ['a column no record has', '[{"KEY":1,"NAME":"a"},{"KEY":2,"FILD":""}]', /"FILED" is missing: no record/],
  ['a column that is null throughout', '[{"KEY":1,"NAME":"a","FILED":null}]', 1],
  ['too many digits', `[{"KEY":12345678901234567890}]`, /record 1: the number in "KEY" has too many digits/],
  ['text without end', `[${heron},{"NAME":"${'x'.repeat(5e6)}`, /record 2: the file ends in the middle/],
  ['text that fills memory', `[${heron},{"NAME":"${'x'.repeat(9e6)}`, /record 2 is larger than 8192 KiB/],
  ['a record of 2 MB', `[${heron},{"NAME":"${'x'.repeat(2e6)}"},${heron}]`, '2 read; line 2: row too large'],
  ['a line of 5 MB', `${heron}\n{"NAME":"${'x'.repeat(5e6)}"}\n${heron}`, '2 read; line 2: row too large'],
  ['brackets without end', `[${heron},${'['.repeat(1e5)}`, /record 2 is nested too deep/],
  ['a line of brackets', `{"KEY":${'['.repeat(3e4)}${']'.repeat(3e4)},"NAME":1,"FILED":2}`, 1],
  ['an HTML error page', '<html><body>Sorry', /line 1 looks like a web page/],
  ['CSV', HEAD + ROW, /line 1 does not look like JSON\. .* may be CSV/],
  ['a NUL', `[\n{"KEY":"\0"}]`, /record 1: invalid JSON/],
  ['Windows-1252', latin1(`[{"NAME":"Caf\xe9"}]`), /line 1 is not UTF-8\. .*Windows-1252/],
];

for (const [format, files] of Object.entries({ csv: CSV, json: JSON_FILES })) {
  for (const [name, content, expected, records] of files) {
    const verdict = expected instanceof RegExp ? 'is refused, and says where' : `is read: ${expected}`;
    test(`${format}: ${name} ${verdict}`, async () => {
      const seen = await outcome(`${format} ${name}`, content, records);
      if (expected instanceof RegExp) assert.match(String(seen), expected);
      else assert.equal(seen, expected);
    });
  }
}

test('an error never quotes the content of a row, because it may name people', async () => {
  const secret = 'Walter Example';
  const json = [`[{"OWNER":"${secret}" "KEY":1}]`, `[{"OWNER":"${secret}"} "${secret}"]`, `{"${secret}`];
  const csv = [`1,"${secret}"x,`, `1,${secret}"x,`, `1,${secret}`].map((cells) => HEAD + cells);
  for (const [format, contents] of Object.entries({ json, csv }))
    for (const content of contents)
      assert.match(String(await outcome(`${format} secret`, content)), /^(?!.*Walter).*(?:record|line)/);
});

/** Characters of one to four bytes, and bytes that are no UTF-8 where they stand. */
const PIECES = ['a', ',', '\n', '\r\n', 'é', '—', '€', '🏪', '\ufeff'].map((text) => Buffer.from(text));
const BROKEN = [
  ...['\xe9', '\xc3', '\x80', '\xff', '\xc0\xaf', '\xed\xa0\x80', '\xf0\x9f', '\xf4\x90\x80\x80', '\0'],
].map(latin1);

/** The line of the first damage, told line by line, or nothing. */
function damagedLine(bytes: Buffer): number | undefined {
  const lines = bytes.toString('latin1').split('\n');
  const at = lines.findIndex((line) => line.includes('\0') || !isUtf8(latin1(line)));
  return at === -1 ? undefined : at + 1;
}

test('at any chunk size, the bytes of a file arrive unchanged, or the first line in another encoding is named', async () => {
  const path = join(folder, 'chunks');
  const pieces = fc.array(
    fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...PIECES) }, fc.constantFrom(...BROKEN)),
    { maxLength: 40 },
  );
  let [refused, arrived] = [0, 0];
  await fc.assert(
    fc.asyncProperty(pieces, fc.integer({ min: 1, max: 9 }), async (given, chunkBytes) => {
      const bytes = Buffer.concat([Buffer.from('KEY'), ...given]);
      writeFileSync(path, bytes);
      const line = damagedLine(bytes);
      const read = openText(path, chunkBytes).then(({ all }) => Array.fromAsync(all));
      const outcome = await read.then(Buffer.concat, (error: Error) => error.message);
      if (typeof outcome === 'string') {
        refused++;
        assert.match(outcome, new RegExp(`^line ${line} is not UTF-8`));
      } else {
        arrived++;
        assert.deepEqual(outcome, bytes);
      }
    }),
    { seed: 20_261_122, numRuns: 500 },
  );
  assert.ok(refused > 10 && arrived > 100, `${refused} refused, ${arrived} arrived`);
});

const REGISTER = { city: { name: 'Otterfall' }, source: {} };
const SUMS = { read: 100, openings: 60, skipped: {}, rejected: [] };

for (const [reason, code, usual, many, says] of [
  ['no filing date', 'no-first-date', 20, 30, '30 rows (33.3 %) have'],
  ['outside the city', 'outside-city', 60, 61, '61 rows (50.4 %) are left out'],
] as const)
  test(`a run is held if many rows are left out for "${reason}", and kept if few rows are left out`, () => {
    const find = (count: number) => {
      const found = findMostlySkipped(REGISTER, { ...SUMS, skipped: { [reason]: count } }, []);
      return found.map((one) => one && [one.code, one.count, one.severity, one.detail.slice(0, says.length)]);
    };
    assert.ok(find(usual).every((one) => one === undefined));
    assert.deepEqual(find(many).filter(Boolean), [[code, many, 'stop', says]]);
  });

test('in place of a missing column, a column is named that nothing else reads', async () => {
  const path = join(folder, 'renamed.csv');
  writeFileSync(path, 'Day Expired,Opened\n2026-03-01,2024-03-01\n');
  const spec = { columns: ['Day Opened', 'Day Expired'], optional: [] };
  const rows = readCsv(path, { format: 'csv', delimiter: ',' }, spec);
  await assert.rejects(Array.fromAsync(rows), /"Day Opened" is missing: .* has "Opened" \(nearest\)/);
});

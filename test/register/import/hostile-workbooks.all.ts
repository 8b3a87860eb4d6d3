/** Workbooks that are small and ask for all memory or all time: each is refused in a sentence, or read without believing it. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { openWorkbook } from '../../../src/register/readers/workbook/workbook.ts';
import { aFolder } from '../../a-folder.ts';
import { PATIENCE_MS } from '../../patience.ts';
import { entriesOf, textCell, textRows, workbook } from './a-workbook.ts';

const MOST_MIB = 400;
const HEAP_MB = 1_000; // a reader that takes all memory ends here, and not with the machine
const folder = aFolder();

const NS = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const REL = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const SHEET = 'xl/worksheets/sheet1.xml';
const HEADER = textRows([['ID', 'NAME']]);
const ROW = textRows([['1', 'Blue Heron']], 2);
const cell = (attributes: string) => `${HEADER}<row><c ${attributes}><v>1</v></c></row>`;
const repeated = (count: number, text: (at: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join('');
const sheetOf = (before: string, rows: string, behind = '') =>
  `<worksheet ${NS}>${before}<sheetData>${rows}</sheetData>${behind}</worksheet>`;
const withStyles = (rows: string, styles: string) =>
  workbook(rows, { 'xl/styles.xml': `<styleSheet ${NS}>${styles}</styleSheet>` });
const sharing = (strings: string, attributes = '') => ({
  'xl/sharedStrings.xml': `<sst ${NS} ${attributes}>${strings}</sst>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
    <Relationship Id="r1" Type="${REL}/worksheet" Target="worksheets/sheet1.xml"/>
    <Relationship Id="r2" Type="${REL}/styles" Target="styles.xml"/>
    <Relationship Id="r3" Type="${REL}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
});

type Measured = { rows: number; error: string | undefined; peakMib: number };

/** Reads workbooks one after the other in a process of their own: what became of each, and the most memory up to then. */
async function measure(books: readonly (() => Uint8Array)[]): Promise<Measured[]> {
  const paths = books.map((_, i) => join(folder, `book-${i}.xlsx`));
  for (const [i, path] of paths.entries()) writeFileSync(path, books[i]!());
  const reader = new URL('../../../src/register/formats/excel.ts', import.meta.url).href;
  const script = `
    import { readExcel } from ${JSON.stringify(reader)};
    const format = { format: 'excel', sheet: undefined, place: undefined };
    const measured = [];
    for (const path of ${JSON.stringify(paths)}) {
      let rows = 0;
      let error;
      try {
        for await (const batch of readExcel(path, format, { columns: [], optional: ['ID', 'NAME'] })) rows += batch.length;
      } catch (thrown) {
        error = thrown.code === 'source' ? thrown.message : thrown.stack;
      }
      gc();
      measured.push({ rows, error, peakMib: process.resourceUsage().maxRSS / 1024 });
    }
    console.log(JSON.stringify(measured));`;
  const flags = [`--max-old-space-size=${HEAP_MB}`, '--expose-gc', '--input-type=module', ...['-e', script]];
  const { stdout } = await promisify(execFile)(process.execPath, flags, { timeout: PATIENCE_MS });
  const measured = JSON.parse(stdout) as Measured[];
  for (const [i, { peakMib }] of measured.entries())
    assert.ok(peakMib > 10 && peakMib < MOST_MIB, `workbook ${i}: ${Math.round(peakMib)} MiB`);
  return measured;
}

const REFUSED: [bytes: () => Uint8Array, says: RegExp][] = [
  [() => workbook(cell('r="A"')), /no place that can be read/],
  [() => workbook(cell('r="ZZZZZ1"')), /no place that can be read/],
  [() => workbook(`${HEADER}<row r="1e9"/>`), /no number that can be read/],
  [() => workbook(`${HEADER}<row r="Infinity"/>`), /no number that can be read/],
  [() => workbook(`${HEADER}<row r="9999999"/>`), /more than 1048576 rows/],
  [() => workbook('<row/>'.repeat(1_100_000)), /more than 1048576 rows/],
  [
    () => workbook(ROW, Object.fromEntries([...Array(1_000).keys()].map((i) => [`xl/more${i}.xml`, '<a/>']))),
    /more than 1000 entries/,
  ],
  [() => withStyles(ROW, `<cellXfs>${'<xf/>'.repeat(3_000_000)}</cellXfs>`), /more than 65536 cell formats/],
  [() => workbook(`<!--${'<x>'.repeat(3e6)}-->${ROW}`), /comment of more than 1024 KiB/],
  [() => workbook(`<row ${repeated(7e5, (i) => `a${i}="1" `)}/>`), /tag or comment of more than 1024 KiB/],
  [() => workbook('<a>'.repeat(300_000)), /more than 500 deep/],
  [
    () => workbook(repeated(3, () => `<row>${'<c><v>1</v></c>'.repeat(16_384)}</row>`)),
    /values beyond column 1000/,
  ],
  [
    () =>
      workbook(ROW, {
        [SHEET]: `<!DOCTYPE x [<!ENTITY a "${'x'.repeat(1000)}"><!ENTITY b "${'&a;'.repeat(1000)}">]>${sheetOf('', ROW)}`,
      }),
    /a document type, which is not allowed/,
  ],
  [() => workbook(ROW, sharing(`<si><t>${'x'.repeat(500_000)}</t></si>`.repeat(200))), /too much text/],
];

test('messages show names of sheets in short and without escape sequences', async () => {
  const sheets = `<sheets><sheet name="\u001b[31m${'A'.repeat(1_000)}" sheetId="1" r:id="r1"/></sheets>`;
  const path = join(folder, 'named.xlsx');
  writeFileSync(
    path,
    workbook(HEADER + ROW, { 'xl/workbook.xml': `<workbook ${NS} xmlns:r="${REL}">${sheets}</workbook>` }),
  );
  await using book = await openWorkbook(path);
  const error = await Promise.try(() => book.find('Licences')).catch((thrown: unknown) => thrown);
  assert.match(String(error), /it has \[31mA{56}\.\.\.$/);
});

test('a workbook made to use up memory is refused in a sentence and in little memory', async (t) => {
  const measured = await measure(REFUSED.map(([bytes]) => bytes));
  for (const [i, [, says]] of REFUSED.entries())
    assert.match(measured[i]!.error ?? 'it was read', new RegExp(`^[^\n]*${says.source}[^\n]*$`));
  t.diagnostic(`${REFUSED.length} workbooks, at most ${Math.round(measured.at(-1)!.peakMib)} MiB`);
});

/** The size that each entry says it has when unpacked becomes nearly 2 GB. */
function claimingSize(bytes: Uint8Array): Uint8Array {
  const copy = Buffer.from(bytes);
  for (const at of entriesOf(copy, 'PK\x03\x04')) copy.writeUInt16LE(0x7000, at + 24);
  return copy;
}

const FAR_SIZE = '<dimension ref="A1:XFD1048576"/>';
const FAR_COLUMNS = '<cols><col min="1" max="2000000000"/></cols>';
const FAR_MERGED = '<mergeCells count="1"><mergeCell ref="A3:XFD1048576"/></mergeCells>';
const READ: [what: string, bytes: () => Uint8Array, rows: number][] = [
  ['one far cell', () => workbook(`${HEADER}<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>`), 1],
  ['a cell with a prefix', () => workbook(`${HEADER}<x:row><x:c x:r="A2"><x:v>1</x:v></x:c></x:row>`), 1],
  [
    'a text of 10 MB, which is a row that is rejected',
    () =>
      workbook(`${HEADER}<row>${textCell('A2', 'x'.repeat(10_000_000))}</row>${ROW.replaceAll('2"', '3"')}`),
    2,
  ],
  [
    'one long text in every cell',
    () =>
      workbook(
        HEADER + repeated(20_000, () => '<row><c t="s"><v>0</v></c></row>'),
        sharing(`<si><t>${'x'.repeat(200_000)}</t></si>`),
      ),
    20_000,
  ],
  ['a sheet said to reach far', () => workbook('', { [SHEET]: sheetOf(FAR_SIZE, HEADER + ROW) }), 1],
  ['merged cells', () => workbook('', { [SHEET]: sheetOf('', HEADER + ROW, FAR_MERGED) }), 1],
  ['endless columns', () => workbook('', { [SHEET]: sheetOf(FAR_COLUMNS, HEADER + ROW) }), 1],
  [
    'four billion texts',
    () => workbook(HEADER + ROW, sharing('<si><t>x</t></si>', 'count="4000000000" uniqueCount="4000000000"')),
    1,
  ],
  ['entries that say they are 2 GB', () => claimingSize(workbook(HEADER + ROW)), 1],
  ['a colored far cell', () => workbook(`${HEADER}${ROW}<row r="3"><c r="XFD3" s="1"/></row>`), 1],
  ['a colored last row', () => workbook(`${HEADER}${ROW}<row r="1048576"><c r="A1048576" s="1"/></row>`), 1],
  ['a condition', () => withStyles(HEADER + ROW, '<numFmts><numFmt formatCode="[>=1]0"/></numFmts>'), 1],
  [
    'five thousand names for one sheet',
    () =>
      workbook(HEADER + repeated(5_000, (i) => `<row r="${i + 2}">${textCell(`A${i + 2}`, 'x')}</row>`), {
        'xl/workbook.xml': `<workbook ${NS} xmlns:r="${REL}"><sheets>${repeated(5_000, (i) => `<sheet name="S${i}" sheetId="${i + 1}" r:id="r1"/>`)}</sheets></workbook>`,
      }),
    5_000,
  ],
];

test('Shingle reserves no memory for the sizes that a workbook claims', async () => {
  const measured = await measure(READ.map(([, bytes]) => bytes));
  for (const [i, [what, , rows]] of READ.entries())
    assert.deepEqual([measured[i]!.rows, measured[i]!.error], [rows, undefined], what);
});

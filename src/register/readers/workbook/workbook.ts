/** Opens workbooks of any kind as sheets of rows, which are read as a stream. */

import { messageOf, ShingleError, sourceError } from '../../../shared/errors.ts';
import { readHead } from '../file-kind.ts';
import { formatFoundName } from '../row.ts';
import { findEncoding, readChunks } from '../utf8.ts';
import { openZip, type Zip } from '../zip.ts';
import type { Sheet } from './sheet-rows.ts';
import { EXCEL_2003, HTML, OPEN_DOCUMENT, openTables } from './tables.ts';
import { openXlsx } from './xlsx.ts';

const HEAD_BYTES = 4_096;
const SHEETS_NAMED = 8;
/** Limits what a sheet unpacks to, because all of it is looked at. A million rows of ten columns have 600 MB. */
const MOST_UNPACKED = 1024 * 1024 * 1024;

export type Workbook = AsyncDisposable & {
  sheets: readonly [Sheet, ...Sheet[]];
  /** Finds a sheet, by default the first that is not hidden. Throws `source` if there is none of this name. */
  find(name?: string): Sheet;
};

export async function openWorkbook(path: string): Promise<Workbook> {
  const stack = new AsyncDisposableStack();
  try {
    const sheets = await openSheets(path, stack);
    const [first, ...more] = sheets.map(explainProblems);
    if (first === undefined) throw sourceError('the workbook cannot be read: it has no sheet or table');
    const all = [first, ...more] as const;
    return {
      sheets: [first, ...more],
      find: (name) => findSheet(all, name),
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw describeProblem(error);
  }
}

async function openSheets(path: string, stack: AsyncDisposableStack): Promise<Sheet[]> {
  const head = (await readHead(path, HEAD_BYTES)).toString('latin1');
  if (!head.startsWith('PK')) return openMarkup(path, head);
  const zip: Zip = stack.use(await openZip(path));
  const unpacked = Math.max(...zip.entries.map(({ bytes }) => bytes));
  if (unpacked > MOST_UNPACKED)
    throw sourceError(
      `a sheet of the workbook unpacks to more than ${MOST_UNPACKED / 1024 / 1024} MiB. Save the sheet as CSV`,
    );
  const content = zip.entries.find(({ name }) => name === 'content.xml');
  if (content !== undefined) return openTables(() => content.read(), OPEN_DOCUMENT);
  if (zip.entries.some(({ name }) => /(?:^|\/)workbook\.bin$/i.test(name)))
    throw sourceError(
      'the file is a binary workbook (.xlsb). Open it in a spreadsheet program and save it as .xlsx',
    );
  return openXlsx(zip.entries);
}

async function openMarkup(path: string, head: string): Promise<Sheet[]> {
  const isXml = /urn:schemas-microsoft-com:office:spreadsheet/i.test(head) && !/<html/i.test(head);
  const named = /(?:charset|encoding)\s*=\s*["']?([\w-]+)/i.exec(head)?.[1];
  const found = await findEncoding(path);
  const encoding =
    found.encoding !== 'utf-8' && named !== undefined && isKnown(named) ? named : found.encoding;
  return openTables(() => readChunks(path), isXml ? EXCEL_2003 : HTML, encoding);
}

function isKnown(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== 'utf-8';
  } catch {
    return false;
  }
}

function findSheet(sheets: readonly [Sheet, ...Sheet[]], name?: string): Sheet {
  const found =
    name === undefined ? sheets.find(({ isHidden }) => !isHidden) : sheets.find((one) => one.name === name);
  if (found !== undefined || name === undefined) return found ?? sheets[0];
  const names = sheets.slice(0, SHEETS_NAMED).map((one) => formatFoundName(one.name));
  const more = sheets.length > SHEETS_NAMED ? ', ...' : '';
  throw sourceError(`the workbook has no sheet "${name}"; it has ${names.join(', ')}${more}`);
}

function explainProblems(sheet: Sheet): Sheet {
  return {
    ...sheet,
    async *read() {
      try {
        yield* sheet.read();
      } catch (error) {
        throw describeProblem(error);
      }
    },
  };
}

function describeProblem(error: unknown): ShingleError {
  if (error instanceof ShingleError) return error;
  return sourceError(`the workbook cannot be read: ${messageOf(error)}`, error);
}

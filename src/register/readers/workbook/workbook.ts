/** Opens workbooks of any kind as sheets of rows, which are read as a stream. */

import { messageOf, ShingleError, sourceError } from '../../../shared/errors.ts';
import { joinFirst } from '../../../shared/text/numbers.ts';
import { readHead } from '../file-kind.ts';
import { formatFoundName } from '../row.ts';
import { openText } from '../utf8.ts';
import { openZip, type Zip } from '../zip.ts';
import { openDocument } from './open-document.ts';
import type { Sheet } from './sheet-rows.ts';
import { openXlsx } from './xlsx.ts';

const HEAD_BYTES = 4_096;
const ZIP = Buffer.from('PK');
/** Limits what a sheet unpacks to, because all of it is looked at. A million rows of ten columns have 600 MB. */
const MOST_UNPACKED = 1024 * 1024 * 1024;

export async function openWorkbook(path: string) {
  const stack = new AsyncDisposableStack();
  try {
    const [first, ...more] = (await openSheets(path, stack)).map(explainProblems);
    if (first === undefined) throw sourceError('the workbook cannot be read: it has no sheet');
    const sheets = [first, ...more] as const;
    return {
      sheets,
      /** Finds a sheet, by default the first that is not hidden. Throws `source` if there is none of this name. */
      find: (name?: string) => findSheet(sheets, name),
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw describeProblem(error);
  }
}

async function openSheets(path: string, stack: AsyncDisposableStack): Promise<Sheet[]> {
  if (!(await readHead(path, 2)).equals(ZIP)) await refuseText(path);
  const zip: Zip = stack.use(await openZip(path));
  const unpacked = Math.max(...zip.entries.map(({ bytes }) => bytes));
  if (unpacked > MOST_UNPACKED)
    throw sourceError(
      `a sheet of the workbook unpacks to more than ${MOST_UNPACKED / 1024 / 1024} MiB. Save the sheet as CSV`,
    );
  const content = zip.entries.find(({ name }) => name === 'content.xml');
  if (content !== undefined) return openDocument(content.read);
  if (zip.entries.some(({ name }) => /(?:^|\/)workbook\.bin$/i.test(name)))
    throw sourceError(
      'the file is a binary workbook (.xlsb). Open it in a spreadsheet program and save it as .xlsx',
    );
  return openXlsx(zip.entries);
}

/** Throws `source` for a file that is no archive: a page, text or another kind of file. */
async function refuseText(path: string): Promise<never> {
  const { all } = await openText(path, HEAD_BYTES);
  await all.return?.(undefined);
  throw sourceError('the file is text, not a workbook. Declare the source as csv, or as json');
}

function findSheet(sheets: readonly [Sheet, ...Sheet[]], name?: string): Sheet {
  const found =
    name === undefined ? sheets.find(({ isHidden }) => !isHidden) : sheets.find((one) => one.name === name);
  if (found !== undefined || name === undefined) return found ?? sheets[0];
  const names = joinFirst(sheets.map((one) => formatFoundName(one.name)));
  throw sourceError(`the workbook has no sheet "${name}"; it has ${names}`);
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

/** Reads a sheet of a workbook, or a table of a document, as rows. */

import {
  isRepeatedHeader,
  joinHeaderRows,
  listHeaderLines,
  type NumberedRow,
  numberColumns,
  openRowReader,
  type RejectedRow,
  type RowSpec,
  refuseColumns,
} from '../readers/row.ts';
import { openReadTally } from '../readers/utf8.ts';
import { openWorkbook } from '../readers/workbook/workbook.ts';
import type { FileReader, Reading } from './read-file.ts';

/** Yields rows, numbered as in the sheet. Throws `source` for a missing sheet, or no workbook. */
export async function* readExcel(
  path: string,
  { sheet, header }: Partial<Reading<'excel'>>,
  spec: RowSpec,
): AsyncGenerator<(NumberedRow | RejectedRow)[]> {
  await using workbook = await openWorkbook(path);
  const { tally = openReadTally() } = spec;
  const lines = listHeaderLines(header);
  const last = lines.at(-1) ?? 0;
  const headers = lines.map((): string[] => []);
  let rowOf: ReturnType<typeof openRowReader> | undefined;
  const openHeader = (width: number) => {
    const names = lines.length === 0 ? numberColumns(width) : joinHeaderRows(headers);
    refuseColumns(names.length, 'the sheet');
    return openRowReader(names, { ...spec, headerLine: lines[0] });
  };
  for await (const rows of workbook.find(sheet).read()) {
    const batch: (NumberedRow | RejectedRow)[] = [];
    for (const row of rows) {
      const { line } = row;
      if ('cells' in row && lines.includes(line)) headers[lines.indexOf(line)] = row.cells;
      if (line <= last) continue;
      rowOf ??= openHeader(Math.max(...rows.map((one) => ('cells' in one ? one.cells.length : 0))));
      if ('reason' in row) batch.push(row);
      else if (isRepeatedHeader(headers, (at) => row.cells[at] ?? '')) tally.repeatedHeaders++;
      else batch.push({ line, row: rowOf((at) => row.cells[at] ?? '') });
    }
    if (batch.length > 0) yield batch;
  }
  if (rowOf === undefined) openHeader(0);
}

export default {
  read: readExcel,
  survey: async (path) => (await import('../layout/detect-sheet.ts')).findWorkbookReading(path),
  inspect: async (path, reading) =>
    (await import('../layout/detect-sheet.ts')).inspectWorkbook(path, reading),
} satisfies FileReader<'excel'>;

/** Reads a sheet of a workbook as rows. */

import type { SourceFormat } from '../profile/formats.ts';
import { type NumberedRow, openRowReader, type RowSpec } from '../readers/row.ts';
import { readSheets, splitSheet } from '../readers/sheets.ts';
import type { FileReader } from './reader.ts';

type ExcelFormat = Extract<SourceFormat, { format: 'excel' }>;

const SHEET_BATCH_ROWS = 500;

/** Yields rows, numbered as in the sheet. Throws `source` for a missing sheet, a large file, or no workbook. */
export async function* readExcel(
  path: string,
  { sheet, header }: Partial<ExcelFormat>,
  spec: RowSpec,
): AsyncGenerator<NumberedRow[]> {
  const [{ cells }] = await readSheets(path, sheet ?? 1);
  const { names, headerLine, rows } = splitSheet(cells, header, spec.tally);
  const rowOf = openRowReader(names, { ...spec, headerLine });
  let batch: NumberedRow[] = [];
  for (const { line, texts } of rows) {
    batch.push({ line, row: rowOf((at) => texts[at] ?? '') });
    if (batch.length < SHEET_BATCH_ROWS) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

export default {
  read: readExcel,
  survey: async (path) => (await import('../tables/read-workbook.ts')).findWorkbookReading(path),
  inspect: async (path, reading) =>
    (await import('../tables/read-workbook.ts')).inspectWorkbook(path, reading),
} satisfies FileReader<'excel'>;

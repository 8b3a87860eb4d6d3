/** Reads the rows of a source's file in its format. */

import type { Source } from '../../city/define.ts';
import { locateColumn } from '../../city/mapping/known-mappings.ts';
import { readCsv } from './csv.ts';
import type { FiledFile } from './filed.ts';
import { readGeoJson, readJson } from './json.ts';
import type { RowSpec } from './row.ts';

/** Reads the rows of a file. `seen` are the findings, which see all columns, and the count of bytes read. */
export function readSourceRows(
  source: Source,
  { path, isChecked, name }: FiledFile,
  seen: Pick<RowSpec, 'others' | 'tally'>,
) {
  const { from, columns, optional = [], aliases } = source;
  const locate = (column: string) => locateColumn(source, column);
  const spec = isChecked
    ? { columns: [], optional: [...columns, ...optional], aliases, ...seen }
    : { columns, optional, aliases, locate, ...seen };
  switch (from.format) {
    case 'csv':
      return readCsv(path, from, spec);
    case 'json':
      return readJson(path, from, spec);
    case 'excel':
      return workbookRows(path, from, spec);
    case 'geojson':
      return readGeoJson(path, spec);
    case 'socrata':
    case 'arcgis':
    case 'ckan': // portal pages are stored as an object on each line; a file may be a list or CSV
      return /\.csv(\.gz|\.zip)?$/i.test(name)
        ? readCsv(path, { format: 'csv', delimiter: ',', place: undefined }, spec)
        : readJson(path, { format: 'json', records: undefined, place: undefined }, spec);
  }
}

/** Reads a workbook. Loads the library only if needed, to save memory. */
async function* workbookRows(...given: Parameters<typeof import('./excel.ts').readExcel>) {
  const { readExcel } = await import('./excel.ts');
  yield* readExcel(...given);
}

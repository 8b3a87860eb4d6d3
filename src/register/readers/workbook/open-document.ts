/** Reads the sheets of an OpenDocument file (.ods). */

import { type Attributes, readMarkup, readWholeMarkup } from './read-xml.ts';
import { openCellText, openSheetRows, type Sheet } from './sheet-rows.ts';

const MOST_SHEETS = 1_000;
/** Rows and cells may be said to repeat up to the end of the sheet. */
const MOST_REPEATS = 1_000;
/** Tags whose text is no part of a cell. */
const IGNORED = ['annotation', 'shapes', 'tracked-changes'];

/** Opens the sheets. `open` reads the document from its beginning, for the list of sheets and for each of them. */
export async function openDocument(open: () => Promise<AsyncIterable<Buffer>>): Promise<Sheet[]> {
  const names: string[] = [];
  const see = (tag: string, { name }: Attributes) => {
    if (tag === 'table' && names.length < MOST_SHEETS) names.push(name ?? `table ${names.length + 1}`);
  };
  await readWholeMarkup(await open(), { open: see, close: () => undefined });
  return names.map((name, at) => ({
    name,
    isHidden: false,
    async *read() {
      const { handler, rows } = openSheet(at);
      for await (const _ of readMarkup(await open(), handler)) yield rows.takeRows();
    },
  }));
}

function openSheet(wanted: number) {
  const rows = openSheetRows();
  const text = openCellText();
  const open: number[] = []; // the numbers of the tables around a tag; tables may be inside cells
  let cell: Attributes | undefined;
  let [count, repeats, ignored] = [0, 1, 0];
  const isInside = () => open.at(-1) === wanted && ignored === 0;
  const numberIn = (attributes: Attributes, name: string) =>
    Math.max(1, Number.parseInt(attributes[name] ?? '', 10) || 1);

  function addCell(attributes: Attributes): void {
    const found = text.get();
    const value = found && (attributes['date-value']?.slice(0, 10) ?? attributes.value ?? found.trim());
    const columns = numberIn(attributes, 'number-columns-spanned');
    const place = { columns, rows: numberIn(attributes, 'number-rows-spanned') };
    const times = numberIn(attributes, 'number-columns-repeated');
    if (value === '') rows.addCell('', { ...place, columns: times * columns });
    else for (let at = 0; at < Math.min(times, MOST_REPEATS); at++) rows.addCell(value, place);
  }

  const handler = {
    open(name: string, attributes: Attributes) {
      if (name === 'table') open.push(count++);
      if (IGNORED.includes(name)) ignored++;
      if (!isInside()) return;
      if (name === 'table-row') {
        rows.openRow();
        repeats = numberIn(attributes, 'number-rows-repeated');
      } else if (name === 'table-cell' || name === 'covered-table-cell') {
        cell = attributes;
        text.clear();
      } else if (cell !== undefined) {
        if (name === 'p' && text.get() !== '') text.add('\n');
        if (name === 's') text.add(' ');
      }
    },
    close(name: string) {
      const isHere = isInside();
      if (IGNORED.includes(name)) ignored--;
      if (name === 'table') open.pop();
      if (!isHere) return;
      if (cell !== undefined && (name === 'table-cell' || name === 'covered-table-cell')) {
        addCell(cell);
        cell = undefined;
      }
      if (name !== 'table-row') return;
      rows.closeRow();
      if (repeats > 1) rows.repeatRow(repeats - 1);
    },
    text: (piece: string) => void (cell !== undefined && isInside() && text.add(piece)),
  };
  return { handler, rows };
}

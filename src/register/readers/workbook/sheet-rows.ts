/** Collects the cells of a sheet as rows of texts. Repeats a cell that is merged over several rows in each of them. */

/** The limit of a row, as in CSV. One long text may fill many cells. */
const MOST_ROW_CHARACTERS = 1024 * 1024;
/** Cells further to the right are not read. A header may have 300. */
const MOST_CELLS = 1_000;
/** So many values further to the right are not a stray one. */
const MOST_BEYOND = 1_000;
const MOST_ROWS = 1_048_576; // the limit of Excel

/** A row that has a cell with text, numbered as in the sheet. Empty cells are `''`. */
export type SheetRow = { line: number; cells: string[] } | { line: number; reason: 'row too large' };

export type Sheet = {
  name: string;
  isHidden: boolean;
  /** Reads the rows from the first. */
  read(): AsyncGenerator<SheetRow[]>;
};

/** A sheet of a workbook that has the columns of the one that is read. */
export type UnreadSheet = { name: string; rows: number };

export type CellPlace = {
  /** From 1. Default: the column after the last cell. */
  column?: number | undefined;
  /** The number of columns or rows that it covers. */
  columns?: number;
  rows?: number;
};

export function openSheetRows() {
  let rows: SheetRow[] = [];
  let [line, next, characters, beyond] = [0, 1, 0, 0];
  let cells: string[] = [];
  const merged = new Map<number, { text: string; until: number }>();

  function closeCells(): void {
    if (characters > MOST_ROW_CHARACTERS) rows.push({ line, reason: 'row too large' });
    else if (characters > 0) {
      for (const [column, { text, until }] of merged)
        if (line > until) merged.delete(column);
        else setCell(column, text);
      rows.push({ line, cells: Array.from(cells, (cell) => cell ?? '') });
    }
    cells = [];
    characters = 0;
  }

  function setCell(column: number, text: string): boolean {
    if (cells[column - 1] !== undefined || column > MOST_CELLS) return false;
    cells[column - 1] = text;
    return true;
  }

  return {
    /** Begins a row. Default: the row after the last one. */
    openRow(number = line + 1): void {
      if (number > MOST_ROWS) throw new Error(`a sheet has more than ${MOST_ROWS} rows`);
      line = number;
      next = 1;
    },
    closeRow: closeCells,
    /** Repeats the last row. */
    repeatRow(times: number): void {
      const last = rows.at(-1);
      const isEmpty = last?.line !== line || !('cells' in last);
      if (!isEmpty && times > MOST_ROWS) throw new Error(`a sheet has more than ${MOST_ROWS} rows`);
      for (let at = 1; at <= times && !isEmpty; at++) rows.push({ line: line + at, cells: [...last.cells] });
      line += times;
    },
    /** Adds a cell. `undefined` is a text that is too long. */
    addCell(
      text: string | undefined,
      { column = next, columns = 1, rows: height = 1 }: CellPlace = {},
    ): void {
      next = column + columns;
      if (text === undefined) characters = MOST_ROW_CHARACTERS + 1;
      if (!text) return;
      if (column > MOST_CELLS && ++beyond > MOST_BEYOND)
        throw new Error(
          `a sheet has values beyond column ${MOST_CELLS}. Delete what lies beside the table, or save the sheet as CSV`,
        );
      characters += text.length;
      if (characters > MOST_ROW_CHARACTERS) cells = [];
      else if (setCell(column, text) && height > 1) merged.set(column, { text, until: line + height - 1 });
    },
    takeRows(): SheetRow[] {
      const taken = rows;
      rows = [];
      return taken;
    },
  };
}

/** Collects the pieces of a text up to the limit of a row. Returns `undefined` for a longer one. */
export function openCellText() {
  let text: string | undefined = '';
  return {
    clear(): void {
      text = '';
    },
    add(piece: string): void {
      if (text === undefined) return;
      text = text.length + piece.length > MOST_ROW_CHARACTERS ? undefined : text + piece;
    },
    get: () => text,
  };
}

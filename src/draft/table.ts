/** A whole export in memory, column by column: each different text once, and which of them each row has. */

export type TableColumn = {
  name: string;
  /** The different texts; the first is `''`. */
  texts: readonly string[];
  /** For each row, which text it has. */
  codes: readonly number[];
};

export type ExportTable = { columns: readonly TableColumn[]; rows: number };

/** Collects records; a record may lack columns or bring new ones. */
export function openTable() {
  const columns = new Map<string, { texts: string[]; codes: number[]; known: Map<string, number> }>();
  let rows = 0;
  const columnOf = (name: string) => {
    const found = columns.get(name) ?? { texts: [''], codes: [], known: new Map([['', 0]]) };
    if (!columns.has(name)) columns.set(name, found);
    return found;
  };
  const padTo = (codes: number[], length: number) => {
    while (codes.length < length) codes.push(0);
  };
  return {
    addColumns(names: readonly string[]): void {
      for (const name of names) if (name !== '') columnOf(name);
    },
    addRow(record: Iterable<readonly [string, string]>): void {
      for (const [name, text] of record) {
        if (name === '') continue;
        const { texts, codes, known } = columnOf(name);
        let code = known.get(text);
        if (code === undefined) {
          code = texts.push(text) - 1;
          known.set(text, code);
        }
        padTo(codes, rows);
        codes[rows] = code;
      }
      rows++;
    },
    rows: () => rows,
    close(): ExportTable {
      for (const { codes } of columns.values()) padTo(codes, rows);
      return { columns: [...columns].map(([name, { texts, codes }]) => ({ name, texts, codes })), rows };
    },
  };
}

/** The text of a row in a column. */
export function textAt({ texts, codes }: Pick<TableColumn, 'texts' | 'codes'>, row: number): string {
  return texts[codes[row] ?? 0] ?? '';
}

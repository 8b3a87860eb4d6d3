/** Placeholder until the reader of tables lands. */
export type TableColumn = {
  name: string;
  texts: readonly string[];
  codes: Uint32Array;
  counts: Uint32Array;
  tail: Uint32Array;
};
export type Table = { columns: readonly TableColumn[]; rows: number; total: number };
export function textAt({ texts, codes }: Pick<TableColumn, 'texts' | 'codes'>, row: number): string {
  return texts[codes[row] ?? 0] ?? '';
}

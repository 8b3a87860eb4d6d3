/** Finds the cells of a sheet that are merged over several rows. The library that reads workbooks does not report them. */

/** The XML of a workbook by the names of its parts. */
export type WorkbookParts = ReadonlyMap<string, Uint8Array>;

/** The first column and the rows of a merged area, counted from 1. */
export type MergedRows = { column: number; from: number; to: number };

const SHEET_TAG = /<(?:\w+:)?sheet\s[^<>]*>/g;
const RELATION_TAG = /<(?:\w+:)?Relationship\s[^<>]*>/g;
const MERGED_TAG = /<(?:\w+:)?mergeCell\s[^<>]*?ref=["']([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})["']/g;

/** Lists the merged areas of a sheet. Returns none if the sheet cannot be found among the parts. */
export function listMergedRows(parts: WorkbookParts, sheet: string): MergedRows[] {
  const text = (name: string) => readPart(parts, name);
  const tag = listSheetTags(parts).find((one) => decodeEntities(attributeOf(one, 'name')) === sheet);
  const id = tag === undefined ? '' : attributeOf(tag, '[a-zA-Z]+:id');
  const relation = (text('xl/_rels/workbook.xml.rels').match(RELATION_TAG) ?? []).find(
    (one) => attributeOf(one, 'Id') === id,
  );
  if (relation === undefined) return [];
  const target = attributeOf(relation, 'Target');
  const xml = text(target.startsWith('/') ? target.slice(1) : `xl/${target}`);
  return [...xml.matchAll(MERGED_TAG)]
    .map(([, letters = '', from, to]) => ({
      column: columnNumber(letters),
      from: Number(from),
      to: Number(to),
    }))
    .filter(({ from, to }) => to > from);
}

/** Returns the name of a sheet from its name or its number, which starts at 1. */
export function nameSheet(parts: WorkbookParts, sheet: string | number): string {
  return typeof sheet === 'string'
    ? sheet
    : decodeEntities(attributeOf(listSheetTags(parts)[sheet - 1] ?? '', 'name'));
}

function listSheetTags(parts: WorkbookParts): string[] {
  return readPart(parts, 'xl/workbook.xml').match(SHEET_TAG) ?? [];
}

function readPart(parts: WorkbookParts, name: string): string {
  return new TextDecoder().decode(parts.get(name) ?? new Uint8Array());
}

function attributeOf(tag: string, name: string): string {
  return (
    new RegExp(`\\s${name}=(?:"([^"]*)"|'([^']*)')`)
      .exec(tag)
      ?.slice(1)
      .find((one) => one !== undefined) ?? ''
  );
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  return text.replace(/&(#x?)?(\w+);/g, (whole, code: string | undefined, name: string) => {
    if (code === undefined) return ENTITIES[name] ?? whole;
    const point = Number.parseInt(name, code === '#x' ? 16 : 10);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}

/** Converts the letters of a column to a number: 1 for A, 28 for AB. */
export function columnNumber(letters: string): number {
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0);
}

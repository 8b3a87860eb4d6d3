/** Workbooks (.xlsx) and other archives for tests, written by hand. */

import { strToU8, zipSync } from 'fflate';

/** The least a workbook can be: one sheet of cells given as XML. `others` are further parts, or stand in place of these. */
export function workbook(rows: string, others: Record<string, string> = {}): Uint8Array {
  const ns = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const rel = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const rels = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"';
  const file = (xml: string) => strToU8(`<?xml version="1.0" encoding="UTF-8"?>${xml}`);
  return zipSync({
    '_rels/.rels': file(
      `<Relationships ${rels}><Relationship Id="r1" Type="${rel}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ),
    'xl/workbook.xml': file(
      `<workbook ${ns} xmlns:r="${rel}"><sheets><sheet name="Licences" sheetId="1" r:id="r1"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': file(
      `<Relationships ${rels}><Relationship Id="r1" Type="${rel}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="${rel}/styles" Target="styles.xml"/></Relationships>`,
    ),
    'xl/styles.xml': file(
      `<styleSheet ${ns}><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    ),
    'xl/worksheets/sheet1.xml': file(`<worksheet ${ns}><sheetData>${rows}</sheetData></worksheet>`),
    ...Object.fromEntries(Object.entries(others).map(([name, xml]) => [name, file(xml)])),
  });
}

/** A cell of text, at a place such as `B4`. */
export const textCell = (at: string, value: string) =>
  `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;

/** Rows of texts, from this number on; an empty text is no cell. */
export const textRows = (rows: readonly (readonly string[])[], first = 1) =>
  rows
    .map((cells, i) => {
      const texts = cells.map((cell, x) => (cell === '' ? '' : textCell(`${'ABCDEF'[x]}${first + i}`, cell)));
      return `<row r="${first + i}">${texts.join('')}</row>`;
    })
    .join('');

/** Where the entries of an archive begin: each itself, or as it is listed at the end. */
export function entriesOf(archive: Buffer, signature: 'PK\x03\x04' | 'PK\x01\x02'): number[] {
  return [...archive.toString('latin1').matchAll(new RegExp(signature, 'g'))].map(({ index }) => index);
}

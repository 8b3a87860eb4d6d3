/** Text whose columns have a fixed number of characters each, as records. The last column goes to the end of its line. */

import type { HeaderRows } from '../../city/define.ts';
import { ShingleError } from '../../errors.ts';
import { type CsvRecordHandler, type CsvSplitter, countHeaderRows, firstHeaderLine } from './csv-records.ts';
import { CSV_LINE_FEED, type CsvCells } from './csv-scanner.ts';

const MOST_LINE_BYTES = 64 * 1024;

/** Takes chunks of UTF-8 as `openCsvSplitter` does. Throws `source` for a line of 64 KiB. */
export function openFixedWidthSplitter(
  widths: readonly number[],
  header: HeaderRows | undefined,
  handler: CsvRecordHandler,
): CsvSplitter {
  let rest: Buffer = Buffer.alloc(0);
  let line = 0;
  let headerRows = countHeaderRows(header);
  let isFirst = true;

  function takeLine(text: string): void {
    line++;
    if (line < firstHeaderLine(header) || text.trim() === '') return;
    const cells = cutLine(text, widths);
    if (isFirst || headerRows > 0) handler.header(cells, line);
    if (headerRows > 0) headerRows--;
    else handler.record(cells, line);
    isFirst = false;
  }

  function split(data: Buffer): void {
    let start = 0;
    for (let end = data.indexOf(CSV_LINE_FEED); end !== -1; end = data.indexOf(CSV_LINE_FEED, start)) {
      takeLine(data.toString('utf8', start, end));
      start = end + 1;
    }
    rest = data.subarray(start);
    if (rest.length > MOST_LINE_BYTES)
      throw new ShingleError('source', `line ${line + 1} is larger than ${MOST_LINE_BYTES / 1024} KiB`);
  }

  return {
    push: (chunk) => split(rest.length === 0 ? chunk : Buffer.concat([rest, chunk])),
    end() {
      if (rest.length > 0) takeLine(rest.toString('utf8'));
    },
  };
}

function cutLine(line: string, widths: readonly number[]): CsvCells {
  let from = 0;
  const texts = widths.map((width, at) => {
    const to = at === widths.length - 1 ? undefined : from + width;
    const text = line.slice(from, to).trim();
    from += width;
    return text;
  });
  const text = (at: number) => texts[at] ?? '';
  return { count: () => texts.length, text, size: (at) => Buffer.byteLength(text(at)) };
}

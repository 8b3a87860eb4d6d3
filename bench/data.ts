/** The listings for benchmarks: the Long Beach rows, repeated with changed names up to the requested number. */

import { once } from 'node:events';
import { createReadStream, createWriteStream, existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse';
import { openService } from '../src/app/operations/service.ts';
import { readConfig } from '../src/config.ts';

/** The folder of real registers, beside the repository. */
export const REAL = fileURLToPath(new URL('../../shared/data/', import.meta.url));
export const CITY = fileURLToPath(new URL('./city.ts', import.meta.url));
export const LONG_BEACH = `${REAL}long-beach/business_licenses.csv`;
export const BOUNDARIES = `${REAL}long-beach/neighborhoods.geojson`;
export const ROWS = 89_245;
const CHICAGO = `${REAL}chicago/`;
const WITHOUT_A_REGISTER = ['signup', 'delivery', 'start'];

/** The files that a benchmark reads and this machine lacks: real registers hold names and addresses, so the repository has none. */
export function listMissingFiles(benchmark: string): string[] {
  if (WITHOUT_A_REGISTER.includes(benchmark)) return [];
  const chicago = ['business-licenses-sample.csv', 'neighborhoods.geojson'].map((name) =>
    join(CHICAGO, name),
  );
  const needed = ['kinds', 'addresses'].includes(benchmark) ? chicago : [];
  return [LONG_BEACH, BOUNDARIES, ...needed].filter((file) => !existsSync(file));
}

const WORDS = [
  'North',
  'Harbor',
  'Union',
  'Cedar',
  'Pine',
  'Royal',
  'Sunset',
  'Golden',
  'Central',
  'Pacific',
  'Bay',
  'Crown',
];

/** A folder for what the benchmarks make; kept between runs, because making a million rows takes a minute. */
export function workFolder(name: string): string {
  const folder = join(tmpdir(), 'shingle-bench', name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/**
 * A CSV with `rows` rows in the publisher's shape; beyond the first 89,245 with altered names and licence numbers. With `changed`, every
 * so many rows have another name.
 */
export async function csvOf(rows: number, changed?: number): Promise<string> {
  if (rows === ROWS && changed === undefined) return LONG_BEACH;
  const path = join(
    workFolder('csv'),
    `rows-${rows}${changed === undefined ? '' : `-changed-${changed}`}.csv`,
  );
  if (existsSync(path)) return path;
  const out = createWriteStream(`${path}.part`);
  let written = 0;
  for (let copy = 0; written < rows; copy++) {
    const parser = createReadStream(LONG_BEACH).pipe(parse({ bom: true }));
    let header: string[] | undefined;
    for await (const cells of parser as AsyncIterable<string[]>) {
      if (header === undefined) {
        header = cells;
        if (copy === 0) out.write(`${cells.join(',')}\n`);
        continue;
      }
      if (written >= rows) break;
      const isChanged = changed !== undefined && written % changed === 0;
      const line = alter(cells, header, { copy, row: written++, isChanged }).map(quoted).join(',');
      if (!out.write(`${line}\n`)) await once(out, 'drain');
    }
  }
  out.end();
  await once(out, 'close');
  await import('node:fs/promises').then(({ rename }) => rename(`${path}.part`, path));
  return path;
}

/** A data folder with that many listings, ingested once. */
export async function storeOf(listings: number): Promise<string> {
  const folder = workFolder(`store-${listings}`);
  const config = { ...readConfig(), city: CITY, dataFolder: folder };
  const service = await openService(config);
  try {
    const [last] = await service.store.filings.runs({ limit: 1 });
    const hasMap = (await service.store.listings.outline()) !== undefined;
    if (last?.state === 'kept' && last.read === listings && hasMap) return folder;
    const [run] = await service.ingest({ from: await csvOf(listings), boundaries: BOUNDARIES });
    if (run?.state !== 'kept') throw new Error(`ingest for the bench: ${run?.state}: ${run?.detail}`);
    return folder;
  } finally {
    await service.close();
  }
}

type Place = { copy: number; row: number; isChanged: boolean };

function alter(cells: string[], header: string[], { copy, row, isChanged }: Place): string[] {
  if (copy === 0 && !isChanged) return cells;
  const altered = [...cells];
  const name = header.indexOf('DBANAME');
  const full = header.indexOf('FULLNAME');
  const licence = header.indexOf('LICENSENO');
  const word = WORDS[(row + copy) % WORDS.length];
  altered[name] = `${cells[name] || cells[full]} ${word} ${(row * 7 + copy) % 997}`;
  if (isChanged) altered[name] += ' Again';
  if (copy > 0) altered[licence] = `${cells[licence]}-${copy}`;
  return altered;
}

function quoted(cell: string): string {
  return /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Joins another file to the rows of a source by key, because registers often publish their codes separately. */

import { hash } from 'node:crypto';
import { cityError, sourceError } from '../../shared/errors.ts';
import type { Row, Source } from '../profile/define.ts';
import { type LoadedCity, resolvePlace } from '../profile/load.ts';
import { foldValue } from '../profile/mapping/cells.ts';
import type { PlaceOptions } from '../readers/place.ts';
import { listSourceFiles, readSourceRows } from './source-files.ts';

const MOST_KEYS = 1_000_000; // all keys are in memory while the source is read
const ROWS_WITHOUT = 100;

export type Join = NonNullable<Awaited<ReturnType<typeof loadJoin>>>;

/** Loads the file to join. Throws `source` if the file cannot be used, or has too many keys. */
export async function loadJoin(
  source: Source,
  context: PlaceOptions & { loaded: LoadedCity; socrataToken?: string | undefined },
) {
  if (source.join === undefined) return undefined;
  const { from, column, key, take } = source.join;
  const { loaded } = context;
  if (from.place === undefined) throw cityError(`${source.id}: join.from needs a path or a URL`);
  const other: Source = { ...source, from, columns: [key, ...take], optional: [], aliases: {} };
  const place = resolvePlace(loaded.folder, from.place);
  const found = new Map<string, readonly string[]>();
  const contents: string[] = [];
  const options = { ...context, timeZone: loaded.city.timeZone, known: undefined, now: undefined };
  for await (const file of listSourceFiles(other, place, options)) {
    if (file === 'same') continue;
    contents.push(file.content);
    for await (const batch of readSourceRows(other, file, {}))
      for (const one of batch) if ('row' in one) addRow(found, one.row, { key, take, place });
  }
  let [rows, matched] = [0, 0];
  return {
    digest: hash('sha256', contents.join(' ')),
    /** Adds the columns of the joined file to a row. The columns are empty if the file lacks the row's key. */
    join(row: Row): Row {
      const values = found.get(foldValue(row[column] ?? ''));
      rows++;
      if (values !== undefined) matched++;
      const joined: Row = Object.create(row);
      for (const [i, name] of take.entries())
        Object.defineProperty(joined, name, { value: values?.[i] ?? '', enumerable: true });
      return joined;
    },
    checkMatches(): void {
      if (matched > 0 || rows < ROWS_WITHOUT) return;
      const sentence = `no row has a "${column}" that is a "${key}" of ${place}. Check column and key of join`;
      throw sourceError(sentence);
    },
  };
}

function addRow(
  found: Map<string, readonly string[]>,
  row: Row,
  { key, take, place }: { key: string; take: readonly string[]; place: string },
): void {
  const id = foldValue(row[key] ?? '');
  if (id === '' || found.has(id)) return;
  if (found.size >= MOST_KEYS) throw sourceError(`${place} has more than ${MOST_KEYS} keys`);
  found.set(
    id,
    take.map((column) => row[column] ?? ''),
  );
}

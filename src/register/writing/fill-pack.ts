/** Fills in register packs. A pack is a `city.yaml` for the register of a whole state or country, without the town. */

import { parse } from 'yaml';
import type { Day } from '../../shared/day.ts';
import { usageError } from '../../shared/errors.ts';
import { splitCsvText } from '../../shared/text/csv-text.ts';
import { findNearest } from '../../shared/text/edits.ts';
import { removeAccents } from '../../shared/words.ts';
import { tidyName } from '../profile/people/tidy-name.ts';
import { foldTown } from '../profile/places/place-text.ts';

type PackHead = {
  title: string;
  country: string;
  cadence: string;
  rows: string;
  certainty: string;
  towns: {
    /** A URL that lists the towns as JSON. `{start}` is the start of the name, `{town}` the entire name. */
    list: string;
    /** The JSON keys of a town's name and, if the register uses codes for towns, of its code. */
    name: string;
    code?: string;
    rows: string;
    /** The portal's filter for a spelling or code: `upper(city)='{town}'`. */
    where: string;
  };
};

export type Pack = PackHead & {
  name: string;
  yaml: string;
  /** Other names of a town, such as its villages, from `towns.csv`. */
  otherNames: ReadonlyMap<string, readonly string[]>;
};

export type RegisterTown = { name: string; code: string | undefined; rows: number };

/** A town to fill into a pack: the name to show, and its spellings or codes in the register. */
export type FoundTown = { name: string; spellings: readonly string[] };

export function readPack(name: string, yaml: string, towns = ''): Pack {
  const { pack } = parse(yaml, { schema: 'failsafe' }) as { pack: PackHead };
  const lines = splitCsvText(towns.replace(/^#.*\n/gm, ''), ',').slice(1);
  const otherNames = lines.map(({ cells: [town = '', others] }): [string, string[]] => [
    town,
    others?.split('|') ?? [],
  ]);
  return { ...pack, name, yaml, otherNames: new Map(otherNames) };
}

/** Returns the URL that lists the towns with the same first letters as `town`, or with `town` as their code. */
export function listTownsAddress({ towns }: Pack, town: string): URL {
  const plain = removeAccents(town)
    .toUpperCase()
    .replace(/[’‘]/g, "'")
    .replace(/[^\p{L}\p{N} '-]/gu, '')
    .replace(/^ST(E?)[ -]+/, 'SAINT$1 ');
  return new URL(towns.list.replace('{start}', plain.slice(0, 3)).replace('{town}', plain));
}

export function readTowns({ towns }: Pack, records: readonly Record<string, unknown>[]): RegisterTown[] {
  return records
    .map((record) => ({
      name: String(record[towns.name] ?? ''), // unchanged, because the portal also compares spaces
      code: towns.code === undefined ? undefined : String(record[towns.code] ?? ''),
      rows: Number(record[towns.rows]) || 0,
    }))
    .filter(({ name, code }) => name.trim() !== '' && code !== '');
}

/** Matches a part of a town that has its own code: `PARIS 11`, `LYON 3E ARRONDISSEMENT`. */
const PART = / \d{1,2} ?(?:er?|eme|ème)?(?: arrondissement)?$/i;

/**
 * Finds all spellings of a town. If no town has the name, throws `usage` with the nearest one. If several have it,
 * throws `usage` with their codes.
 */
export function findTown(pack: Pack, wanted: string, towns: readonly RegisterTown[]): FoundTown {
  const byCode = towns.find(({ code }) => code === wanted.trim());
  if (byCode?.code !== undefined) return { name: nameTown([byCode]), spellings: [byCode.code] };
  const listed = [...pack.otherNames].find(([name]) => foldTown(name) === foldTown(wanted));
  const keys = new Set([wanted, ...(listed?.[1] ?? [])].map(foldTown));
  const same = towns.filter(({ name }) => keys.has(foldTown(name)));
  if (same.length === 0) throw usageError(explainUnknown(pack, wanted, towns));
  const whole = same.filter(({ name }) => !PART.test(name));
  const codes = new Map(whole.map((town) => [town.code, town]));
  if (codes.size > 1) {
    const all = [...codes.values()].map(
      ({ name, code, rows }) => `${code} (${tidyName(name)}, ${rows} rows)`,
    );
    const says = `several towns are called ${wanted}. Use --town with a code: ${all.join(', ')}`;
    throw usageError(says);
  }
  const spellings = same.map(({ name, code }) => code ?? name.toUpperCase());
  return { name: listed?.[0] ?? nameTown(same), spellings: [...new Set(spellings)].toSorted() };
}

function nameTown(towns: readonly RegisterTown[]): string {
  const [most] = towns.toSorted((a, b) => b.rows - a.rows);
  return tidyName((most?.name ?? '').replace(PART, ''));
}

function explainUnknown({ title, otherNames }: Pack, wanted: string, towns: readonly RegisterTown[]): string {
  const key = foldTown(wanted);
  const largest = towns.toSorted((a, b) => b.rows - a.rows).map(({ name }) => name);
  const names = new Map([...largest, ...otherNames.keys()].map((name) => [foldTown(name), name]));
  const nearest = names.get(findNearest(key, names.keys(), Math.max(2, key.length / 2 - 1)) ?? '');
  const next =
    nearest === undefined
      ? 'Use the name as the register writes it'
      : `Nearest: ${tidyName(nearest.replace(PART, ''))}`;
  return `"${wanted}" is not a town of the pack (${title}). ${next}`;
}

/** Writes a town's `city.yaml` with the comments of the pack. `since` is the first day of its listings. */
export function fillPack({ name, yaml, certainty, towns }: Pack, town: FoundTown, since: Day): string {
  const quoted = town.spellings.map((one) => one.replaceAll("'", "''"));
  const conditions = quoted.map((one) => towns.where.replace('{town}', () => one));
  const texts: Record<string, string> = {
    town: town.name,
    since,
    where: `(${conditions.join(' OR ')})`,
  };
  const filled = yaml
    .replace(/^pack:\n(?:(?: .*)?\n)+/m, '')
    .replace('["{spellings}"]', () => `[${town.spellings.map((one) => JSON.stringify(one)).join(', ')}]`)
    // all are in quotation marks, in which JSON is YAML
    .replace(/\{(town|since|where)\}/g, (_, word: string) => JSON.stringify(texts[word]).slice(1, -1));
  return `# yaml-language-server: $schema=./node_modules/shingle/city.schema.json
# From the pack "${name}" (docs/packs.md), which is not needed any more: ${certainty}.
${filled}`;
}

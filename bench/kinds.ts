/**
 * What the words of a name tell of a business's kind, on real names that carry a license: the half that the word lists were not
 * made on. Split by a hash of the normalised name, so that a name is never on both sides.
 */

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse';
import { EXACT as CHICAGO_TYPES } from '../cities/chicago/kinds.ts';
import { EXACT as LONG_BEACH_TYPES } from '../cities/long-beach/kinds.ts';
import { kindOf } from '../src/register/profile/categories/kind.ts';
import { kindOfType } from '../src/register/profile/categories/kind-of-type.ts';
import { tidyName } from '../src/register/profile/people/tidy-name.ts';
import { splitNameWords } from '../src/shared/city/categories.ts';
import { LONG_BEACH } from './data.ts';
import { chicagoTruth, longBeachTruth, type Truth } from './kinds-truth.ts';
import type { Result, Row } from './report.ts';

const CHICAGO = fileURLToPath(
  new URL('../../shared/data/chicago/business-licenses-sample.csv', import.meta.url),
);
const FEW = 30;

type Case = { name: string; city: string; kinds: readonly string[] };
type Score = { cases: number; found: number; right: number };

export async function benchKinds(listings: number): Promise<Result> {
  const { unseen, channel, building } = await cases();
  const all = scoreOf(unseen);
  const rows: Row[] = [
    { what: 'names to build on, left out as channels', value: `${building}, ${channel}` },
    { what: 'both cities, unseen half', value: said(all) },
    ...['Long Beach', 'Chicago'].map((city) => ({
      what: city,
      value: said(scoreOf(unseen.filter((one) => one.city === city))),
    })),
  ];
  let worst = 1;
  const read = Map.groupBy(unseen, ({ name }) => kindOf({ name }));
  for (const [kind, named] of [...read].sort((a, b) => b[1].length - a[1].length)) {
    if (kind === 'Uncategorized') continue;
    const right = named.filter(({ kinds }) => kinds.includes(kind)).length / named.length;
    const licensed = unseen.filter(({ kinds }) => kinds.includes(kind)).length;
    if (licensed >= FEW && named.length >= FEW) worst = Math.min(worst, right);
    const value = `${named.length}, right ${right.toFixed(2)}; ${licensed} have such a licence`;
    rows.push({ what: `read as ${kind}`, value: licensed < FEW ? `${value}: too few to judge` : value });
  }
  for (const [what, count] of confusions(unseen)) rows.push({ what, value: String(count) });
  rows.push(officialTexts());
  const { precision, coverage } = ratios(all);
  return { bench: 'kinds', listings, rows, figures: { precision, coverage, worst } };
}

/** Official texts whose one kind the profiles' tables tell, read by words alone. */
function officialTexts(): Row {
  const texts = [...LONG_BEACH_TYPES, ...CHICAGO_TYPES].map(([text, kind]) => ({
    kind,
    read: kindOfType(text),
  }));
  const read = texts.filter((one) => one.read !== undefined);
  const wrong = read.filter((one) => one.read !== one.kind).length;
  return {
    what: 'official texts that mean one kind',
    value: `${texts.length}, read ${read.length}, wrong ${wrong}`,
  };
}

async function cases(): Promise<{ unseen: Case[]; channel: number; building: number }> {
  const seen = new Map<string, Case>();
  let channel = 0;
  const add = (name: string, city: string, truth: Truth) => {
    const words = splitNameWords(name).join(' ');
    if (truth === 'channel') channel++;
    if (words === '' || truth === undefined || truth === 'channel' || seen.has(words)) return;
    seen.set(words, { name: tidyName(name), city, kinds: truth.kinds });
  };
  for await (const row of rowsIn(LONG_BEACH))
    add(row.DBANAME!, 'Long Beach', longBeachTruth(row.LICCATDESC!));
  for await (const row of rowsIn(CHICAGO))
    add(
      row['DOING BUSINESS AS NAME']!,
      'Chicago',
      chicagoTruth(row['LICENSE DESCRIPTION']!, row['BUSINESS ACTIVITY']!),
    );
  const unseen = [...seen].filter(([words]) => isUnseen(words)).map(([, one]) => one);
  return { unseen, channel, building: seen.size - unseen.length };
}

function rowsIn(path: string): AsyncIterable<Record<string, string>> {
  return createReadStream(path).pipe(parse({ bom: true, columns: true }));
}

/** The half that was not used to make the lists. */
export function isUnseen(words: string): boolean {
  return createHash('sha256').update(words).digest()[0]! % 2 === 1;
}

function scoreOf(all: readonly Case[]): Score {
  const read = all.map(({ name, kinds }) => ({ kind: kindOf({ name }), kinds }));
  const found = read.filter(({ kind }) => kind !== 'Uncategorized');
  return {
    cases: all.length,
    found: found.length,
    right: found.filter(({ kind, kinds }) => kinds.includes(kind)).length,
  };
}

function ratios({ cases: all, found, right }: Score) {
  return { precision: right / Math.max(1, found), coverage: found / Math.max(1, all) };
}

function said(score: Score): string {
  const { precision, coverage } = ratios(score);
  return `${score.cases} names, coverage ${coverage.toFixed(3)}, precision ${precision.toFixed(3)}`;
}

/** The ten that happen most: what the licence says, and what the name was read as. */
function confusions(all: readonly Case[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { name, kinds } of all) {
    const kind = kindOf({ name });
    if (kind === 'Uncategorized' || kinds.includes(kind)) continue;
    const what = `${kinds.join(' or ')} read as ${kind}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]).slice(0, 10);
}

/**
 * `kinds-from-text` and `not-storefronts`: what the texts that say the type of a licence or business became. Whether a
 * profile reads a text by its words is tried: a table does not know the text with a made-up word before it.
 */

import type { At, Row, Source } from '../../city/define.ts';
import { looksPersonal } from '../../city/people/persons.ts';
import type { Opening } from '../../listings/filing.ts';
import { UNCATEGORIZED } from '../../listings/listing.ts';
import { isHomeOffice, isNoBusiness } from '../business-types.ts';
import type { Evidence } from './evidence.ts';
import {
  type FindingCheck,
  formatOpenings,
  isMoreThan,
  listNames,
  MADE_UP,
  makeFinding,
  type ShownFinding,
} from './finding.ts';

const BY_WORDS_SHARE = 0.05;
const WARN_SHARE = 0.01;
const STOP_SHARE = 0.05;
const MOST_TEXTS = 500;
const TEXTS_SHOWN = 10;
/** Begins the made-up types with which a profile is tried. */

/** Under a type with at least so many openings, most of them under people's names, people work and no business opens. */
const FEWEST_OF_A_TYPE = 20;
const MOSTLY_PEOPLE = 0.5;
/** One name so often is an operator's machines or rooms, and no shop's. */
const MANY_OF_ONE_NAME = 20;
const MOST_NAMES = 50_000;

type TypeText = { count: number; people: number; category: string; isByWords: boolean };
type TypeColumn = { column: string; isDeclared: boolean; texts: Map<string, TypeText> };

export function openTypeTextCheck({ types, isEnglish }: Evidence, source: Source, at: At): FindingCheck {
  const declared = new Set([...source.columns, ...(source.optional ?? [])]);
  const columns = types.map(
    (column): TypeColumn => ({ column, isDeclared: declared.has(column), texts: new Map() }),
  );
  const names = new Map<string, number>();
  return {
    see(opening, cell, { row, weight }) {
      const person = isEnglish && looksPersonal(opening.name) ? weight : 0;
      if (names.has(opening.name) || names.size < MOST_NAMES)
        names.set(opening.name, (names.get(opening.name) ?? 0) + weight);
      for (const { column, isDeclared, texts } of columns) {
        const text = cell(column);
        const known = texts.get(text);
        if (known !== undefined) {
          known.count += weight;
          known.people += person;
        } else if (text !== '' && texts.size < MOST_TEXTS) {
          const isByWords = isDeclared && isReadByWords(source, at, { row, column, text, opening });
          texts.set(text, { count: weight, people: person, category: opening.category, isByWords });
        }
      }
    },
    find: (openings) => [findByWords(columns, openings), findNoStorefronts(columns, names, openings)],
  };
}

/** The same kind with a made-up word before the text, and another without the text. */
function isReadByWords(
  source: Source,
  at: At,
  { row, column, text, opening }: { row: Row; column: string; text: string; opening: Opening },
): boolean {
  if (opening.category === UNCATEGORIZED) return false;
  const kindWith = (cell: string): string | undefined => {
    const changed = Object.create(row, { [column]: { value: cell, enumerable: true } }) as Row;
    try {
      const verdict = source.verdict(changed, at);
      return verdict.kind === 'opening' ? verdict.facts.category : undefined;
    } catch {
      return undefined; // a table that knows no such text
    }
  };
  return kindWith(`${MADE_UP} ${text}`) === opening.category && kindWith(MADE_UP) !== opening.category;
}

function findByWords(columns: readonly TypeColumn[], openings: number): ShownFinding | undefined {
  const found = findMost(columns, (_, { isByWords }) => isByWords);
  if (found === undefined || !isMoreThan(BY_WORDS_SHARE, found.count, openings)) return undefined;
  const { column, count, texts } = found;
  const detail = `the kinds of ${formatOpenings(count, openings)} were read from the words of ${texts.length} texts in "${column}", not from a table`;
  const examples = texts
    .slice(0, TEXTS_SHOWN)
    .map(([text, { category, count: n }]) => `${text}: ${category} (${n})`);
  const fix = `list the texts of "${column}" with their categories in a table (category: table)`;
  return makeFinding('kinds-from-text', 'warn', {
    count,
    of: openings,
    detail,
    examples,
    fix,
    word: 'category',
  });
}

/** By the words of the types; by types under which mostly people file; by one name that comes again and again. */
function findNoStorefronts(
  columns: readonly TypeColumn[],
  names: ReadonlyMap<string, number>,
  openings: number,
): ShownFinding | undefined {
  const isDoubtful = (text: string, { count, people }: TypeText) =>
    isNoBusiness(text) || (count >= FEWEST_OF_A_TYPE && people > count * MOSTLY_PEOPLE);
  const byType = findMost(columns, (text, seen) => isDoubtful(text, seen) || isHomeOffice(text));
  const atHome =
    byType?.texts.reduce((sum, [text, { count }]) => sum + (isHomeOffice(text) ? count : 0), 0) ?? 0;
  const often = [...names].filter(([, count]) => count >= MANY_OF_ONE_NAME).sort((a, b) => b[1] - a[1]);
  const oftenCount = often.reduce((sum, [, count]) => sum + count, 0);
  const isStop =
    Math.max((byType?.count ?? 0) - atHome, oftenCount) > openings * STOP_SHARE ? 'stop' : 'warn';
  if (byType !== undefined && byType.count >= oftenCount && isMoreThan(WARN_SHARE, byType.count, openings)) {
    const { column, count, texts } = byType;
    const detail = `${formatOpenings(count, openings)} have a type in "${column}" that is no new business (events, rentals, machines, vehicles, people at work or at home)`;
    const examples = texts.slice(0, 5).map(([text, { count: n }]) => `${text}: ${n}`);
    const fix = `skip these types of "${column}" (categories.csv: new_business no, or skip)`;
    const values = texts.map(([text]) => text);
    const repair = { skip: [{ column, values, because: 'no new business' }] };
    return makeFinding('not-storefronts', isStop, {
      count,
      of: openings,
      detail,
      examples,
      fix,
      word: 'skip',
      repair,
    });
  }
  if (!isMoreThan(STOP_SHARE, oftenCount, openings)) return undefined;
  const detail = `${formatOpenings(oftenCount, openings)} are of ${often.length === 1 ? 'one name that occurs' : `${often.length} names that occur`} ${MANY_OF_ONE_NAME} times or more: machines, rooms or permits rather than businesses`;
  const examples = often.slice(0, 5).map(([name, count]) => `${name}: ${count}`);
  const fix = `skip their types${columns.length === 0 ? '' : `, by ${listNames(columns.map(({ column }) => column))}`}, or use the name as the key (key: { nameAnd: [] })`;
  return makeFinding('not-storefronts', 'stop', {
    count: oftenCount,
    of: openings,
    detail,
    examples,
    fix,
    word: 'skip',
  });
}

/** The column with the most openings under such texts. */
function findMost(columns: readonly TypeColumn[], test: (text: string, seen: TypeText) => boolean) {
  return columns
    .map(({ column, texts }) => {
      const found = [...texts]
        .filter(([text, seen]) => test(text, seen))
        .sort((a, b) => b[1].count - a[1].count);
      return { column, texts: found, count: found.reduce((sum, [, { count }]) => sum + count, 0) };
    })
    .toSorted((a, b) => b.count - a.count)[0];
}

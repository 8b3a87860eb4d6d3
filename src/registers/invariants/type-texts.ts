/**
 * Checks `kinds-from-text` and `not-storefronts`: how the texts for the type of a license or business were categorized.
 * To detect whether a profile reads a text word by word, puts an invented word before it that no table contains.
 */

import type { At, Row, Source } from '../../city/define.ts';
import { looksPersonal } from '../../city/people/persons.ts';
import type { Opening } from '../../listings/filing.ts';
import { UNCATEGORIZED } from '../../listings/listing.ts';
import { isHomeOffice, isNoBusiness } from '../business-types.ts';
import { countRows } from '../survey.ts';
import type { Evidence } from './evidence.ts';
import {
  type FindingCheck,
  isMoreThan,
  listNames,
  MADE_UP,
  makeFinding,
  openCounts,
  type ShownFinding,
} from './finding.ts';

const BY_WORDS_SHARE = 0.05;
const WARN_SHARE = 0.01;
const STOP_SHARE = 0.05;
const MOST_TEXTS = 500;
const TEXTS_SHOWN = 10;
/** Minimum openings of a type with mostly people's names to suspect a type of work, not of business. */
const FEWEST_OF_A_TYPE = 20;
const MOSTLY_PEOPLE = 0.5;
/** Minimum openings with one name that suggest an operator's machines or rooms, not shops. */
const MANY_OF_ONE_NAME = 20;
const MOST_NAMES = 50_000;

type TypeText = { count: number; people: number; category: string; isByWords: boolean };
type TypeColumn = { column: string; isDeclared: boolean; texts: Map<string, TypeText> };

export function openTypeTextCheck({ types, isEnglish }: Evidence, source: Source, at: At): FindingCheck {
  const declared = new Set([...source.columns, ...(source.optional ?? [])]);
  const columns = types.map(
    (column): TypeColumn => ({ column, isDeclared: declared.has(column), texts: new Map() }),
  );
  const names = openCounts(MOST_NAMES);
  return {
    see(opening, cell, { row, weight }) {
      const person = isEnglish && looksPersonal(opening.name) ? weight : 0;
      names.add(opening.name, weight);
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
    find: (openings) => [findByWords(columns, openings), findNoStorefronts(columns, names.list(), openings)],
  };
}

/** Returns whether a text is read word by word: an invented word before it keeps the category, but has none alone. */
function isReadByWords(
  source: Source,
  at: At,
  { row, column, text, opening }: { row: Row; column: string; text: string; opening: Opening },
): boolean {
  // a code in brackets takes precedence over the words before it
  if (opening.category === UNCATEGORIZED || /\(\d{4,6}\)$/.test(text)) return false;
  const kindWith = (cell: string): string | undefined => {
    const changed = Object.create(row, { [column]: { value: cell, enumerable: true } }) as Row;
    try {
      const verdict = source.verdict(changed, at);
      return verdict.kind === 'opening' ? verdict.facts.category : undefined;
    } catch {
      return undefined; // the table does not have this text
    }
  };
  return kindWith(`${MADE_UP} ${text}`) === opening.category && kindWith(MADE_UP) !== opening.category;
}

function findByWords(columns: readonly TypeColumn[], of: number): ShownFinding | undefined {
  const found = findMost(columns, (_, { isByWords }) => isByWords);
  if (found === undefined || !isMoreThan(BY_WORDS_SHARE, found.count, of)) return undefined;
  const { column, count, texts } = found;
  const shown = texts.slice(0, TEXTS_SHOWN);
  const examples = shown.map(([text, { category, count: n }]) => `${text}: ${category} (${n})`);
  const values = { texts: texts.length, column: listNames([column]) };
  return makeFinding('kindsFromText', { count, of, examples, values });
}

/** Finds types that are not storefronts by three signs: their words, mostly people's names, one very frequent name. */
function findNoStorefronts(
  columns: readonly TypeColumn[],
  names: readonly (readonly [name: string, count: number])[],
  of: number,
): ShownFinding | undefined {
  const isDoubtful = (text: string, { count, people }: TypeText) =>
    isNoBusiness(text) || (count >= FEWEST_OF_A_TYPE && people > count * MOSTLY_PEOPLE);
  const byType = findMost(columns, (text, seen) => isDoubtful(text, seen) || isHomeOffice(text));
  const often = names.filter(([, count]) => count >= MANY_OF_ONE_NAME);
  const oftenCount = countRows(often);
  if (byType !== undefined && byType.count >= oftenCount && isMoreThan(WARN_SHARE, byType.count, of)) {
    const { column, count, texts } = byType;
    const atHome = texts.reduce((sum, [text, seen]) => sum + (isHomeOffice(text) ? seen.count : 0), 0);
    return makeFinding('typesOfNoBusiness', {
      severity: Math.max(count - atHome, oftenCount) > of * STOP_SHARE ? 'stop' : 'warn',
      count,
      of,
      examples: texts.slice(0, 5).map(([text, { count: n }]) => `${text}: ${n}`),
      values: { column: listNames([column]) },
      repair: { skip: [{ column, values: texts.map(([text]) => text), because: 'no new business' }] },
    });
  }
  if (!isMoreThan(STOP_SHARE, oftenCount, of)) return undefined;
  const types = columns.map(({ column }) => column);
  const values = {
    names: often.length === 1 ? 'one name that occurs' : `${often.length} names that occur`,
    times: MANY_OF_ONE_NAME,
    columns: types.length === 0 ? '' : `, by ${listNames(types)}`,
  };
  const examples = often.slice(0, 5).map(([name, count]) => `${name}: ${count}`);
  return makeFinding('frequentNames', { count: oftenCount, of, examples, values });
}

/** Returns the column with the most openings under matching texts. */
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

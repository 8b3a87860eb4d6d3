/** Checks `kinds-from-text` and `not-storefronts`: how the type texts of the register were categorized. */

import { UNCATEGORIZED } from '../../shared/listing.ts';
import { rememberTexts } from '../../shared/remember.ts';
import type { Row } from '../profile/define.ts';
import { looksPersonal } from '../profile/people/persons.ts';
import { isHomeOffice, isNoBusiness } from '../survey/business-types.ts';
import { countRows } from '../survey/survey.ts';
import type { SampledOpening, SampledRegister } from './evidence.ts';
import { countTexts, listNames, MADE_UP, makeFinding, sumWeights } from './finding.ts';

const STOP_SHARE = 0.05;
const MOST_TEXTS = 500;
/** Minimum openings to judge a type by its names. If most are people's, the type may mean work, not a business. */
const FEWEST_OF_A_TYPE = 20;
const MOSTLY_PEOPLE = 0.5;
/** If this many openings share a name, they may be an operator's machines or rooms, not shops. */
const MANY_OF_ONE_NAME = 20;

/** A type in the register. `people` counts its openings whose names look like people's. */
type TypeText = { text: string; count: number; people: number; first: SampledOpening };
type TypeColumn = { column: string; texts: readonly TypeText[] };

export function checkTypeTexts(register: SampledRegister) {
  const { evidence, openings } = register;
  const { judgesShape } = evidence.roles;
  const isPersonal = rememberTexts((name) => judgesShape && looksPersonal(name), openings.length);
  const columns = evidence.types.map((column) => ({
    column,
    texts: listTexts(column, openings, isPersonal),
  }));
  return [findByWords(columns, register), findNoStorefronts(columns, register)];
}

function listTexts(
  column: string,
  openings: readonly SampledOpening[],
  isPersonal: (name: string) => boolean,
) {
  return [...Map.groupBy(openings, ({ cell }) => cell(column))]
    .filter(([text]) => text !== '')
    .slice(0, MOST_TEXTS)
    .map(([text, all]) => {
      const people = sumWeights(all.filter(({ name }) => isPersonal(name)));
      return { text, count: sumWeights(all), people, first: all[0]! };
    });
}

/** Returns whether words decide the category, not the table: the text keeps it even after a made-up word. */
function isReadByWords(column: string, { text, first }: TypeText, { source, today }: SampledRegister) {
  const isDeclared = source.columns.includes(column) || source.optional?.includes(column);
  // a code in brackets takes precedence over the words before it
  if (!isDeclared || first.category === UNCATEGORIZED || /\(\d{4,6}\)$/.test(text)) return false;
  const kindWith = (cell: string): string | undefined => {
    const changed = Object.create(first.row, { [column]: { value: cell, enumerable: true } }) as Row;
    try {
      const verdict = source.verdict(changed, { today });
      return verdict.kind === 'opening' ? verdict.facts.category : undefined;
    } catch {
      return undefined; // the table lacks this text
    }
  };
  return kindWith(`${MADE_UP} ${text}`) === first.category && kindWith(MADE_UP) !== first.category;
}

function findByWords(columns: readonly TypeColumn[], register: SampledRegister) {
  const found = findMost(columns, (one, column) => isReadByWords(column, one, register));
  const of = register.total;
  if (found === undefined) return undefined;
  const { column, count, texts } = found;
  const examples = texts.map(({ text, count: n, first }) => `${text}: ${first.category} (${n})`);
  const values = { texts: texts.length };
  return makeFinding('kindsFromText', { count, of, columns: [column], examples, values });
}

/** Finds types that are not storefronts: by their words, by mostly personal names, or by one very frequent name. */
function findNoStorefronts(columns: readonly TypeColumn[], { openings, total: of }: SampledRegister) {
  const isDoubtful = ({ text, count, people }: TypeText) =>
    isNoBusiness(text) || (count >= FEWEST_OF_A_TYPE && people > count * MOSTLY_PEOPLE);
  const byType = findMost(columns, (one) => isDoubtful(one) || isHomeOffice(one.text));
  const often = countTexts(openings, ({ name }) => name).filter(([, count]) => count >= MANY_OF_ONE_NAME);
  const oftenCount = countRows(often);
  if (byType !== undefined && byType.count >= oftenCount) {
    const { column, count, texts } = byType;
    const atHome = texts.reduce((sum, one) => sum + (isHomeOffice(one.text) ? one.count : 0), 0);
    const found = makeFinding('typesOfNoBusiness', {
      severity: Math.max(count - atHome, oftenCount) > of * STOP_SHARE ? 'stop' : 'warn',
      count,
      of,
      examples: texts.map(({ text, count: n }) => `${text}: ${n}`),
      columns: [column],
      tries: [{ skip: [{ column, values: texts.map(({ text }) => text), because: 'no new business' }] }],
    });
    if (found !== undefined) return found;
  }
  const types = columns.map(({ column }) => column);
  const values = {
    names: often.length === 1 ? 'one name that occurs' : `${often.length} names that occur`,
    times: MANY_OF_ONE_NAME,
    types: types.length === 0 ? '' : ` (perhaps ${listNames(types)})`,
  };
  const examples = often.map(([name, count]) => `${name}: ${count}`);
  return makeFinding('frequentNames', { count: oftenCount, of, examples, values });
}

function findMost(columns: readonly TypeColumn[], test: (one: TypeText, column: string) => boolean) {
  return columns
    .map(({ column, texts }) => {
      const found = texts.filter((one) => test(one, column)).sort((a, b) => b.count - a.count);
      return { column, texts: found, count: found.reduce((sum, { count }) => sum + count, 0) };
    })
    .sort((a, b) => b.count - a.count)[0];
}

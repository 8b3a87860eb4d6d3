/** Checks `not-storefronts`: types and names that are no new businesses. */

import { rememberTexts } from '../../shared/remember.ts';
import { looksPersonal } from '../profile/people/persons.ts';
import { isHomeOffice, isNoBusiness } from '../survey/business-types.ts';
import { countRows } from '../survey/survey.ts';
import type { SampledOpening, SampledRegister } from './evidence.ts';
import { countTexts, listNames, makeFinding, sumWeights } from './finding.ts';

const STOP_SHARE = 0.05;
const MOST_TEXTS = 500;
/** Minimum openings to judge a type by its names. If most are people's, the type may mean work, not a business. */
const FEWEST_OF_A_TYPE = 20;
const MOSTLY_PEOPLE = 0.5;
/** If this many openings share a name, they may be an operator's machines or rooms, not shops. */
const MANY_OF_ONE_NAME = 20;

/** A type in the register. `people` counts its openings whose names look like people's. */
type TypeText = { text: string; count: number; people: number };
type TypeColumn = { column: string; texts: readonly TypeText[] };

export function checkTypeTexts(register: SampledRegister) {
  const { evidence, openings } = register;
  const { judgesShape } = evidence.roles;
  const isPersonal = rememberTexts((name) => judgesShape && looksPersonal(name), openings.length);
  const columns = evidence.types.map((column) => ({
    column,
    texts: listTexts(column, openings, isPersonal),
  }));
  return findNoStorefronts(columns, register);
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
      return { text, count: sumWeights(all), people };
    });
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

function findMost(columns: readonly TypeColumn[], test: (one: TypeText) => boolean) {
  return columns
    .map(({ column, texts }) => {
      const found = texts.filter(test).sort((a, b) => b.count - a.count);
      return { column, texts: found, count: found.reduce((sum, { count }) => sum + count, 0) };
    })
    .sort((a, b) => b.count - a.count)[0];
}

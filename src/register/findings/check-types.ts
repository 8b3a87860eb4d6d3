/** Checks `not-storefronts`: types and names that are no new businesses. */

import { rememberTexts } from '../../shared/remember.ts';
import { looksPersonal } from '../profile/people/personal-names.ts';
import { typeMeans } from '../survey/business-types.ts';
import { countRows } from '../survey/columns.ts';
import type { SampledOpening, SampledRegister } from './evidence.ts';
import { countTexts, listCounts, listNames, makeFinding } from './finding.ts';

const STOP_SHARE = 0.05;
const MOST_TEXTS = 500;
/** Minimum openings to judge a type by its names. If most are people's, the type may mean work, not a business. */
const FEWEST_OF_A_TYPE = 20;
const MOSTLY_PEOPLE = 0.5;
/** If this many openings share a name, they may be an operator's machines or rooms, not shops. */
const MANY_OF_ONE_NAME = 20;

/** Finds types that are not storefronts: by their words, by mostly personal names, or by one very frequent name. */
export function checkTypeTexts({ evidence, openings, total: of }: SampledRegister) {
  const isPersonal = rememberTexts(
    (name) => evidence.roles.judgesShape && looksPersonal(name),
    openings.length,
  );
  const columns = evidence.types.map((column) => listDoubtful(column, openings, isPersonal));
  const [byType] = columns.toSorted((a, b) => b.count - a.count);
  // the rows of one key become one listing, however many types, machines or years they are of
  const businesses = [...new Map(openings.map((one) => [one.key, one])).values()];
  const often = countTexts(businesses, ({ name }) => name).filter(([, count]) => count >= MANY_OF_ONE_NAME);
  const oftenCount = countRows(often);
  if (byType !== undefined && byType.count >= oftenCount) {
    const { column, count, texts } = byType;
    const atHome = countRows(texts.filter(([text]) => typeMeans('home', text)));
    const found = makeFinding('typesOfNoBusiness', {
      severity: Math.max(count - atHome, oftenCount) > of * STOP_SHARE ? 'stop' : 'warn',
      count,
      of,
      examples: listCounts(texts),
      columns: [column],
      tries: [{ skip: [{ column, values: texts.map(([text]) => text), because: 'no new business' }] }],
    });
    if (found !== undefined) return found;
  }
  const values = {
    names: often.length === 1 ? 'one name that occurs' : `${often.length} names that occur`,
    times: MANY_OF_ONE_NAME,
    types: evidence.types.length === 0 ? '' : ` (perhaps ${listNames(evidence.types)})`,
  };
  return makeFinding('frequentNames', { count: oftenCount, of, examples: listCounts(often), values });
}

/** Lists the types of a column that mean no storefront, most frequent first. */
function listDoubtful(
  column: string,
  openings: readonly SampledOpening[],
  isPersonal: (name: string) => boolean,
) {
  const people = new Map(
    countTexts(
      openings.filter(({ name }) => isPersonal(name)),
      ({ cell }) => cell(column),
    ),
  );
  const texts = countTexts(openings, ({ cell }) => cell(column)).filter(
    ([text, count]) =>
      text !== '' &&
      (typeMeans('none', text) ||
        typeMeans('home', text) ||
        (count >= FEWEST_OF_A_TYPE && (people.get(text) ?? 0) > count * MOSTLY_PEOPLE)),
  );
  return { column, texts: texts.slice(0, MOST_TEXTS), count: countRows(texts) };
}

/** Checks `personal-names` (people among the openings) and `dropped-businesses` (businesses skipped as people). */

import { UNCATEGORIZED } from '../../shared/listing.ts';
import { rememberTexts } from '../../shared/remember.ts';
import { foldWords } from '../../shared/words.ts';
import { kindOf } from '../profile/categories/kind.ts';
import { columnsOf } from '../profile/mapping/cells.ts';
import { cutSoleForm, hasCompanyForm } from '../profile/people/company-forms.ts';
import { hasKnownScript, PERSON_TITLES } from '../profile/people/name-words.ts';
import { GLUED_NUMBER, namesOnlyOwner } from '../profile/people/owners.ts';
import { looksPersonal } from '../profile/people/personal-names.ts';
import type { SampledOpening, SampledRegister } from './evidence.ts';
import { isMoreThan, listNames, makeFinding, type ShownFinding, sumWeights, type Words } from './finding.ts';

/**
 * If more than this share of rows is skipped as people's, the register is a list of people, and the other rows are
 * people too.
 */
const MOSTLY_PEOPLE = 0.8;
/** The share of trade names that wrongly look like a person's (`looksPersonal`). */
const MISTAKEN_SHARE = 0.04;
/** Above this share of names that are clearly people's, the run is held. */
const MOST_CLEAR = 0.15;

export function findPeople({ evidence, source, openings, dropped, total: of, city }: SampledRegister) {
  const people = sumWeights(dropped);
  if (isMoreThan(MOSTLY_PEOPLE, people, people + of))
    return makeFinding('registerOfPeople', {
      count: of,
      of,
      values: { people },
    });
  const { roles } = evidence;
  const mapped = columnsOf(source.mapping?.register.owner);
  const owners = mapped.length > 0 ? mapped : evidence.owners;
  const { person, judgesShape } = roles;
  const businessWords = foldWords(city.name).split(' '); // `Courtyard San Luis Obispo` is not a person
  const isPersonal = rememberTexts(
    (name) => !hasCompanyForm(name) && looksPersonal(name.replace(GLUED_NUMBER, ''), { businessWords }),
  );
  const isClear = rememberTexts(
    (name) => isPersonal(name) && looksPersonal(name, { businessWords, isStrict: true }),
  );
  const form = person && { column: person.column.name, values: person.values.filter((text) => text !== '') };
  const forms = new Set(person?.column.values.map(([text]) => text));
  const formOf = ({ cell }: SampledOpening) => (form === undefined ? '' : cell(form.column));
  const isIndividual = (one: SampledOpening) => form?.values.includes(formOf(one)) === true;
  const isCompany = (one: SampledOpening) => forms.has(formOf(one)) && !isIndividual(one);
  const personal = openings.filter(({ name }) => !hasKnownScript(name) || isPersonal(name));
  const clear = personal.filter(({ name }) => isClear(name));
  const shaped = judgesShape ? personal.filter(({ name }) => hasKnownScript(name)) : clear;
  const doubtful = personal.filter((one) => !isCompany(one));
  const proven = doubtful.filter(({ name, cell }) => {
    const cells = owners.map(cell);
    return namesOnlyOwner(name, ...cells, cells.join(' '));
  });
  const typed = doubtful.filter((one) => hasKnownScript(one.name) && isIndividual(one));
  const mistaken = sumWeights(openings.filter(isIndividual)) * MISTAKEN_SHARE;
  const byType = owners.length === 0 ? Math.max(0, sumWeights(typed) - mistaken) : 0;
  const byOwner = sumWeights(proven);
  const isProven = byOwner >= byType;
  const by = isProven ? `the owner's name in ${listNames(owners)}` : `the legal form in ${form?.column}`;
  const ofOwners = makeFinding('ownersAsNames', {
    count: Math.max(byOwner, byType),
    of,
    examples: () => listNamesOf(isProven ? proven : shaped),
    values: { by },
    tries: [...(owners.length > 0 ? [{ owner: [...owners] }] : []), ...(form ? [{ person: form }] : [])],
  });
  return ofOwners ?? findNamesLikePeople(shaped, clear, of);
}

function findNamesLikePeople(
  shaped: readonly SampledOpening[],
  clear: readonly SampledOpening[],
  of: number,
): ShownFinding | undefined {
  const certain = sumWeights(clear);
  return makeFinding('namesLikePeople', {
    count: sumWeights(shaped),
    of,
    examples: () => listNamesOf(shaped),
    severity: certain > of * MOST_CLEAR ? 'stop' : 'warn',
    values: { certain: Math.round(certain) },
    tries: certain > 0 ? [{ namesLikePeople: 'certain' }] : [],
  });
}

/** Lists names as examples, the most clearly personal ones first. */
function listNamesOf(some: readonly SampledOpening[]): string[] {
  const scored = some.map(({ name }) => ({ name, score: scorePerson(name) }));
  return scored.sort((a, b) => b.score - a.score).map(({ name }) => name);
}

/** Scores how clearly a name is a person's: a common given name or title, at most three words, no digit. */
function scorePerson(name: string): number {
  const isShort = name.split(/\s+/).length <= 3;
  return (looksPersonal(name, { isStrict: true }) ? 2 : 0) + Number(isShort) + Number(!/\d/.test(name));
}

/** The rules for names that look like people's, which leave out fewer and fewer. */
const SHAPE_RULES: readonly Words['namesLikePeople'][] = ['certain', 'keep'];

/** Finds names that were skipped as people's, but have a legal form or name a trade. */
export function findDroppedBusinesses({ dropped, total, evidence, source }: SampledRegister) {
  const scoreOf = rememberTexts((name) => {
    const titled = withoutTitles(name); // a dentist's title is not a trade name
    const plain = cutSoleForm(titled) ?? titled; // and the form of a sole trader marks no company
    return (hasCompanyForm(plain) ? 2 : 0) + (kindOf({ name: plain }) === UNCATEGORIZED ? 0 : 1);
  });
  const businesses = dropped
    .map(({ cell, weight }) => {
      const name = evidence.names.map(cell).find((text) => text !== '') ?? '';
      return { name, weight, score: scoreOf(name) };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  const count = sumWeights(businesses);
  const examples = businesses.map(({ name }) => name);
  const register = source.mapping?.register;
  const { namesLikePeople: shape = 'skip' } = register ?? {};
  const words = (['owner', 'legalName', 'person'] as const).filter((word) => register?.[word] !== undefined);
  const rules =
    register === undefined ? ['the verdict'] : [...words, ...(shape === 'keep' ? [] : ['namesLikePeople'])];
  return makeFinding('droppedBusinesses', {
    count,
    of: total + count,
    examples,
    values: { rules: rules.join(', ') },
    tries: SHAPE_RULES.slice(SHAPE_RULES.indexOf(shape) + 1).map((one) => ({ namesLikePeople: one })),
  });
}

function withoutTitles(name: string): string {
  return name
    .split(/[\s,]+/)
    .filter((word) => !PERSON_TITLES.has(word.toLowerCase().replaceAll('.', '')))
    .join(' ');
}

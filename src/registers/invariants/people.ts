/** Checks `personal-names`, people among the openings, and `dropped-businesses`, businesses skipped as people. */

import { kindOf } from '../../city/categories/kind.ts';
import { hasCompanyForm, PERSON_TITLES } from '../../city/people/person-words.ts';
import { hasKnownScript, looksPersonal, namesOnlyOwner } from '../../city/people/persons.ts';
import { UNCATEGORIZED } from '../../listings/listing.ts';
import { rememberTexts } from '../../listings/remember.ts';
import { foldWords } from '../../listings/words.ts';
import type { Evidence } from './evidence.ts';
import {
  type FindingCheck,
  isMoreThan,
  listNames,
  makeFinding,
  openExamples,
  type ReadText,
  type Repair,
  type ShownFinding,
} from './finding.ts';

const PROVEN_SHARE = 0.01;
const SHAPE_STOP = 0.15;
const SHAPE_WARN = 0.05;
/** The share of trade names that wrongly look like a person's (`looksPersonal`). */
const MISTAKEN_SHARE = 0.065;
const DROPPED_STOP = 0.02;
const DROPPED_SHOWN = 20;

/** Matches a number of a cab, stall or chair after a person's name: `Odile Fenwright #153`. */
const GLUED_NUMBER = /[\s,-]{0,3}(?:\b(?:cab|taxi|unit|booth|station|chair|no\.?)\s{0,3})?#?\s?\d{1,9}$/i;

export type PeopleCheck = FindingCheck & {
  /** Examines a row that was skipped as a person's. */
  seeDropped(cell: ReadText, weight: number): void;
};

export function openPeopleCheck(
  { owners, person, names, isEnglish }: Evidence,
  cityName: string,
): PeopleCheck {
  const sums = { proven: 0, typed: 0, individuals: 0, shape: 0 };
  const shown = openExamples();
  const shaped = openExamples();
  const dropped = openDroppedCount(names);
  const businessWords = foldWords(cityName).split(' '); // for names such as `Courtyard San Luis Obispo`
  const isPersonal = rememberTexts(
    (name) => !hasCompanyForm(name) && looksPersonal(name.replace(GLUED_NUMBER, ''), { businessWords }),
  );
  return {
    seeDropped: dropped.see,
    see({ name }, cell, { weight }) {
      const form = person && cell(person.column);
      const isIndividual = form !== undefined && person?.values.has(form) === true;
      const isCompany = form !== undefined && person?.companies.has(form) === true;
      if (isIndividual) sums.individuals += weight;
      const isKnown = hasKnownScript(name);
      if (isKnown && !isPersonal(name)) return;
      if (isKnown && isEnglish) {
        sums.shape += weight;
        shaped.keep(name, scorePerson(name));
      }
      if (isCompany) return;
      if (isKnown && isIndividual) sums.typed += weight;
      const owner = owners.map(cell).join(' ');
      const isOwners = isKnown
        ? isNameOf(name.replace(GLUED_NUMBER, ''), owner) && !hasCompanyForm(owner)
        : namesOnlyOwner(name, owner);
      if (!isOwners) return;
      sums.proven += weight;
      shown.keep(name, scorePerson(name));
    },
    find(openings) {
      const typed = owners.length === 0 ? Math.max(0, sums.typed - sums.individuals * MISTAKEN_SHARE) : 0;
      const isProven = sums.proven >= typed;
      const what = { ...sums, count: Math.max(sums.proven, typed), isProven };
      const examples = isProven ? shown.list() : shaped.list();
      return [
        findPeople(what, { owners, person, openings, examples, shaped: shaped.list() }),
        dropped.find(openings),
      ];
    },
  };
}

type PeopleSums = { shape: number; count: number; isProven: boolean };

function findPeople(
  { shape, count, isProven }: PeopleSums,
  seen: Pick<Evidence, 'owners' | 'person'> & { openings: number; examples: string[]; shaped: string[] },
): ShownFinding | undefined {
  const { owners, person, openings: of, examples, shaped } = seen;
  if (isMoreThan(PROVEN_SHARE, count, of)) {
    const by = isProven ? `the owner's name in ${listNames(owners)}` : `the legal form in ${person?.column}`;
    const repair: Repair = {
      ...(owners.length > 0 && { owner: owners }),
      ...(person && { person: { column: person.column, values: [...person.values] } }),
    };
    return makeFinding('ownersAsNames', { count, of, examples, values: { by }, repair });
  }
  if (!isMoreThan(SHAPE_WARN, shape, of)) return undefined;
  const severity = isMoreThan(SHAPE_STOP, shape, of) ? 'stop' : 'warn';
  const repair: Repair = { namesLikePeople: severity === 'stop' ? 'skip' : 'certain' };
  return makeFinding('namesLikePeople', { severity, count: shape, of, examples: shaped, repair });
}

/** Scores how clearly a name is a person's: a common given name or title, at most three words, no digit. */
function scorePerson(name: string): number {
  const isShort = name.split(/\s+/).length <= 3;
  return (looksPersonal(name, { isStrict: true }) ? 2 : 0) + Number(isShort) + Number(!/\d/.test(name));
}

/** Counts names that were skipped as people's but have a company form or name a trade. */
function openDroppedCount(names: readonly string[]) {
  const examples = openExamples(DROPPED_SHOWN);
  const score = rememberTexts((name) => {
    const plain = withoutTitles(name); // a dentist's title is not a trade name
    return (hasCompanyForm(plain) ? 2 : 0) + (kindOf({ name: plain }) === UNCATEGORIZED ? 0 : 1);
  });
  let count = 0;
  return {
    see(cell: ReadText, weight: number): void {
      const name = names.map(cell).find((text) => text !== '') ?? '';
      const points = score(name);
      if (points === 0) return;
      count += weight;
      examples.keep(name, points);
    },
    find(openings: number): ShownFinding | undefined {
      const of = openings + count;
      if (!isMoreThan(0, count, of)) return undefined;
      const severity = isMoreThan(DROPPED_STOP, count, of) ? 'stop' : 'warn';
      const repair: Repair = { namesLikePeople: 'keep' };
      return makeFinding('droppedBusinesses', { severity, count, of, examples: examples.list(), repair });
    },
  };
}

function withoutTitles(name: string): string {
  return name
    .split(/[\s,]+/)
    .filter((word) => !PERSON_TITLES.has(word.toLowerCase().replaceAll('.', '')))
    .join(' ');
}

/** Returns whether a name's words are the owner's in any order, with initials and at most one more (a second name). */
function isNameOf(name: string, owner: string): boolean {
  const own = splitName(owner);
  const words = splitName(name);
  const full = words.filter((word) => word.length > 1);
  const shared = full.filter((word) => own.includes(word)).length;
  const initials = words.filter((word) => word.length === 1 && own.some((one) => one[0] === word));
  const isAll = shared === full.length && shared + initials.length > 1;
  return shared > 0 && (isAll || (shared > 1 && shared === full.length - 1));
}

const AFTER_A_NAME = new Set(
  'md dds dmd phd jr sr ii iii iv esq cpa rn trustee and mr mrs ms dr lmft lcsw mft'.split(' '),
);

function splitName(name: string): string[] {
  const words = name.toLowerCase().match(/[\p{L}'’]+/gu) ?? [];
  return words.filter((word) => !AFTER_A_NAME.has(word));
}

/** `personal-names`: names that would be served and are only a person's. */

import { namesOnlyOwner } from '../../city/owners.ts';
import { hasKnownScript, looksPersonal } from '../../city/persons.ts';
import { readCell } from '../sources/row.ts';
import { type FindingCheck, formatOpenings, isMoreThan, keepExample, makeFinding } from './check.ts';
import { COMPANY_FORM, type ColumnRoles, PERSON_FORM } from './column-roles.ts';

const PROVEN_SHARE = 0.01;
const SHAPE_STOP = 0.15;
const SHAPE_WARN = 0.05;
/** Of trade names so many look like a person's and are not (`looksPersonal`). */
const MISTAKEN_SHARE = 0.065;

/** An owner that is a company, whose own name looks like a person's. */
const COMPANY_NAME = /\b(?:inc|llc|l\.l\.c|corp\w*|company|co|ltd|lp|llp|pllc|pc|p\.c|apc)\b/i;

export function openPeopleCheck({ owners, legalForm }: ColumnRoles): FindingCheck {
  const sums = { proven: 0, typed: 0, individuals: 0, shape: 0 };
  const shown: string[] = [];
  const shaped: string[] = [];
  const forms = new Map<string, 'person' | 'company' | undefined>();
  const formOf = (text: string) => {
    if (!forms.has(text) && forms.size < 1_000) forms.set(text, readForm(text));
    return forms.get(text);
  };
  return {
    see({ name }, row, weight) {
      const form = legalForm === undefined ? undefined : formOf(readCell(row, legalForm));
      if (form === 'person') sums.individuals += weight;
      const isKnown = hasKnownScript(name);
      if (isKnown && !looksPersonal(name)) return;
      if (isKnown) sums.shape += weight;
      if (isKnown) keepExample(shaped, name);
      if (form === 'company') return;
      if (isKnown && form === 'person') sums.typed += weight;
      const owner = owners.map((column) => readCell(row, column)).join(' ');
      const isOwners = isKnown
        ? isNameOf(name, owner) && !COMPANY_NAME.test(owner)
        : namesOnlyOwner(name, owner);
      if (!isOwners) return;
      sums.proven += weight;
      keepExample(shown, name);
    },
    find(openings) {
      const fix =
        "in the verdict, return skip('personal name') where the name is only the owner's, or serve the trade name";
      const typed = owners.length === 0 ? Math.max(0, sums.typed - sums.individuals * MISTAKEN_SHARE) : 0;
      const count = Math.max(sums.proven, typed);
      if (isMoreThan(PROVEN_SHARE, count, openings)) {
        const by =
          sums.proven >= typed
            ? `the owner's name in ${listNames(owners)}`
            : `the legal form in ${legalForm}`;
        const detail = `${formatOpenings(count, openings)} have a person's name, according to ${by}`;
        const examples = sums.proven >= typed ? shown : shaped;
        return [makeFinding('personal-names', 'stop', { count, of: openings, detail, examples, fix })];
      }
      if (!isMoreThan(SHAPE_WARN, sums.shape, openings)) return [];
      const severity = isMoreThan(SHAPE_STOP, sums.shape, openings) ? 'stop' : 'warn';
      const detail = `the names of ${formatOpenings(sums.shape, openings)} look like people's names`;
      const what = { count: sums.shape, of: openings, detail, examples: shaped, fix };
      return [makeFinding('personal-names', severity, what)];
    },
  };
}

function readForm(text: string): 'person' | 'company' | undefined {
  if (COMPANY_FORM.test(text)) return 'company';
  return PERSON_FORM.test(text) ? 'person' : undefined;
}

/** The words of the name are the owner's, in any order: initials for names, and at most one more (a wife, a second name). */
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

export function listNames(columns: readonly (string | undefined)[]): string {
  return columns.map((column) => `"${column}"`).join(', ');
}

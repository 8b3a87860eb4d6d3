/** Recognizes legal forms (`LLC`, `GmbH`, `ИП`) and words of public bodies in names. */

import { rememberLast } from '../../../shared/remember.ts';
import { openWordLists } from '../../../shared/text/word-table.ts';
import { foldWords } from '../../../shared/words.ts';
import { isPeoplesName, splitNameWords } from './name-words.ts';

const formsOf = openWordLists('company-forms.csv');

const FORMS: ReadonlyMap<string, string> = formsOf('form');

const SOLE_FORMS: ReadonlyMap<string, string> = formsOf('sole');

const FRONT_FORMS: ReadonlyMap<string, string> = formsOf('front');

/** The last words of the forms of sole traders. */
const SOLE_ENDS = new Set([...SOLE_FORMS.keys()].map((form) => form.split(' ').at(-1)!));

const LONGEST_FORM = Math.max(...[...FORMS.keys()].map((form) => form.split(' ').length));

/** The first words of all forms. Words that are not among them need no lookup. */
const FORM_STARTS = new Set([...FORMS.keys()].map((form) => form.split(' ')[0]!));

/**
 * Maximum letters of a form that may be a surname (`Ou`, `Sa`). It counts only after two other words, after one that is
 * not a person's name, or with periods.
 */
const SHORT_FORM = 2;

const BODY =
  /\b(?:company|co|trust|association|assoc|university|county|church|foundation|partnership|society|club)\b/;

const COMPANY_ELSEWHERE =
  /公司|会社|法人|組合|주식회사|유한회사|บริษัท|בע["״'׳]{0,2}מ|(?<!\p{L})(?:ооо|оао|зао|пао|ао|тоо|тов|ат|пат|оод|еоод|еад|доо|εε|οε|αε|επε|ικε|شركة|مؤسسة)(?!\p{L})/iu;

/** Returns whether a name has a legal form or a word of public bodies, in any script. */
export function isCompany(name: string): boolean {
  return (
    BODY.test(splitNameWords(name).join(' ')) ||
    hasCompanyForm(name) ||
    COMPANY_ELSEWHERE.test(name.replaceAll('.', ''))
  );
}

/**
 * Returns whether a name contains a legal form (`LLC`, `GmbH`, `S.A.S.`) as a separate word after its first word, or begins
 * with one that stands before names (`SARL`).
 */
export const hasCompanyForm: (name: string) => boolean = rememberLast(findCompanyForm);

function findCompanyForm(name: string): boolean {
  const words = foldWords(name).split(' ');
  if (words.length > 1 && FRONT_FORMS.has(words[0]!)) return true;
  for (let start = Math.max(1, words.length - LONGEST_FORM - 3); start < words.length; start++) {
    if (!FORM_STARTS.has(words[start]!)) continue;
    for (let length = 1; length <= LONGEST_FORM && start + length <= words.length; length++) {
      const form = words.slice(start, start + length).join(' ');
      if (!FORMS.has(form)) continue;
      if (form.length > SHORT_FORM) return true;
      if (start + 1 === words.length && (words.length > 2 || !isPeoplesName(words[0]!))) return true;
    }
  }
  return false;
}

/**
 * Matches a name that only a sole trader has in its register: after the form (`ИП Иванова Анна`), or beside the number of
 * the person or of the firm (`ODILE FENWRIGHT 01234567890`, also the number alone, `12.345.678 ODILE FENWRIGHT`, in Brazil).
 */
const SOLE_TRADER =
  /^(?:индивидуальный предприниматель|ип|фоп|фізична особа[ -]підприємець)\s[^"«“]*$|^(?:\p{L}[\p{L}'. -]*\s)?\d{11}$|^\d{2}\.\d{3}\.\d{3}\s(?!(?:LTDA|S\/?A|SLU|EIRELI)\b)\p{L}/iu;

export const SOLE_NUMBER = /^\d{2}\.\d{3}\.\d{3}\s|\s\d{11}$/;

export function namesSoleTrader(name: string): boolean {
  return SOLE_TRADER.test(name);
}

/**
 * Removes a sole trader's form from the end of a name (`E.I.R.L.`). Returns `undefined` if there is none, or if the name is
 * a company's without it: `Heron Ltda ME`, where `ME` is the size.
 */
export function cutSoleForm(name: string): string | undefined {
  const words = foldWords(name).split(' ');
  if (!SOLE_ENDS.has(words.at(-1)!)) return undefined;
  for (let length = Math.min(LONGEST_FORM, words.length - 1); length > 0; length--) {
    if (!SOLE_FORMS.has(words.slice(-length).join(' '))) continue;
    const bare = words.slice(0, -length).join(' ');
    return hasCompanyForm(bare) ? undefined : bare;
  }
  return undefined;
}

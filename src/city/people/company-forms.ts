/** Legal forms in the names of companies (`LLC`, `GmbH`, `S.A.S.`), of several countries: `src/data/company-forms.csv`. */

import { readFileSync } from 'node:fs';

const FILE = new URL('../../data/company-forms.csv', import.meta.url);

const FORMS = new Set(
  readFileSync(FILE, 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .slice(1)
    .flatMap((line) => (line.split(',')[1] ?? '').split('|'))
    .filter((form) => form !== ''),
);
const LONGEST_FORM = Math.max(...[...FORMS].map((form) => form.split(' ').length));

/** Forms of two letters are surnames, too (`Ou`, `Sa`): they count at the end of three words or more, or with points between. */
const SHORT_FORM = 2;

/** Whether a name has a legal form as a word of its own, not at its beginning. */
export function hasCompanyForm(name: string): boolean {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  for (let start = Math.max(1, words.length - LONGEST_FORM - 3); start < words.length; start++)
    for (let length = 1; length <= LONGEST_FORM && start + length <= words.length; length++) {
      const form = words.slice(start, start + length).join(' ');
      if (!FORMS.has(form)) continue;
      if (form.length > SHORT_FORM || (start + 1 === words.length && words.length > 2)) return true;
    }
  return false;
}

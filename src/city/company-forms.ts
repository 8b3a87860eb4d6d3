/** Legal forms in the names of companies (`LLC`, `GmbH`, `S.A.S.`), of several countries: `src/data/company-forms.csv`. */

import { readFileSync } from 'node:fs';

const FILE = new URL('../data/company-forms.csv', import.meta.url);

const FORMS = new Set(
  readFileSync(FILE, 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .slice(1)
    .flatMap((line) => (line.split(',')[1] ?? '').split('|'))
    .filter((form) => form !== ''),
);
const LONGEST_FORM = Math.max(...[...FORMS].map((form) => form.split(' ').length));

/** Whether a name has a legal form as a word of its own. In names of people such words are rare, not impossible (`Co`, `Se`). */
export function hasCompanyForm(name: string): boolean {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  for (let start = Math.max(0, words.length - 6); start < words.length; start++)
    for (let length = 1; length <= LONGEST_FORM; length++)
      if (start > 0 && FORMS.has(words.slice(start, start + length).join(' '))) return true;
  return false;
}

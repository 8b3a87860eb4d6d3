/** Of two texts with opposite meanings, each says its own. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import FRENCH from '../../src/data/page-words.fr.json' with { type: 'json' };
import ENGLISH from '../../src/data/page-words.json' with { type: 'json' };

/** Names of texts and what they say, and the same of their opposites. */
const OPPOSITES: [names: RegExp, say: RegExp, others: RegExp, otherwise: RegExp][] = [
  [
    /^(?:compare|changes|rank)\.(?:more|rose|grew)\b/,
    /\bmore than|\brose|\bgrew|de plus que|hausse|augment/,
    /^(?:compare|changes|rank)\.(?:fewer|fell)\b/,
    /\bfewer than|\bfell|de moins que|baiss/,
  ],
  [/_from$/, /\bfrom$|\bsince\b|à partir|depuis/, /_to$/, /\bto$|\buntil\b|jusqu/],
  [/^rank\.most/, /\bmost\b|en tête/i, /^rank\..*fewest/, /\bfewest|bottom|en dernier|de la fin/i],
  [/^nearest\.newest/, /newest|récent/, /^nearest\.oldest/, /oldest|ancien/],
  [/^pages\.next/, /next|suivante/i, /^pages\.previous/, /previous|précédente/i],
  [/^status\.open$/, /^no closing|^sans fermeture/, /^status\.closed$/, /^closed|^fermé/],
  [/^changes\.now/, /now|période/i, /^changes\.before/, /before|plus tôt/i],
];

test('in both languages, each of two texts with opposite meanings says its own', () => {
  for (const words of [ENGLISH, FRENCH])
    for (const [names, say, others, otherwise] of OPPOSITES)
      for (const [which, said, not] of [
        [names, say, otherwise],
        [others, otherwise, say],
      ] as const) {
        const texts = Object.entries(words).filter(([name]) => which.test(name));
        assert.ok(texts.length > 0, `${which}`);
        for (const [name, text] of texts) {
          assert.match(text, said, name);
          assert.doesNotMatch(text, not, name);
        }
      }
});

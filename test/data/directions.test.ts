/** Texts about a rise and texts about a fall say which of the two they are about. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import FRENCH from '../../src/data/page-words.fr.json' with { type: 'json' };
import ENGLISH from '../../src/data/page-words.json' with { type: 'json' };

const UP = /\bmore than|\brose|\bgrew|de plus que|hausse|augment/;
const DOWN = /\bfewer than|\bfell|de moins que|baiss/;

test('in both languages, no text about a rise says that something fell, and no text about a fall that it rose', () => {
  const texts = [...Object.entries(ENGLISH), ...Object.entries(FRENCH)].filter(([name]) =>
    /^(?:compare|changes|rank)\.(?:more|fewer|rose|fell|grew)\b/.test(name),
  );
  assert.ok(texts.length >= 24);
  for (const [name, text] of texts) {
    const [said, not] = /more|rose|grew/.test(name) ? [UP, DOWN] : [DOWN, UP];
    assert.match(text, said, name);
    assert.doesNotMatch(text, not, name);
  }
});

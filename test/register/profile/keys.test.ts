/** Keys made from data that must not be stored. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyOf } from '../../../src/register/profile/city.ts';

test('a hashed key has 22 characters and reveals nothing about its parts', () => {
  assert.match(keyOf('Blue Heron', '12 Tern St'), /^[\w-]{22}$/);
  assert.equal(keyOf('Blue Heron', '12 Tern St'), 'xYpj6IIUKeHxvRBbymuG9k');
});

test('words, parts and their order change a key, but case, accents, spacing and punctuation do not', () => {
  const key = keyOf("Joe's Café & Bar", '12 Tern St.');
  assert.equal(keyOf('JOES  CAFE and BAR', ' 12 tern st'), key);
  assert.notEqual(keyOf("Joe's Café", '12 Tern St.'), key);
  assert.notEqual(keyOf('12 Tern St.', "Joe's Café & Bar"), key);
  assert.notEqual(keyOf('a b', 'c'), keyOf('a', 'b c'));
  assert.notEqual(keyOf('a', ''), keyOf('', 'a'));
});

test('a key cannot be made of empty parts', () => assert.equal(keyOf('', ' - '), ''));

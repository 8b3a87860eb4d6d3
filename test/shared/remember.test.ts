/** What is remembered of texts is right, and never more than a cache may hold. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rememberLast, rememberTexts } from '../../src/shared/remember.ts';

const TEXTS = ['a', 'a', 'b', 'c', 'b', 'd', 'a', 'd', 'x'.repeat(201), 'x'.repeat(201)];

test('a cache of texts computes each once, forgets all when it is full, and never keeps a long one', () => {
  const computed: string[] = [];
  const remember = rememberTexts((text, more: string) => {
    computed.push(text[0]!);
    return text + more;
  }, 3);
  assert.deepEqual(
    TEXTS.map((text) => remember(text, '!')),
    TEXTS.map((text) => `${text}!`),
  );
  assert.equal(computed.join(''), 'abcdaxx');
});

test('the last texts are remembered as eight, and the oldest is computed again', () => {
  const computed: string[] = [];
  const remember = rememberLast((text) => {
    computed.push(text);
    return text.toUpperCase();
  });
  const asked = [...'abcdefghaibi'];
  assert.equal(asked.map(remember).join(''), 'ABCDEFGHAIBI');
  assert.equal(computed.join(''), 'abcdefghi');
});

/** Values that have broken programs before: those of nasty.json, and long ones. */

import nasty from './nasty.json' with { type: 'json' };

/** Texts; whoever sends them encodes them for where they go. */
export const NASTY_TEXTS: readonly string[] = [
  ...nasty.texts,
  ...['9'.repeat(400), 'a'.repeat(200), 'a'.repeat(201), '🍕'.repeat(200), '🍕'.repeat(201)],
  ...['İ'.repeat(60), '\u0300'.repeat(150), "'".repeat(200), '!'.repeat(180)],
];

/** Percent-encoding as it should not be, and characters that need not be encoded. */
export const NASTY_ENCODINGS: readonly string[] = nasty.encodings;

/** What programs on the way are told, or would believe, by value: none of it may change an answer. */
export const CLAIMS: Readonly<Record<string, readonly string[]>> = {
  ...nasty.claims,
  'evil.example': [...nasty.headerNames, ...nasty.claims['evil.example']],
};

/** Names that mean something to JavaScript. */
export const TRAPS = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__'],
];
/** JSON that would set `polluted` on everything if it were merged into anything. */
export const BODIES: readonly string[] = [
  ...TRAPS.flatMap((trap) => [
    `{"${trap}":{"polluted":1}}`,
    `{"a":{"${trap}":{"polluted":1}}}`,
    `[{"${trap}":{"polluted":1}}]`,
  ]),
  '{"constructor":{"prototype":{"polluted":1}}}',
  '{"\\u005f_proto__":{"polluted":1}}',
  '{"__proto__":{"__proto__":{"polluted":1}}}',
  '{"__proto__":null,"polluted":1}',
];

/** Signup bodies that match the schema or not: fields missing, added or repeated, bytes changed, too many bytes. */

import fc from 'fast-check';
import { SIGNUP_TYPES } from '../../src/subscriptions/ports.ts';
import { NASTY_TEXTS } from './nasty.ts';

const LONGEST = 4096;

const atoms = fc.string({ unit: fc.constantFrom(..."abcXYZ019+_-'&"), minLength: 1, maxLength: 12 });
const sound = fc
  .tuple(
    fc.array(atoms, { minLength: 1, maxLength: 3 }),
    fc.constantFrom('b.example', ' BÜCHER.example ', 'x-y.b.example'),
  )
  .map(([local, domain]) => `${local.join('.')}@${domain}`.trimEnd());
export const emails = fc.oneof(
  { weight: 4, arbitrary: sound },
  { weight: 1, arbitrary: fc.constantFrom(...NASTY_TEXTS) },
  { weight: 2, arbitrary: fc.tuple(atoms, fc.constantFrom(...NASTY_TEXTS)).map((parts) => parts.join('@')) },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom(...NASTY_TEXTS), sound).map((parts) => parts.join('')) },
);
export const types = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...SIGNUP_TYPES) },
  { weight: 1, arbitrary: fc.constantFrom('Weekly', 'weekly ', 'pro', ...NASTY_TEXTS) },
);
const anything = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(...NASTY_TEXTS));
type Field = readonly [key: string, value: unknown];
const valid = fc.tuple(emails, types).map(([email, type]): Field[] => [
  ['email', email],
  ['type', type],
]);

/** The schema's fields, with one left out, one too many, one twice, one of another type, or as they should be. */
const fields = fc
  .tuple(valid, fc.nat(9), fc.nat(1), anything, fc.constantFrom('__proto__', 'Email', 'e-mail', 'x', ''))
  .map(([whole, how, at, odd, name]): Field[] => {
    if (how === 0) return whole.filter((_, i) => i !== at);
    if (how === 1) return [...whole, [name, odd]];
    if (how === 2) return [...whole, [whole[at]![0], odd]];
    if (how === 3) return whole.with(at, [whole[at]![0], odd]);
    return how < 6 ? whole.toReversed() : whole;
  });
/** `keys`: the names that stand in it, as often as they do. */
export type Body = { bytes: Buffer; keys: readonly string[] };

const whole = fields.map((given): Body => {
  const pairs = given.map(([key, one]) => `${JSON.stringify(key)}:${JSON.stringify(one)}`);
  return { bytes: Buffer.from(`{${pairs.join()}}`), keys: given.map(([key]) => key) };
});

/** Spaces after it, up to the longest that is read or one more. */
const long = fc.tuple(whole, fc.nat(1)).map(([{ bytes, keys }, more]): Body => {
  const spaces = Buffer.from(' '.repeat(Math.max(0, LONGEST + more - bytes.length)));
  return { bytes: Buffer.concat([bytes, spaces]), keys };
});

/** A byte left out, added or replaced. No field is repeated here: whose names they are is then told by reading it. */
const damaged = fc
  .tuple(
    whole.filter(({ keys }) => new Set(keys).size === keys.length),
    fc.nat(200),
    fc.nat(1),
    fc.constantFrom('', '"', '\\', '{', ',', '\0', '\xff', ' ', '7'),
  )
  .map(([{ bytes }, at, gone, byte]): Body => {
    const place = at % bytes.length;
    const parts = [bytes.subarray(0, place), Buffer.from(byte, 'latin1'), bytes.subarray(place + gone)];
    const changed = Buffer.concat(parts);
    return { bytes: changed, keys: namesIn(changed) };
  });

export const bodies: fc.Arbitrary<Body> = fc.oneof(
  { weight: 6, arbitrary: whole },
  { weight: 3, arbitrary: damaged },
  { weight: 1, arbitrary: long },
);

function namesIn(bytes: Buffer): string[] {
  try {
    return Object.keys(JSON.parse(bytes.toString()));
  } catch {
    return [];
  }
}

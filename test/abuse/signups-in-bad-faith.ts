/** Signup bodies that match the schema or not: fields missing, added or repeated, bytes changed, too many bytes. */

import fc from 'fast-check';
import { SIGNUP_TYPES } from '../../src/shared/signup/signups.ts';
import { BODIES, NASTY_TEXTS } from './nasty.ts';

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
const traps = fc.constantFrom(...BODIES).map((body): unknown => JSON.parse(body));
const anything = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(...NASTY_TEXTS), traps);
type Field = readonly [key: string, value: unknown];

/** What is chosen: in most signups nothing, in some values that exist, in others anything. */
const choices = (places: readonly string[]) => {
  const values = fc.constantFrom(...places, 'Restaurants', 'legal ', ' CAFES & BAKERIES', 'Uncategorized');
  const list = fc.oneof(
    { weight: 6, arbitrary: fc.array(values, { maxLength: 3 }) },
    { weight: 1, arbitrary: fc.array(fc.oneof(values, fc.constantFrom(...NASTY_TEXTS)), { maxLength: 25 }) },
    { weight: 1, arbitrary: anything },
  );
  const name = fc.constantFrom('categories', 'neighborhoods');
  const field = fc.tuple(name, list) as fc.Arbitrary<Field>;
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: fc.array(field, { maxLength: 2 }) },
  );
};

const valid = (places: readonly string[]) =>
  fc
    .tuple(emails, types, choices(places))
    .map(([email, type, chosen]): Field[] => [['email', email], ['type', type], ...chosen]);

/** The schema's fields, with one left out, one too many, one twice, one of another type, or as they should be. */
const fields = (places: readonly string[]) =>
  fc
    .tuple(
      valid(places),
      fc.nat(9),
      fc.nat(1),
      anything,
      fc.constantFrom('__proto__', 'Email', 'e-mail', 'x', ''),
    )
    .map(([whole, how, at, odd, name]): Field[] => {
      if (how === 0) return whole.filter((_, i) => i !== at);
      if (how === 1) return [...whole, [name, odd]];
      if (how === 2) return [...whole, [whole[at]![0], odd]];
      if (how === 3) return whole.with(at, [whole[at]![0], odd]);
      return how < 6 ? whole.toReversed() : whole;
    });
/** `keys`: the names that stand in it, as often as they do. */
export type Body = { bytes: Buffer; keys: readonly string[] };

const whole = (places: readonly string[]) =>
  fields(places).map((given): Body => {
    const pairs = given.map(([key, one]) => `${JSON.stringify(key)}:${JSON.stringify(one)}`);
    return { bytes: Buffer.from(`{${pairs.join()}}`), keys: given.map(([key]) => key) };
  });

/** Spaces after it, up to the longest that is read or one more. */
const long = (places: readonly string[]) =>
  fc.tuple(whole(places), fc.nat(1)).map(([{ bytes, keys }, more]): Body => {
    const spaces = Buffer.from(' '.repeat(Math.max(0, LONGEST + more - bytes.length)));
    return { bytes: Buffer.concat([bytes, spaces]), keys };
  });

/** A byte left out, added or replaced. No field is repeated here: whose names they are is then told by reading it. */
const damaged = (places: readonly string[]) =>
  fc
    .tuple(
      whole(places).filter(({ keys }) => new Set(keys).size === keys.length),
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

/** `places`: neighborhoods that exist. */
export function bodies(places: readonly string[]): fc.Arbitrary<Body> {
  return fc.oneof(
    { weight: 6, arbitrary: whole(places) },
    { weight: 3, arbitrary: damaged(places) },
    { weight: 1, arbitrary: long(places) },
  );
}

function namesIn(bytes: Buffer): string[] {
  try {
    return Object.keys(JSON.parse(bytes.toString()));
  } catch {
    return [];
  }
}

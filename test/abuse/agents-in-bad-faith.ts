/** Messages to /mcp that a careless or hostile agent would send, and the expected results. */

import fc from 'fast-check';
import { Compile } from 'typebox/compile';
import { schemaOf } from '../../src/service/web/openapi.ts';
import { anyCharacter } from '../any-character.ts';
import type { Answered } from './a-client.ts';
import { BODIES, NASTY_TEXTS, TRAPS } from './nasty.ts';

/** `isSound`: the arguments are what the tool takes. */
export type Message = { text: string; isSound: boolean };

const isSearch = Compile(schemaOf('Found'));
const texts = fc.oneof(fc.constantFrom(...NASTY_TEXTS), fc.string({ unit: anyCharacter, maxLength: 20 }));
const soundQuery = texts.filter((text) => [...text].length <= 200).map((text) => text.toWellFormed());
const lists = fc.array(texts, { maxLength: 3 });
const soundArguments = fc.record(
  {
    q: soundQuery,
    category: fc.oneof(lists, fc.constantFrom('Restaurants', 'restaurants')),
    neighborhood: lists,
    limit: fc.oneof(fc.nat(40), fc.nat(40).map(String)),
    offset: fc.nat(900),
  },
  { requiredKeys: [] },
);
const oddArguments = fc.oneof(
  fc
    .tuple(soundArguments, fc.constantFrom('zebra', 'Q', '', ...TRAPS), texts)
    .map(([sound, name, text]) => ({ ...sound, [name]: text })),
  fc
    .tuple(
      fc.constantFrom('q', 'category', 'status', 'limit', 'offset'),
      fc.constantFrom(true, {}, [1], 0.5, -1, 1e300),
    )
    .map(([name, odd]) => ({ [name]: odd })),
  fc.constantFrom(
    { offset: 1001 },
    { limit: '1.0' },
    { filed_from: '2015-02-30' },
    { filed_to: 2015 },
    { q: 'a'.repeat(201) },
  ),
  fc.constantFrom({ status: Array(21).fill('open') }, { limit: 25, offset: 990, zebra: 1 }),
);

const call = (given: unknown, name = 'search_listings', id: unknown = 1) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: given } });

/** Calls of the search, sound or not. */
export const calls: fc.Arbitrary<Message> = fc.oneof(
  { weight: 3, arbitrary: soundArguments.map((given) => ({ text: call(given), isSound: true })) },
  { weight: 2, arbitrary: oddArguments.map((given) => ({ text: call(given), isSound: false })) },
);

const traps = fc.constantFrom(...BODIES).map((body): unknown => JSON.parse(body));
const odd = fc.oneof(fc.jsonValue({ maxDepth: 3 }), texts, traps);
/** Messages that are none, or of methods that are not there. */
export const messages: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(odd, odd, texts, odd)
    .map(([jsonrpc, id, method, params]) => JSON.stringify({ jsonrpc, id, method, params })),
  fc
    .tuple(
      fc.constantFrom(
        'initialize',
        'ping',
        'tools/list',
        'tools/call',
        'resources/list',
        'sampling/createMessage',
      ),
      odd,
    )
    .map(([method, params]) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })),
  fc.tuple(texts, odd).map(([name, given]) => call(given, name)),
  fc.array(odd, { maxLength: 3 }).map((batch) => JSON.stringify(batch)),
  fc
    .tuple(fc.nat(80), fc.constantFrom('"', '{', '\0', '\\', '\x80'))
    .map(([at, byte]) => call({}).slice(0, at) + byte),
  fc.constantFrom('', 'null', '[', '['.repeat(60_000), '{"__proto__":{"id":1}}', `[${'{},'.repeat(200)}{}]`),
);

/** What is wrong with the answer to a call, in words: a sound one is served in the shape of a search, an odd one refused. */
export function misserved({ isSound }: Message, { body }: Answered): string | undefined {
  const line = body
    .toString()
    .split('\n')
    .find((one) => one.startsWith('data: '));
  const { result, error } = JSON.parse(line?.slice(6) ?? '{}') as {
    result?: { isError?: boolean; structuredContent?: unknown };
    error?: object;
  };
  if (!isSound)
    return error !== undefined || result?.isError === true ? undefined : 'it was served all the same';
  return result?.isError !== true && isSearch.Check(result?.structuredContent)
    ? undefined
    : 'it was not served';
}

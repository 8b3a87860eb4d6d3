/** About 20,000 hostile requests generated from the OpenAPI document, 2,500 in quick depth: none fails, and each gets the documented response. */

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { UNVOUCHED } from '../../src/service/web/limits/client-address.ts';
import { CATEGORIES } from '../../src/shared/city/categories.ts';
import { EVERYTHING, NARROWING, PARAMETER_NAMES } from '../../src/shared/question.ts';
import { SIGNUP_TYPES } from '../../src/shared/signup/signups.ts';
import { anyCharacter } from '../any-character.ts';
import { everyEighth, rounds, seedFrom } from '../depth.ts';
import { aSignupServer } from '../service/mail/a-mailing.ts';
import { manyListings } from '../service/search/made-up.ts';
import { AN_EDITION, anIndex } from '../service/web/a-door.ts';
import { type Answered, type Asked, aClient, assertUnpolluted } from './a-client.ts';
import { calls, messages, misserved } from './agents-in-bad-faith.ts';
import { breach, DOCUMENTED, queryParameters } from './contract.ts';
import {
  chartStatus,
  FEED_PARAMETERS,
  KNOWN_PARAMETERS,
  searchStatus,
  spelled,
  statsStatus,
  tableStatus,
} from './model.ts';
import { BODIES, CLAIMS, NASTY_ENCODINGS, NASTY_TEXTS, TRAPS } from './nasty.ts';

const SEED = seedFrom(20_261_121);
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** What is asked, and the statuses it deserves. */
type Case = Asked & { deserves: readonly number[]; problem?: (answer: Answered) => string | undefined };

const catalogue = anIndex(manyListings(1500));
const totalOf: Parameters<typeof searchStatus>[1] = (question) => catalogue.search(question).total;
const sample = <T>(arbitrary: fc.Arbitrary<T>, numRuns: number): T[] =>
  fc.sample(arbitrary, { seed: SEED, numRuns: rounds(numRuns) });

const encoded = (text: string) => encodeURIComponent(text.toWellFormed());
const KNOWN = catalogue.stats(EVERYTHING).by.neighborhood.map(({ value }) => value);
const DICTIONARY = [...NASTY_TEXTS.map(encoded), ...NASTY_ENCODINGS];
const value = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: anyCharacter, maxLength: 40 }).map(encoded) },
  {
    weight: 2,
    arbitrary: fc.array(fc.constantFrom(...DICTIONARY), { maxLength: 3 }).map((all) => all.join('')),
  },
  { weight: 2, arbitrary: fc.nat(1100).map(String) },
  { weight: 1, arbitrary: fc.constantFrom(...KNOWN, 'Restaurants', 'open', 'a').map(encoded) },
);

/** What a question of any address deserves: a search by its model, pages kindly, links that nobody sent a dead end. */
function deserved(path: string, method: string): readonly number[] {
  const [address] = path.split('?', 1);
  if (Buffer.byteLength(path) > 2048) return [414];
  if (address === '/api/search') return [searchStatus(path, totalOf, [...KNOWN_PARAMETERS, 'data'])];
  if (address?.startsWith('/feed.')) return [searchStatus(path, totalOf, FEED_PARAMETERS)];
  if (address === '/api/stats') return [statsStatus(path)];
  if (address === '/api/stats.csv') return [tableStatus(path)];
  if (address === '/chart.png') return [chartStatus(path)];
  if (address === '/chart.svg') return [chartStatus(path)];
  if (address === '/confirm' || address === '/manage') return [404];
  const names = DOCUMENTED.get(address!);
  if (names !== undefined) return [searchStatus(path, totalOf, [...names])];
  return ['/unsubscribe', '/', '/changes', '/correct', '/feeds', '/weekly', `/weekly/${AN_EDITION}`].includes(
    address!,
  )
    ? [200]
    : assert.fail(`${method} ${path}`);
}

/** A door with everything behind it, and somebody who asks. */
async function opened(t: TestContext) {
  const door = await aSignupServer(t, { catalogue, limits: 'off' }, { confirmationsAnHour: 1_000_000 });
  return { door, client: aClient(door.port) };
}

/** Asks them all; fails naming the first few that were answered otherwise than they deserve, or than the document says. */
async function allAnswered(
  t: TestContext,
  { door, client }: Awaited<ReturnType<typeof opened>>,
  cases: readonly Case[],
) {
  const wrong: string[] = [];
  const seen: Record<string, number> = {};
  await client.askAll(cases, (asked, answer) => {
    seen[answer.status] = (seen[answer.status] ?? 0) + 1;
    const problem = asked.deserves.includes(answer.status)
      ? (breach(asked, answer) ?? asked.problem?.(answer))
      : `it deserves ${asked.deserves}, says test/abuse/model.ts`;
    if (problem !== undefined)
      wrong.push(
        `${JSON.stringify(asked).slice(0, 400)} -> ${answer.status} ${answer.body.toString().slice(0, 200)}: ${problem}`,
      );
  });
  assert.equal(
    wrong.length,
    0,
    `${wrong.length} of ${cases.length} (seed ${SEED}):\n${wrong.slice(0, 8).join('\n')}`,
  );
  assert.deepEqual(
    door.warnings.filter((sentence) => sentence !== UNVOUCHED),
    [],
  );
  assertUnpolluted('a request');
  assert.equal((await client.ask({ path: '/api/health' })).status, 200);
  t.diagnostic(`${cases.length} cases, seed ${SEED}: ${JSON.stringify(seen)}`);
}

const asking = (path: string, method = 'GET'): Case => ({ path, method, deserves: deserved(path, method) });

test('every parameter accepts valid values and rejects invalid values', async (t) => {
  const service = await opened(t);
  const parameters = queryParameters();
  // of search, feeds and page; of counts, what changed, the page of feeds, a correction, their table and pictures; of the archive; two times rows, a width, two comparisons, a version, and a token for each link
  assert.equal(parameters.length, 4 * PARAMETER_NAMES.length + 7 * NARROWING.length + 2 * 3 + 12);
  const cases = parameters.flatMap(({ path, method, name }, i) => {
    const ofThatName = parameters.slice(0, i).filter((before) => before.name === name).length;
    const known = everyEighth(DICTIONARY, ofThatName); // another eighth of them on each path
    const made = sample(value, path === '/api/search' ? 350 : path.startsWith('/feed.') ? 100 : 20);
    return [...known, ...made].map((text) => asking(`${path}?${name}=${text}`, method));
  });
  await allAnswered(t, service, cases);
});

test('a valid query string gets an answer, and an invalid query string gets an error', async (t) => {
  const service = await opened(t);
  const name = fc.constantFrom(
    ...['q', 'category', 'neighborhood', 'status', 'limit', 'offset'],
    ...[
      'Q',
      'categry',
      'zebra',
      ...TRAPS,
      '__proto__[polluted]',
      'constructor.prototype.polluted',
      'q%5B%5D',
      'category%5B%5D',
      'status[]',
      '_',
      'utm_x',
      '%71',
      '',
    ],
  );
  const pair = fc.tuple(name, fc.option(value, { nil: undefined }));
  const query = fc.array(pair, { minLength: 2, maxLength: 4 });
  const paths = fc.constantFrom(
    ...['/api/search', '/api/search', '/api/search', '/feed.json', '/feed.xml', '/'],
    ...['/api/stats', '/api/stats.csv', '/chart.svg'],
  );
  const far = fc
    .tuple(
      fc.constantFrom('q=a&', 'category=restaurants&', ''),
      fc.nat(30),
      fc.integer({ min: 960, max: 1600 }),
    )
    .map(([filter, limit, offset]) => `/api/search?${filter}limit=${limit}&offset=${offset}`);
  const cases = [
    ...sample(fc.tuple(paths, query), 1800).map(([path, pairs]) =>
      asking(
        `${path}?${pairs.map(([key, text]) => (text === undefined ? key : `${key}=${text}`)).join('&')}`,
      ),
    ),
    ...sample(far, 300).map((path) => asking(path)),
  ];
  await allAnswered(t, service, cases);
});

type Field = { value: unknown; deserves: number };

/** A field with a value that it may have, with one that means nothing, or with one of another type. */
function field(
  sound: fc.Arbitrary<unknown>,
  unknown: fc.Arbitrary<unknown>,
  isOfType: (value: unknown) => boolean,
): fc.Arbitrary<Field> {
  const other = fc.jsonValue({ maxDepth: 2 }).filter((value) => !isOfType(value));
  const deserving = (values: fc.Arbitrary<unknown>, deserves: number) =>
    values.map((value) => ({ value, deserves }));
  return fc.oneof(
    { weight: 6, arbitrary: deserving(sound, 202) },
    { weight: 1, arbitrary: deserving(unknown, 422) },
    { weight: 1, arbitrary: deserving(other, 400) },
  );
}

const isText = (value: unknown) => typeof value === 'string';
const local = fc.string({ unit: fc.constantFrom(...'abcXYZ019+_-'), minLength: 1, maxLength: 12 });
const hostile = fc.constantFrom(...NASTY_TEXTS);
const chosen = (known: readonly string[]) =>
  field(
    fc.array(fc.constantFrom(...known), { maxLength: 3 }),
    hostile.filter((text) => !known.includes(text)).map((text) => [text]),
    Array.isArray,
  );
const signups = fc.record(
  {
    email: field(
      local.map((name) => `${name}@b.example`),
      hostile,
      isText,
    ),
    type: field(fc.constantFrom(...SIGNUP_TYPES), hostile, isText),
    categories: chosen(CATEGORIES),
    neighborhoods: chosen(KNOWN),
  },
  { requiredKeys: [] },
);

/** Only the weekly email can be narrowed. */
function deservedBy(fields: Partial<Record<string, Field>>): number {
  const { email, type, categories, neighborhoods } = fields;
  const each = Object.values(fields).map((one) => one!.deserves);
  if (email === undefined || type === undefined || each.includes(400)) return 400;
  const isNarrowed = [categories, neighborhoods].some((list) => (list?.value as unknown[])?.length > 0);
  return each.includes(422) || (isNarrowed && type.value !== 'weekly') ? 422 : 202;
}

test('a generated signup is accepted if all of its fields are valid, and else rejected', async (t) => {
  const cases = sample(signups, 1500).map((fields): Case => {
    const values = Object.entries(fields).map(([name, { value }]) => [name, value]);
    const body = JSON.stringify(Object.fromEntries(values));
    return {
      ...{ path: '/api/signup', method: 'POST', headers: JSON_TYPE, body },
      deserves: [deservedBy(fields)],
    };
  });
  await allAnswered(t, await opened(t), cases);
});

test('a signup with a hostile value is rejected with the reason', async (t) => {
  const service = await opened(t);
  const sound = { email: 'ann@b.example', type: 'weekly' };
  const wrong = NASTY_TEXTS.flatMap((text) => [
    ...[{ email: text }, { type: text }, { [text]: text }],
    ...[{ categories: [text] }, ...(KNOWN.includes(text) ? [] : [{ neighborhoods: [text] }])],
  ]);
  const bodies = [...wrong.map((one) => JSON.stringify({ ...sound, ...one })), ...BODIES];
  const posted = (path: string, type: string, body: string, deserves: readonly number[]): Case => {
    return { path, method: 'POST', headers: { 'Content-Type': type }, body, deserves };
  };
  const form = (email: string) => new URLSearchParams({ ...sound, email }).toString();
  await allAnswered(t, service, [
    ...bodies.map((body) => posted('/api/signup', 'application/json', body, [400, 422])),
    ...NASTY_TEXTS.map((text) => posted('/signup', 'application/x-www-form-urlencoded', form(text), [422])),
  ]);
});

/** What may change an answer: the form it has, and whether it is known already. Of a POST also where it is from and what it holds. */
const HEARD = ['Accept', 'Accept-Encoding', 'If-None-Match'];
const HEARD_WITH_A_BODY = [...HEARD, 'Host', 'Origin', 'Sec-Fetch-Site', 'Content-Type', 'Content-Encoding'];

/** Every kind of answer there is, each asked in the barest way. */
function everyKind(paths: readonly string[]): Asked[] {
  const page = { Accept: 'text/html' };
  const isAnother = (path: string) => !/^\/(mcp|api\/signup|problems\/(?!not-found))/.test(path);
  const pages = paths.filter(isAnother).map((path) => ({ path }));
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  return [
    ...pages,
    ...['/?q=a&offset=25', '/api/search?q=a&offset=25', '/feed.json?q=a', '/api/search?limit=x'].map(
      (path) => ({ path }),
    ),
    ...['/nowhere', '/mcp', '/confirm?token=x', '/unsubscribe?token=x'].map((path) => ({
      path,
      headers: page,
    })),
    ...['/api/nowhere', '/nowhere', '/%zz'].map((path) => ({ path })),
    { path: '/api/search', method: 'DELETE' },
    { path: '/', method: 'OPTIONS' },
    {
      path: '/api/signup',
      method: 'POST',
      headers: JSON_TYPE,
      body: '{"email":"ann@b.example","type":"weekly"}',
    },
    { path: '/api/signup', method: 'POST', headers: JSON_TYPE, body: '{}' },
    {
      ...{ path: '/mcp', method: 'POST', body: JSON.stringify(call) },
      headers: { ...JSON_TYPE, Accept: 'application/json, text/event-stream' },
    },
  ];
}

/** An answer as it must be every time: all of it but the moment and what is agreed about the connection. */
function lasting({ status, headers, body }: Answered): string {
  const { date: _, connection: _agreed, 'keep-alive': _kept, ...rest } = headers;
  return `${status} ${JSON.stringify(rest)} ${body}`;
}

test('Host, Forwarded and similar headers never appear in a response, and do not change it', async (t) => {
  const service = await opened(t);
  for (const visitor of ['203.0.113.8', '203.0.113.9'])
    await service.client.ask({ path: '/', headers: { 'X-Forwarded-For': visitor } }); // health tells the operator
  const bare = new Map<Asked, string>();
  const kinds = everyKind(service.door.paths);
  await service.client.askAll(kinds, (asked, answer) => bare.set(asked, lasting(answer)));
  assert.equal(bare.size, kinds.length);
  const cases = kinds.flatMap((kind, i) => {
    const heard = kind.body === undefined ? HEARD : HEARD_WITH_A_BODY;
    const claiming = (name: string, value: string) => ({
      ...{ ...kind, kind },
      headers: Object.fromEntries([...Object.entries(kind.headers ?? {}), [name, value]]),
    });
    const claims = Object.entries(CLAIMS).flatMap(([value, names]) =>
      names.filter((name) => !heard.includes(name)).map((name) => claiming(name, value)),
    );
    return everyEighth(claims, i);
  });
  const changed: string[] = [];
  await service.client.askAll(cases, ({ kind, ...asked }, answer) => {
    if (lasting(answer) !== bare.get(kind))
      changed.push(`${JSON.stringify(asked)}: ${lasting(answer).slice(0, 300)}`);
  });
  assert.equal(changed.length, 0, `${changed.length} of ${cases.length}:\n${changed.slice(0, 8).join('\n')}`);
  t.diagnostic(`${cases.length} cases of ${kinds.length} kinds`);
});

test('valid MCP calls get an answer, and invalid MCP calls get an error', async (t) => {
  const service = await opened(t);
  const headers = { ...JSON_TYPE, Accept: 'application/json, text/event-stream' };
  const sound = sample(calls, 500).map((call): Case => {
    const problem = (answer: Answered) => misserved(call, answer);
    return { path: '/mcp', method: 'POST', headers, body: call.text, deserves: [200], problem };
  });
  const none = sample(messages, 500).map(
    (body): Case => ({ path: '/mcp', method: 'POST', headers, body, deserves: [200, 202, 400] }),
  );
  await allAnswered(t, service, [...sound, ...none]);
});

test('only existing paths are served', async (t) => {
  const service = await opened(t);
  const piece = fc.oneof(
    fc.constantFrom(...service.door.paths, ...DICTIONARY.map((text) => text.replaceAll('/', '%2F'))),
    fc.constantFrom(
      '/',
      '//',
      '/.',
      '/..',
      '/%2e%2e',
      '\\',
      ';',
      '/api',
      '/problems/',
      '%2F',
      '.json',
      '/search',
    ),
    fc.string({ unit: 'grapheme', maxLength: 10 }).map(encoded),
  );
  const paths = fc
    .array(piece, { minLength: 1, maxLength: 4 })
    .map((parts) => `/${parts.join('')}`.replace(/^\/\//, '/'));
  const misspelled = service.door.paths
    .filter((path) => path !== '/')
    .flatMap((path) => [
      ...[path.toUpperCase(), `${path}/`, `/${path}`, `/.${path}`, `${path}.json`],
      ...[`/${path.slice(1).replaceAll('/', '%2F')}/..`, path.replace(/(?!^)\//g, '%2F'), `${path}%00`],
    ])
    .filter((path) => !service.door.paths.includes(path));
  const cases = [...misspelled, `/weekly/${'1'.repeat(101)}`, ...sample(paths, 600)].map((path): Case => {
    const isThere = (at: string) => service.door.paths.includes(at) && !['/mcp', '/api/signup'].includes(at);
    const isBroken = spelled(path) === undefined;
    const deserves = path.length > 2048 ? [400, 414] : isBroken ? [400] : isThere(path) ? [200, 404] : [404];
    return { path, deserves: path === '/mcp' || path === '/api/signup' ? [405] : deserves };
  });
  await allAnswered(t, service, cases);
});

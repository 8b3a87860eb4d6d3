/** The most expensive input: the worst possible queries, and text that makes a careless regular expression slow. */

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { random } from '../../cities/sample/random.ts';
import { kindOfType } from '../../src/register/profile/categories/kind-of-type.ts';
import { DAY_FORMATS, dayAt, parseDay } from '../../src/register/profile/parse-day.ts';
import { looksPersonal } from '../../src/register/profile/people/personal-names.ts';
import { tidyName } from '../../src/register/profile/people/tidy-name.ts';
import { parseSearchQuery } from '../../src/service/search/query.ts';
import { parseQuery, splitIndexWords } from '../../src/service/search/words/query-terms.ts';
import { parseAddress } from '../../src/service/subscribers/address.ts';
import { normalizeName, normalizeText } from '../../src/shared/words.ts';
import { cpuMsOf, cpuMsUntil } from '../cpu.ts';
import { rounds, seedFrom } from '../depth.ts';
import { catalogueOf } from '../service/search/made-up.ts';
import { aDoor } from '../service/web/a-door.ts';
import { aClient } from './a-client.ts';
import { KINDS, QUARTERS, townRows } from './a-town.ts';

const QUESTIONS = rounds(500);
const MOST_BUILDS = 2; // of the whole catalogue: no question costs as much
const ATTACK = 50_000;
const CONTROL = 20_000;

/** Questions of 8 and of as many words as fit, all of them beginnings, under every filter there is, at the last page. */
function worstQuestions(): string[] {
  const next = random(seedFrom(20_261_121));
  const letter = () => String.fromCharCode(97 + Math.floor(next() * 26));
  const letters = (count: number) => Array.from({ length: count }, letter).join(' ');
  const filters = [
    '',
    KINDS.map((kind) => `&category=${encodeURIComponent(kind)}`).join(''),
    QUARTERS.map((quarter) => `&neighborhood=${encodeURIComponent(quarter)}`).join(''),
    '&status=open&status=expired&status=closed&status=unknown&status=abandoned',
    Array.from({ length: 60 }, (_, i) => `&category=no+such+kind+${i}`).join(''),
  ];
  return Array.from({ length: QUESTIONS }, (_, i) => {
    const words = [
      `${letter()} `.repeat(100),
      letters(100),
      letters(50),
      `${letters(7)} ${letter()}`,
      letter(),
    ][i % 5]!;
    const path = i % 10 === 9 ? '/?' : i % 10 === 4 ? '/feed.json?' : '/api/search?limit=25&offset=975&';
    return `${path}q=${encodeURIComponent(words.slice(0, 199).trim())}${filters[Math.floor(i / 5) % 5]}`;
  });
}

test(`each of the ${QUESTIONS} worst queries of a town of 20,000 is answered at once, and no other request waits`, async (t) => {
  const rows = townRows();
  const catalogue = catalogueOf(rows);
  const mostMs = MOST_BUILDS * cpuMsOf(() => catalogueOf(rows));
  const door = await aDoor(t, { catalogue, limits: 'off' });
  const client = aClient(door.port, 1);
  await client.ask({ path: '/api/search' });
  const times: number[] = [];
  for (const path of worstQuestions()) {
    let status = 0;
    const ms = await cpuMsUntil(async () => {
      ({ status } = await client.ask({ path }));
    });
    times.push(ms);
    assert.ok([200, 400].includes(status), `${status} ${path}`);
    assert.ok(ms <= mostMs, `${ms.toFixed(0)} ms of CPU, and others wait for so long: ${path}`);
  }
  t.diagnostic(`the dearest ${Math.max(...times).toFixed(1)} ms of CPU, of ${mostMs.toFixed(0)} ms at most`);
});

/** Patterns that are slow on purpose-made text, and are given none: what only the operator writes. */
const OPERATORS: Record<string, string> = {
  '^(?:"?([^"<>]*?)"?\\s*<([^<>]+)>|([^<>]+))$': 'src/config.ts: MAIL_FROM',
  '\\/+$': 'src/config.ts, src/register/readers: PUBLIC_URL, and the place of a source',
};

/** Every pattern that is written in the source, by its text. */
function patterns(): Map<string, RegExp> {
  const found = new Map<string, RegExp>();
  const literal =
    /(?<=[=(,:!&|?[\s])\/((?:[^/\n\\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)(?=[\s.,;)\]:])/g;
  const sources = globSync(`${fileURLToPath(new URL('../../src', import.meta.url))}/**/*.ts`);
  for (const [, text = '', flags = ''] of sources.flatMap((file) => [
    ...readFileSync(file, 'utf8').matchAll(literal),
  ])) {
    try {
      found.set(text, new RegExp(text, flags.replace('y', '')));
    } catch {
      // a comment, or what is between two divisions
    }
  }
  return found;
}

const REPEATED = [
  ...['a', '0', ' ', '-', '.', ':', ',', '"', '\\', '/', '\n'],
  ...['[', '%', '=', '@', '&', "'", '<', '_', 'é', '\t'],
  ...['1.', 'a ', 'a.', 'a-', '0:', '"a', '( ', ' ,', '1/'],
];
const AROUND = [
  ...[
    ['', ''],
    ['', '!'],
    ['', '\0'],
    ['[', '!'],
    ['a', ' b'],
    ['"', '!'],
  ],
] as const;
const attacks = (length: number) =>
  REPEATED.flatMap((part) =>
    AROUND.map(([before, after]) => before + part.repeat(length / part.length) + after),
  );

/** Half of the CPU of a pattern that tries each of 20,000 characters with all that follow it. */
const measureControl = () => cpuMsOf(() => /a*b/.test('a'.repeat(CONTROL))) / 2;
let tooMuchMs = measureControl();

/** Returns whether this is too much CPU, also beside the control at the same time: a busy machine may have slowed both. */
function isTooMuch(ms: number): boolean {
  if (ms > tooMuchMs) tooMuchMs = Math.max(tooMuchMs, measureControl());
  return ms > tooMuchMs;
}

const STAGES = [24, 1000, ATTACK / 6].map((length) => attacks(Math.floor(length)));
const WHOLE = attacks(ATTACK);

/** The most CPU that any of the texts takes, told as soon as it is too much; what looks slow when short is tried at full length. */
function slowest(work: (text: string) => unknown): number {
  const costOf = (text: string) => cpuMsOf(() => work(text));
  const leastOf = (text: string) => Math.min(costOf(text), costOf(text)); // garbage may have been collected amid one
  let suspects: { i: number; ms: number }[] = [];
  for (const texts of STAGES) {
    const costs = texts.map((text, i) => ({ i, text, ms: costOf(text) }));
    suspects = costs.filter(({ ms }) => ms > 2).toSorted((a, b) => b.ms - a.ms);
    const slow = costs.find(({ text, ms }) => isTooMuch(ms) && isTooMuch(leastOf(text)));
    if (slow !== undefined) return slow.ms;
  }
  return Math.max(0, ...suspects.slice(0, 3).map(({ i }) => leastOf(WHOLE[i]!)));
}

test('no regular expression in the source is slow on 50 KB of text made to slow it down', (t) => {
  const all = patterns();
  assert.ok(all.size >= 180, `${all.size} were found`);
  for (const [text, where] of Object.entries(OPERATORS)) assert.ok(all.delete(text), `gone: ${where}`);
  const slow = [...all].flatMap(([text, pattern]) => {
    const ms = slowest((attack) => (pattern.global ? attack.replace(pattern, '') : pattern.test(attack)));
    return isTooMuch(ms) ? [`${ms.toFixed(0)} ms: ${text}`] : [];
  });
  t.diagnostic(`${all.size} patterns`);
  assert.deepEqual(slow, []);
});

test('no parser of dates, names, addresses or queries is slow on text made to slow it down', (t) => {
  const readers: Record<string, (text: string) => unknown> = {
    ...Object.fromEntries(
      DAY_FORMATS.map((format) => [`a day as ${format}`, (text: string) => parseDay(text, format)]),
    ),
    'a moment': (text) => dayAt(text, 'America/New_York'),
    'a name, tidied': tidyName,
    'a name, perhaps of a person': (text: string) => looksPersonal(text),
    'an official type': kindOfType,
    'a day with a pivot': (text: string) => parseDay(text, 'M/D/YY', { pivot: 2029 }),
    'a name, in words': normalizeName,
    'words to find': splitIndexWords,
    'words that are looked for': parseQuery,
    'a value': normalizeText,
    'an address': parseAddress,
    'a question': (text) => parseSearchQuery(`q=${text}`),
  };
  const times = Object.entries(readers).map(([what, read]) => {
    const ms = slowest((text) => {
      try {
        read(text);
      } catch {
        // refused, which is an answer
      }
    });
    return [what, Math.round(ms)] as const;
  });
  t.diagnostic(times.map(([what, ms]) => `${what} ${ms} ms`).join(', '));
  for (const [what, ms] of times)
    assert.ok(!isTooMuch(ms), `${what}: ${ms} ms, of ${tooMuchMs.toFixed(0)} at most`);
});

/** What is made to cost most: the worst questions one can ask, and text that would send a careless pattern round in circles. */

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { random } from '../../cities/sample/random.ts';
import { DAY_FORMATS, dayAt, parseDay } from '../../src/city/days.ts';
import { tidyName } from '../../src/city/names.ts';
import { looksPersonal } from '../../src/city/persons.ts';
import { parseQuestion } from '../../src/http/parameters.ts';
import { indexWords, nameWords, queryTerms, sameText } from '../../src/listings/words.ts';
import { parseAddress } from '../../src/mailing/address.ts';
import { aDoor } from '../api/a-door.ts';
import { catalogueOf } from '../catalogue/made-up.ts';
import { aClient } from './a-client.ts';
import { KINDS, QUARTERS, townRows } from './a-town.ts';

const QUESTIONS = 500;
const GUARD_MS = 10 * 50; // 50 ms is the promise; what busy machines add is not ours
const MOST_BUILDS = 10; // they cost as much as two
const ATTACK = 50_000;
const PATTERN_GUARD_MS = 10 * 5;

/** Questions of 8 and of as many words as fit, all of them beginnings, under every filter there is, at the last page. */
function worstQuestions(): string[] {
  const next = random(20_261_121);
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

test(`each of ${QUESTIONS} worst questions over a town of 20,000 is answered at once, and nobody else waits`, {
  timeout: 60_000,
}, async (t) => {
  const door = await aDoor(t, { catalogue: catalogueOf(townRows()), limits: 'off' });
  const client = aClient(door.port, 1);
  await client.ask({ path: '/api/search' });
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const times: number[] = [];
  for (const path of worstQuestions()) {
    const start = performance.now();
    const { status } = await client.ask({ path });
    const ms = performance.now() - start;
    times.push(ms);
    assert.ok([200, 400].includes(status), `${status} ${path}`);
    assert.ok(ms <= GUARD_MS, `${ms.toFixed(0)} ms: ${path}`);
  }
  delay.disable();
  const p99 = delay.percentile(99) / 1e6;
  t.diagnostic(
    `slowest ${Math.max(...times).toFixed(1)} ms, delay of the event loop p99 ${p99.toFixed(1)} ms`,
  );
  assert.ok(p99 <= GUARD_MS, `the event loop is late by ${p99.toFixed(0)} ms`);
});

test(`all of these questions together cost no more than building the catalogue ${MOST_BUILDS} times`, (t) => {
  const rows = townRows();
  const catalogue = catalogueOf(rows);
  const asked = worstQuestions()
    .map((path) => parseQuestion(path.split('?')[1]!))
    .filter(({ faults }) => faults.length === 0);
  assert.ok(asked.length > QUESTIONS / 2);
  const buildMs = cpuMsOf(() => catalogueOf(rows));
  const answerMs = cpuMsOf(() => {
    for (const { question } of asked) {
      catalogue.search(question);
      catalogue.facets(question);
    }
  });
  t.diagnostic(`${answerMs.toFixed(0)} ms of CPU for ${asked.length}, ${buildMs.toFixed(0)} for a build`);
  assert.ok(answerMs <= MOST_BUILDS * buildMs, `as much as ${(answerMs / buildMs).toFixed(1)} builds`);
});

/** What this process has worked meanwhile, which no other one adds to. */
function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Patterns that are slow on purpose-made text, and are given none: what only the operator writes. */
const OPERATORS: Record<string, string> = {
  '\\/\\/[^@\\s]*@': 'src/cli/move.ts: the address of a database, on its own command line',
  '^(?:"?([^"<>]*?)"?\\s*<([^<>]+)>|([^<>]+))$': 'src/config.ts: MAIL_FROM',
  '\\/+$': 'src/config.ts, src/filings: PUBLIC_URL, and the place of a source',
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
  ...[
    'a',
    '0',
    ' ',
    '-',
    '.',
    ':',
    ',',
    '"',
    '\\',
    '/',
    '\n',
    '[',
    '%',
    '=',
    '@',
    '&',
    "'",
    '<',
    '_',
    'é',
    '\t',
  ],
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

function msOf(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

const STAGES = [24, 1000, ATTACK / 6].map((length) => attacks(Math.floor(length)));
const WHOLE = attacks(ATTACK);

/** The longest that any of the texts takes, told as soon as it is too long; what looks slow when short is tried at full length. */
function slowest(work: (text: string) => unknown): number {
  const msOfBoth = (text: string) =>
    Math.min(
      msOf(() => work(text)),
      msOf(() => work(text)),
    ); // one may have been disturbed
  let suspects: number[] = [];
  for (const texts of STAGES) {
    const times = texts.map((text, i) => ({ i, text, ms: msOf(() => work(text)) }));
    suspects = times.filter(({ ms }) => ms > 2).map(({ i }) => i);
    const slow = times.find(({ text, ms }) => ms > PATTERN_GUARD_MS && msOfBoth(text) > PATTERN_GUARD_MS);
    if (slow !== undefined) return slow.ms;
  }
  return Math.max(0, ...suspects.slice(0, 3).map((i) => msOfBoth(WHOLE[i]!)));
}

test('no pattern in the source is slow on 50 KB of text that was made to slow it down', {
  timeout: 60_000,
}, (t) => {
  const all = patterns();
  assert.ok(all.size >= 180, `${all.size} were found`);
  for (const [text, where] of Object.entries(OPERATORS)) assert.ok(all.delete(text), `gone: ${where}`);
  const slow = [...all].flatMap(([text, pattern]) => {
    const ms = slowest((attack) => (pattern.global ? attack.replace(pattern, '') : pattern.test(attack)));
    return ms > PATTERN_GUARD_MS ? [`${ms.toFixed(0)} ms: ${text}`] : [];
  });
  t.diagnostic(`${all.size} patterns`);
  assert.deepEqual(slow, []);
});

test('nor is anything that reads a day, a name, an address or a question', { timeout: 60_000 }, (t) => {
  const readers: Record<string, (text: string) => unknown> = {
    ...Object.fromEntries(
      DAY_FORMATS.map((format) => [`a day as ${format}`, (text: string) => parseDay(text, format)]),
    ),
    'a moment': (text) => dayAt(text, 'America/New_York'),
    'a name, tidied': tidyName,
    'a name, perhaps of a person': looksPersonal,
    'a name, in words': nameWords,
    'words to find': indexWords,
    'words that are looked for': queryTerms,
    'a value': sameText,
    'an address': parseAddress,
    'a question': (text) => parseQuestion(`q=${text}`),
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
  for (const [what, ms] of times) assert.ok(ms <= PATTERN_GUARD_MS, `${what}: ${ms} ms`);
});

/** What comes to a return path is judged: real-world reports, mutated ones, and ones that somebody made up. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { random } from '../../../../cities/sample/random.ts';
import {
  judgeRecipients,
  MOST_REPORT_BYTES,
  splitParts,
} from '../../../../src/service/mail/bounces/delivery-report.ts';
import { makeReturnPath, readReturnPath } from '../../../../src/service/mail/bounces/return-path.ts';
import { rounds, seedFrom } from '../../../depth.ts';
import { aBouncingList, BOUNCES } from './a-bouncing-list.ts';
import { type About, eximText, reportFailure, SHAPES } from './a-report.ts';

const MUTATED = rounds(1_000);

test('reports and automatic replies are judged correctly, and a repeated report changes nothing', async (t) => {
  const shapes = Object.entries(SHAPES);
  assert.ok(shapes.length >= 30);
  const { people, handle, stopped } = await aBouncingList(shapes.length);
  const expected: string[] = [];
  for (const [i, [name, { verdict, raw }]] of shapes.entries()) {
    const about = people[i]!;
    assert.equal(await handle(raw(about)), verdict, name);
    if (verdict === 'stopped') expected.push(about.address);
    const isFailure = verdict === 'stopped' || verdict === 'temporary';
    for (let again = 0; again < 5; again++)
      assert.equal(await handle(raw(about)), isFailure ? 'repeated' : verdict, `${name}, again`);
    assert.deepEqual(await stopped(), expected, name);
  }
  t.diagnostic(`${shapes.length} shapes, ${expected.length} of them stop an address`);
});

test('a full mailbox, a message that is too large, or a refusal of our server does not count as a missing address', () => {
  const judge = (status: string) => {
    const recipient = { action: 'failed', status, diagnostic: '', addresses: ['ann@b.example'] };
    return judgeRecipients([recipient], 'ann@b.example').is;
  };
  for (const status of '5.1.1 5.1.2 5.1.3 5.1.6 5.1.10 5.2.1 5.4.1 5.4.4 5.5.0'.split(' '))
    assert.equal(judge(status), 'permanent', status);
  const others = '4.1.1 5.0.0 5.1.7 5.1.8 5.2.2 5.2.3 5.3.4 5.4.7 5.4.316 5.5.1 5.6.0 5.7.26';
  for (const status of others.split(' ')) assert.equal(judge(status), 'temporary', status);
});

test('a text of Exim stops an address only if it is from <>, to the return path, and about no other address', async () => {
  const gone = '550 5.1.1 <{address}>: User unknown';
  type Raw = (about: About) => string;
  const said =
    (...lines: string[]): Raw =>
    (about) =>
      eximText(about, lines);
  const changed =
    (from: RegExp, to: string): Raw =>
    (about) =>
      eximText(about).replace(from, to);
  const cases: [verdict: string, raw: Raw][] = [
    ['stopped', said(gone)],
    ['stopped', said('SMTP error from remote mail server after RCPT TO:<{address}>: 550-5.1.10 gone')],
    ['stopped', said('550-5.1.1 The account does not exist.', '550 5.1.1 See https://b.example')],
    ['stopped', (about) => eximText(about).replaceAll('\r\n', '\n')],
    ['stopped', (about) => reportOwn(about, '5.1.1 no such user here')],
    ['temporary', (about) => reportOwn(about, 'Unrouteable address')],
    ['not-a-report', said('Unrouteable address')],
    ['not-a-report', said('550 No such user')],
    ['not-a-report', said('450 4.1.1 try again')],
    ['not-a-report', said('450 4.2.1 try again', gone)],
    ['not-a-report', said('550 5.7.1 no spam, like 5.1.1')],
    ['not-a-report', said('host 5.1.1.7 is away')],
    ['unclear', said('550 5.1.8 <news@openings.example>: bad sender')],
    ['not-a-report', changed(/^Return-path: .*\r\n/, '')],
    ['not-a-report', changed(/^Return-path: <>/, 'Return-path: <ann@b.example>')],
    ['not-a-report', changed(/^/, 'Return-path: <ann@b.example>\r\n')],
    ['not-a-report', changed(/X-Failed-Recipients: .*\r\n/, '')],
    ['unclear', changed(/X-Failed-Recipients: .*/, 'X-Failed-Recipients: bo@b.example')],
    ['unclear', changed(/(X-Failed-Recipients: .*)/, '$1, bo@b.example')],
    ['not-a-report', changed(/(X-Failed-Recipients: .*)/, '$1\r\nX-Failed-Recipients: bo@b.example')],
    ['not-a-report', changed(/^Return/, 'Content-Type: text/html\r\nReturn')],
    ['unknown', (about) => eximText(about).replaceAll(about.returnPath, 'bounces@openings.example')],
    ['unknown', (about) => eximText(about).replaceAll(/[0-9a-z](?=@openings)/g, '~')],
  ];
  const { people, handle, stopped } = await aBouncingList(cases.length);
  const expected: string[] = [];
  for (const [i, [verdict, raw]] of cases.entries()) {
    const about = people[i]!;
    assert.equal(await handle(raw(about)), verdict, raw(about));
    if (verdict === 'stopped') expected.push(about.address);
  }
  assert.deepEqual(await stopped(), expected.toSorted());
});

/** A report of Exim 4.96 about an address that it refused itself: without a code but in its text. */
function reportOwn(about: About, why: string): string {
  const [head, ...rest] = reportFailure(about, '5.0.0').split('Auto-Submitted');
  const report = `${head}X-Failed-Recipients: ${about.address}\r\nAuto-Submitted${rest.join('Auto-Submitted')}`;
  return report.replace(/Your message could not .*/, `  ${about.address}\r\n    ${why}`);
}

/** Lines that say what failed: without them changed, nothing becomes a failure that was none. */
const FIELD =
  /^(?:action|status|diagnostic-code|final-recipient|original-recipient|content-type)\s*:|^\s|report-type/i;

type Random = () => number;
type Lines = string[];

const pick = (lines: Lines, random: Random): number => Math.floor(random() * lines.length);
const put = (lines: Lines, at: number, line: string): Lines => lines.with(at, line);

const MUTATIONS: ((lines: Lines, at: number, random: Random) => Lines)[] = [
  (lines, at) => lines.toSpliced(at, 1),
  (lines, at) => lines.toSpliced(at, 0, lines[at]!),
  (lines, at, random) => put(lines, at, lines[at]!.slice(0, pick([...lines[at]!], random))),
  (lines, at) => put(lines, at, lines[at]!.toUpperCase()),
  (lines, at) => put(lines, at, ` ${lines[at]}`),
  (lines, at, random) => put(lines, at, flipped(lines[at]!, random)),
  (lines, at) => put(lines, at, `${lines[at]}\0\u00ff`),
  (lines, at) => lines.toSpliced(at, 0, ''),
  (lines, at) => lines.toSpliced(at, 0, 'x'.repeat(2_000)),
  (lines, at) => lines.slice(0, at),
  (lines, at) => lines.toSpliced(at, 0, '--=_boundary_1', 'Content-Type: message/rfc822', ''),
];

function flipped(line: string, random: Random): string {
  if (line === '') return line;
  const at = Math.floor(random() * line.length);
  const code = line.charCodeAt(at) ^ (1 << Math.floor(random() * 7));
  return line.slice(0, at) + String.fromCharCode(code) + line.slice(at + 1);
}

/** One to six mutations. With `keepsFields`, lines that say what failed stay as they are, where they are. */
function mutate(
  raw: string,
  random: Random,
  { keepsFields }: { keepsFields: boolean },
): { text: string; bytes: Buffer } {
  let lines = raw.split('\r\n');
  for (let left = 1 + Math.floor(random() * 6); left > 0 && lines.length > 0; left--) {
    const at = pick(lines, random);
    if (keepsFields && FIELD.test(lines[at]!)) continue;
    lines = MUTATIONS[pick(MUTATIONS.map(String), random)]!(lines, at, random);
  }
  const text = lines.join('\r\n');
  return { text, bytes: Buffer.from(text, 'latin1') };
}

test('altered messages are read quickly, and stop no subscriber by mistake', async (t) => {
  const shapes = Object.values(SHAPES);
  const { people, handle, stopped } = await aBouncingList(MUTATED);
  const counts: Record<string, number> = {};
  const wrong: string[] = [];
  const expected: string[] = [];
  for (let seed = 1; seed <= MUTATED; seed++) {
    const about = people[seed - 1]!;
    const next = random(seedFrom(seed));
    const { verdict, raw } = shapes[Math.floor(next() * shapes.length)]!;
    const isHarmless = verdict !== 'stopped';
    const { text, bytes } = mutate(raw(about), next, { keepsFields: isHarmless });
    const judged = await handle(bytes);
    counts[judged] = (counts[judged] ?? 0) + 1;
    if (judged !== 'stopped') continue;
    expected.push(about.address);
    const said = text.toLowerCase();
    const saysSo = said.includes(about.returnPath) && /failed/.test(said) && /5\.\d+\.\d/.test(said);
    if (isHarmless || !(saysSo || said.includes('base64'))) wrong.push(`seed ${seedFrom(seed)}: ${text}`);
  }
  assert.deepEqual(await stopped(), expected.toSorted(), 'the one whose return path it was, and nobody else');
  assert.deepEqual(wrong, []);
  assert.ok(
    Math.min(counts.stopped!, counts['not-a-report']!) > MUTATED / 20,
    'mutations leave something to judge',
  );
  t.diagnostic(JSON.stringify(counts));
});

test('a forged report stops no subscriber, because a valid return path needs the key', async (t) => {
  const { people, handle, stopped, store } = await aBouncingList(3);
  const [ann, bo] = people as [About, About];
  const token = readReturnPath(BOUNCES, ann.returnPath)!;
  const [victim] = (await store.subscribers.all()).filter(({ address }) => address === ann.address);
  const told = { message: token.message, subscriber: victim!.subscriber, type: 'weekly' } as const;
  const forged = [
    makeReturnPath(BOUNCES, '00'.repeat(32), told),
    'bounces@openings.example',
    `bounces+${'0'.repeat(41)}@openings.example`,
    `bounces+${'z'.repeat(41)}@openings.example`,
    `bounces+${token.message}@openings.example`,
    ann.returnPath.replace('bounces+', 'bounces-'),
    ann.returnPath.replace('openings.example', 'elsewhere.example'),
    `"${ann.returnPath}" <bounces@openings.example>`,
  ];
  for (let i = 8; i < 49; i++)
    for (const digit of '0a') {
      const changed = ann.returnPath.slice(0, i) + digit + ann.returnPath.slice(i + 1);
      if (changed !== ann.returnPath) forged.push(changed);
    }
  t.diagnostic(`${forged.length} made-up return paths`);
  for (const returnPath of forged)
    assert.equal(await handle(reportFailure({ address: ann.address, returnPath })), 'unknown', returnPath);
  assert.equal(
    await handle(reportFailure({ address: ann.address, returnPath: bo.returnPath })),
    'temporary',
    'the return path of somebody else does not speak for Ann',
  );
  assert.deepEqual(await stopped(), []);
  assert.equal(await handle(reportFailure({ ...ann, returnPath: ann.returnPath.toUpperCase() })), 'stopped');
  assert.deepEqual(await stopped(), [ann.address]);
});

test('a return path always fits into RFC 5321, and contains nothing about the person', () => {
  const longest = { local: 'b'.repeat(22), domain: 'openings.example' };
  for (const message of ['0'.repeat(32), 'f'.repeat(32)]) {
    const owner = { message, subscriber: 'a'.repeat(32), type: 'pro-waitlist' } as const;
    const path = makeReturnPath(longest, 'ab'.repeat(32), owner);
    assert.match(path, /^b{22}\+[0-9a-z]{41}@openings\.example$/);
    assert.equal(path.indexOf('@'), 64);
    assert.equal(readReturnPath(longest, path.toUpperCase())?.message, message);
  }
});

test('a message that is too large or too deep is not judged', async () => {
  const { people, handle, stopped } = await aBouncingList(1);
  const [ann] = people as [About];
  const large = reportFailure(ann) + 'x'.repeat(MOST_REPORT_BYTES);
  assert.equal(await handle(large), 'too-large');
  let deep = reportFailure(ann);
  for (let level = 1; level <= 30; level++) {
    const head = `Content-Type: multipart/mixed; boundary="b${level}"`;
    deep = `${head}\r\n\r\n--b${level}\r\n${deep}\r\n--b${level}--`;
  }
  assert.equal(await handle(`To: ${ann.returnPath}\r\n${deep}`), 'not-a-report');
  const headers = `X: ${'x'.repeat(200_000)}\r\n`;
  assert.equal(await handle(headers + reportFailure(ann)), 'unreadable');
  for (const raw of ['', '\r\n', '\0', 'From ', 'From nobody'])
    assert.equal(await handle(raw), 'not-a-report', JSON.stringify(raw));
  assert.deepEqual(await stopped(), []);
});

test('at most twenty parts of a message are read, each between lines of its boundary', () => {
  const body = '--bc\r\n--b\r\none\r\n--b \t\r\r\n\n--b--x\n --b\n--b--\r\n--b\r\nafter';
  assert.deepEqual(splitParts(body, 'b'), ['one\r\n', '\n--b--x\n --b\n']);
  assert.deepEqual(splitParts('--b\n1\n--b\ncut off', 'b'), ['1\n', 'cut off']);
  assert.deepEqual(splitParts('no parts', 'b'), []);
  assert.equal(splitParts('--b\n'.repeat(20), 'b').length, 20);
  assert.equal(splitParts(`${'--b\n'.repeat(20)}--b--`, 'b').length, 20);
  assert.throws(() => splitParts('--b\n'.repeat(21), 'b'), /too many parts/);
});

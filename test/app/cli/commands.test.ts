/** The command line for a new user: exit codes, JSON as the last line, readable errors. */

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commandLine } from '../../../src/app/cli/cli.ts';
import { EXIT } from '../../../src/app/exit-codes.ts';
import COMMANDS from '../../../src/data/commands.json' with { type: 'json' };
import { CHOSEN_ROLES } from '../../../src/register/survey/role-choices.ts';
import { MOST_INTRODUCTION } from '../../../src/shared/edition/introduction.ts';
import { STATUSES } from '../../../src/shared/listing.ts';
import { SIGNUP_TYPES } from '../../../src/shared/signup/signups.ts';
import { aCity, businesses, csvText } from '../../a-city.ts';
import { command, commandsOf } from '../../a-command.ts';
import { lastJson, running, shingle, shingleReading } from '../../a-process.ts';
import { aMappedCity } from './a-mapped-city.ts';

test('the help of a command names the values and limits of the code', () => {
  const help = JSON.stringify(COMMANDS);
  const lists = [CHOSEN_ROLES, STATUSES, SIGNUP_TYPES].map((values) => values.join(', '));
  for (const part of [...lists, `up to ${MOST_INTRODUCTION} characters`, `exit code ${EXIT.held} if`])
    assert.ok(help.includes(part), part);
});

test('ingest reports all runs in one JSON value, and the exit code shows the result', async () => {
  const city = aCity();
  const shingle = commandsOf(city);
  const ingest = async (...args: string[]) => {
    const ended = await shingle('ingest', ...args, '--json');
    const { run, state, baseline, read, added, detail } = lastJson(ended).runs[0]!;
    return [ended.code, run, state, baseline, read, added, detail];
  };
  assert.deepEqual(await ingest('--from', city.csv(100)), [0, 1, 'kept', true, 100, 100, null]);
  const held = await shingle('ingest', '--from', city.csv(50));
  assert.equal(held.code, 3);
  assert.match(held.out, /run 2: .* held\n.*fewer than 90 %/);
  const failed = await ingest('--from', city.file('c.csv', 'A,B\n1,2\n'));
  assert.deepEqual(failed.slice(0, 3), [1, 3, 'failed']);
  assert.deepEqual((await ingest('--accept', '2')).slice(0, 3), [0, 2, 'kept']);
  const again = await shingle('ingest', '--accept', '2');
  assert.equal(again.code, 1);
  assert.match(again.err, /is kept, not held/);
  const { runs } = lastJson(await shingle('runs', '--json'));
  assert.equal(String(runs.map(({ run, state }) => `${run} ${state}`)), '3 failed,2 kept,1 kept');
  assert.match((await shingle('runs', 'show', '2')).out, /50 rows = 50 openings/);
});

test('no escape sequence in a file or in its name reaches a terminal', async () => {
  const city = aCity();
  const from = city.file('a\u001b[2J\u009b2J\u007f.csv', csvText(businesses(40)));
  const odd = city.file('b.csv', '"NAM\u001b[2J\u202e\u2028\n{}",ID\n1,2\n');
  let said = '';
  for (const args of [
    ...['check', 'ingest'].flatMap((name) => [from, odd].map((file) => [name, '--from', file])),
    ...[['runs'], ['runs', 'show', '1'], ['runs', 'show', '2'], ['status']],
  ])
    said += Object.values(await commandsOf(city)(...args)).join('');
  assert.match(said, /a\\u001b\[2J\\u009b2J\\u007f\.csv/);
  assert.match(said, /column .*NAM/);
  assert.doesNotMatch(said, /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2028\u2029]/);
});

test('check stores nothing, and reports the share of placed businesses', async () => {
  const city = aCity();
  const none = join(city.folder, 'none');
  const from = city.csv([...businesses(301), { id: 'x', area: '' }]);
  const check = commandsOf(city, { SHINGLE_DATA: none });
  const checked = await check('check', '--from', from, '--json', '--now', '2026-11-21T03:00:00Z');
  assert.equal(checked.code, 0, checked.err);
  assert.deepEqual(lastJson(checked).runs[0]?.coverage, { category: 1, neighborhood: 0.9967 });
  assert.ok(!existsSync(none), 'there is not even a folder');
});

/** With one of these, each exit code is that of a process. */
const APART = ['ingest', 'status', 'restore', 'move'];

test('every command ends with its exit code', async () => {
  const city = aCity();
  const file = city.csv(40);
  const env = { ...city.env, MAIL_BOUNCES: 'bounces@rivermouth.example' };
  const refused = { ...env, PORT: '0', TRUST_PROXY: 'true' };
  const wanted: [args: string[], code: number, said: RegExp, env?: Record<string, string>][] = [
    [['ingest', '--from', file], 0, /^run 1: .* kept/],
    [['check', '--from', file], 0, /40 rows = 40 openings/],
    [['init', file, '--out', join(city.folder, 'town'), '--no-install'], 0, /^Your city is in/m],
    [['status'], 3, /the service is not running/],
    [['runs'], 0, /40 added/],
    [['config'], 0, /^SHINGLE_DATA +\S+ {2}\(environment\)$/m],
    [['suppress', 'list'], 0, /^nothing is suppressed$/m],
    [['correct', 'list'], 0, /^nothing is corrected$/m],
    [['weekly', 'preview'], 0, /new businesses in Rivermouth/],
    [['subscribers', 'list'], 0, /^no subscribers yet$/m],
    [['waitlist', 'announce', '--from', 'none.md'], 2, /none\.md/],
    [['mail', 'bounced'], 0, /^not a report$/m],
    [['backup', join(city.folder, 'copy.db')], 0, /copy\.db/],
    [['restore', 'none.db'], 1, /none\.db/],
    [['rename'], 0, /^the data is already of Rivermouth, Oregon$/m],
    [['move'], 2, /DATABASE_URL/],
    [['help', 'start'], 0, /^Usage: shingle start/],
    [['desk', '--port', '70000'], 2, /use a number up to 65535/],
    [['serve'], 78, /"level":"error","message":"\\"true\\" is not a valid TRUST_PROXY network/, refused],
    [['start'], 78, /"level":"error","message":"\\"true\\" is not a valid TRUST_PROXY network/, refused],
  ];
  for (const [args, code, said, more = env] of wanted) {
    const input = 'Subject: hello\r\n\r\nBuy.\r\n';
    const run = APART.includes(args[0]!) ? shingleReading(input, args, more) : command(args, more, { input });
    const ended = await run;
    assert.equal(ended.code, code, `${args[0]}: ${ended.err}`);
    assert.match(ended.out + ended.err, said);
  }
  const cut = await shingle(['help'], env, ({ stdout }) => stdout!.destroy());
  assert.deepEqual([cut.code, cut.err], [0, ''], 'as with | head');
  const names = commandLine().commands.map((one) => one.name());
  assert.deepEqual(wanted.map(([[name]]) => name).toSorted(), names.toSorted());
});

const WRONG: [what: string, args: string[], wanted: RegExp][] = [
  ['an unknown command', ['ingets'], /unknown command 'ingets'/],
  ['an unknown option', ['ingest', '--form', 'x'], /unknown option '--form'[\s\S]*--from/],
  ['a run that is no number', ['runs', 'show', 'last'], /use the number of the run/],
  ['a moment without a zone', ['ingest', '--now', '2026-11-20'], /use a date, a time and a zone/],
  ['a source the city lacks', ['ingest', '--source', 'none'], /no source "none"\. Its sources are licences/],
  ['a name for the desk', ['desk', '--listen', 'localhost'], /--listen must be an IP address/],
  ['no place to read from', ['ingest'], /has no configured location\. Use --from/],
];

for (const [what, args, wanted] of WRONG) {
  test(`${what} is refused as wrong usage, with a message`, async () => {
    const ended = await command(args, aCity().env);
    assert.equal(ended.code, 2, ended.err);
    assert.match(ended.err, wanted);
    assert.doesNotMatch(ended.err, /\bat .*\.ts:\d+/, 'no stack');
  });
}

test('the error about a port in use, or a host of another machine, names the setting', async () => {
  const { env } = aCity();
  const first = await running(['serve'], env);
  const { port } = new URL(first.url);
  const away = (HOST: string) => ({ PORT: '0', HOST, PUBLIC_URL: 'http://127.0.0.1' });
  const isUsed = `port ${port} of 127.0.0.1 is in use by another program, perhaps another Shingle.`;
  const long = 'x'.repeat(64);
  for (const [more, sentence] of [
    [{ PORT: port }, `${isUsed} Stop that program, or set PORT to another port`],
    [{ PORT: '0', METRICS_PORT: port }, `${isUsed} Stop that program, or set METRICS_PORT to another port`],
    [away('192.0.2.1'), '192.0.2.1 is not an address of this machine'],
    [away(long), `${long} is not an address of this machine`],
  ] as [Record<string, string>, string][]) {
    const { code, err } = await command(['start'], { ...env, ...more });
    assert.equal(code, 1);
    const said = err
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).message as string);
    assert.ok(said.at(-1)!.startsWith(sentence), err);
    assert.doesNotMatch(said.join('\n'), /\n +at /, 'no stack');
  }
  const row = { ID: '1', NAME: 'Heron Books', KIND: 'Alpha', AREA: 'Dock', DAY: '2024-01-01' };
  const { env: mapped } = aMappedCity([row]);
  assert.equal((await command(['start'], { ...mapped, PORT: port })).code, 1);
  assert.match((await command(['runs'], mapped)).out, /no run/i, 'no import begins');
  assert.equal(await first.stop(), 0);
});

test('suppress add says how many listings it hides, and lists similar names', async () => {
  const city = aCity();
  const suppress = (...args: string[]) => commandsOf(city)('suppress', ...args);
  const names = [
    "Joe's Cafe",
    'JOES CAFE',
    "Joe's Cafe & Grill",
    'Joes Cofe',
    'Heron Books',
    'Cafe Otterfall',
  ];
  await city.ingest(names.map((name, i) => ({ id: String(i), name, day: `2024-01-0${i + 1}` })));
  const add = async (value: string) => lastJson(await suppress('add', value, '--json'));
  const near = ['Joes Cofe', "Joe's Cafe & Grill"];
  assert.deepEqual(await add("joe's cafe"), { value: "joe's cafe", added: true, matches: 2, near });
  assert.deepEqual(await add('4'), { value: '4', added: true, matches: 1, near: [] });
  assert.match(
    (await suppress('add', 'Heron Book')).out,
    /No listing has this name[\s\S]*Similar names that are still served .*:\n {2}Heron Books/,
  );
});

test('ingest, check and runs take one of several sources', async () => {
  const city = aCity();
  city.changeSources('licences', 'permits');
  const from = ['--from', city.csv(40), '--json'];
  for (const [args, sources] of [
    [['ingest', '--source', 'permits', ...from], ['permits']],
    [['check', '--source', 'licences', ...from], ['licences']],
    [['ingest', '--source', 'licences', ...from], ['licences']],
    [
      ['runs', '--json'],
      ['licences', 'permits'],
    ],
    [['runs', '--source', 'permits', '--json'], ['permits']],
  ] as const) {
    const { runs } = lastJson(await commandsOf(city)(...args));
    assert.equal(String(runs.map(({ source }) => source)), String(sources));
  }
});

test('runs says why a run is held, and names the command that shows what accepting it would change', async () => {
  const city = aCity();
  const runs = async (...args: string[]) => (await commandsOf(city)('runs', ...args)).out;
  for (const count of [60, 20]) await city.ingest(count);
  const [held, kept] = (await runs()).split('\n');
  assert.match(held!, /2 .* held .*this file has 20 rows.* the 60 rows of run 1.*.*npx shingle runs show 2$/);
  assert.match(kept!, /60 added, 0 changed$/);
  const shown = await runs('show', '2');
  assert.match(shown, /if you accept it: openings = 0 added \+ 0 changed \+ 20 unchanged \+ 0 merged\n/);
  assert.match(shown, /40 stored listings not in the file: they stay as they are\n/);
  assert.deepEqual(JSON.parse(await runs('show', '2', '--json')).if_accepted, {
    ...{ added: 0, changed: 0, unchanged: 20, folded: 0, withdrawn: 0, updated: 0, missing: 40 },
  });
});

test('help fits a terminal, has an example, and leads to every variable that Shingle reads', async () => {
  const config = readFileSync(new URL('../../../src/config.ts', import.meta.url), 'utf8');
  const { out: variables } = await command(['help', 'variables'], {});
  for (const [, name] of config.matchAll(/env\.([A-Z_]+)/g))
    assert.match(variables, new RegExp(`^  (\\w+, )?${name}\\b`, 'm'));
  const { out: help } = await command(['--help'], {});
  assert.match(help, /npx shingle init licenses\.csv[\s\S]*npx shingle help variables/);
  for (const args of [['help', 'variables'], ['--help'], ['help'], ['help', 'init'], ['start', '--help']]) {
    const { code, out } = await command(args, {});
    assert.deepEqual([code, out.split('\n').filter((line) => line.length > 80)], [0, []], String(args));
  }
  assert.equal((await command(['help', 'nonsense'], {})).code, 2);
});

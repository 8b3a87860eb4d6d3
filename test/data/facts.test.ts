/** Facts in texts: each number, command, variable, address and field that a text names is one that the code has. */

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { commandLine } from '../../src/app/cli/cli.ts';
import { VARIABLES } from '../../src/app/cli/config-command.ts';
import { EXIT } from '../../src/app/exit-codes.ts';
import { BACKUPS_KEPT } from '../../src/app/operations/scheduled-tasks.ts';
import { MAX_HEADER_BYTES } from '../../src/app/web/app.ts';
import { readConfig } from '../../src/config.ts';
import CONCERNS from '../../src/data/concerns.json' with { type: 'json' };
import FINDINGS from '../../src/data/findings.json' with { type: 'json' };
import OPENAPI from '../../src/data/openapi.json' with { type: 'json' };
import { EMBEDDED } from '../../src/page/share/embed-page.ts';
import { readCategoryTable } from '../../src/register/profile/mapping/category-table.ts';
import { weeklyOf } from '../../src/service/mail/editions/weekly-schedule.ts';
import { REJECTED_SHARE } from '../../src/service/runs/hold-rules.ts';
import { NEW_FOR_DAYS } from '../../src/service/runs/news.ts';
import { EVERY_HOURS } from '../../src/service/runs/runs.ts';
import { EARLY_SHARE } from '../../src/service/search/counts.ts';
import * as LASTS from '../../src/service/subscribers/lifetimes.ts';
import { LIMITS } from '../../src/service/web/connections.ts';
import { MAX_HEADER_LINES, MAX_URL_LENGTH } from '../../src/service/web/plugins/strict-http.ts';
import { FORM_LIMIT_BYTES } from '../../src/service/web/request-body.ts';
import { MCP_LIMIT_BYTES } from '../../src/service/web/routes/mcp.ts';
import { ENDED_AFTER_DAYS } from '../../src/shared/city/register-end.ts';
import { DAY_MS, HOUR_MS } from '../../src/shared/day.ts';
import { FEWEST_RANKED } from '../../src/shared/periods.ts';
import { FURTHEST, LONGEST_Q, MOST_WORDS } from '../../src/shared/question.ts';
import { readDataLines } from '../../src/shared/text/word-table.ts';
import { MAIL_ENV } from '../a-city.ts';
import { faultsOf, SOUND } from '../register/profile/a-mapping.ts';
import { describeApp } from '../service/web/a-door.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(ROOT + path, 'utf8');

type Said = { where: string; text: string };

function textsOf(value: unknown, where: string): Said[] {
  if (typeof value === 'string') return [{ where, text: value }];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, one]) => textsOf(one, `${where} ${key}`));
}

const textsIn = (file: string) =>
  textsOf(JSON.parse(read(`src/data/${file}`)), file.split('.')[0]!.replace('problem-pages', 'problems'));
const ENGLISH = [
  ...['page-words', 'subscription-words', 'problems', 'concerns', 'findings', 'variables', 'gauges'],
];
const FRENCH_TEXTS = ['page-words.fr.json', 'subscription-words.fr.json', 'problem-pages.fr.json'].flatMap(
  textsIn,
);
const ENGLISH_TEXTS = ENGLISH.flatMap((name) => textsIn(`${name}.json`));
const DATA = [
  ...ENGLISH_TEXTS,
  ...['problem-pages.en.json', 'openapi.json', 'mail-failures.json', 'database-errors.json'].flatMap(textsIn),
];
/** The texts of a source file, but for its comments: what stands in quotes. */
const CODE = globSync('src/**/*.ts', { cwd: ROOT }).flatMap((file) => {
  const code = read(file).replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*$/gm, '');
  const quoted = code.match(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g) ?? [];
  return quoted.map((text) => ({
    where: file,
    text: text
      .slice(1, -1)
      .replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '{x}')
      .replaceAll('\\', ''),
  }));
});

/** The words after a number that say what it counts, in both languages. */
const UNITS: Record<string, RegExp> = {
  day: /^(days?|jours?)\b/,
  month: /^(months?|mois)\b/,
  hour: /^(hours?|heures?)\b/,
  minute: /^minutes?\b/,
  second: /^se(conds?|condes?)\b/,
  '%': /^%/,
  KiB: /^(KiB|Kio)\b/,
  MiB: /^Mi[Bo]\b/,
  byte: /^(bytes?|octets?)\b/,
  letter: /^(characters?|caractères?)\b/,
  header: /^headers?\b/,
};
const SPELLED: Record<string, string> = { five: '5', ten: '10', dix: '10', twelve: '12', douze: '12' };

/** The numbers of a text with their units: `7 day`. Addresses, formats and names with digits are left out. */
function numbersOf(text: string): string[] {
  const plain = text
    .replace(/\{\w+\}|\$\{[^{}]*\}|\w+:\/\/(?!USER|\.)\S+|UTF-8|RFC \d+|\d+(?:\.\d+){3}\/\d+/g, '…')
    .replace(/\b(five|ten|twelve|dix|douze)\b/g, (word) => SPELLED[word]!);
  return [...plain.matchAll(/(?<![\w.,-])(\d+(?:[.,\u00a0\u202f]\d+)*)(?![\w-])/g)].map((match) => {
    const rest = plain.slice(match.index + match[0].length).replace(/ (?:more|derniers) /, ' ');
    const unit =
      /^[ \u00a0\u202f]/.test(rest) && Object.keys(UNITS).find((one) => UNITS[one]!.test(rest.slice(1)));
    const number = match[1]!.replace(/[,\u00a0\u202f](?=\d{3}\b)/g, '');
    return unit ? `${number} ${unit}` : number;
  });
}

/** The units of the numbers that the code fills in: `minute` of `in {n} minutes`. */
const unitsOf = (text: string): string[] =>
  [...text.matchAll(/\{\w+\}[ \u00a0\u202f](?=(.*))/g)].flatMap(([, rest = '']) =>
    Object.keys(UNITS).filter((unit) => UNITS[unit]!.test(rest)),
  );

const config = readConfig({ SHINGLE_DATA: '/nowhere' });
const portOf = (url: string) => readConfig({ ...MAIL_ENV, SMTP_URL: url }).mail.smtp!.port;
const TLS_PORT = portOf('smtps://u:p@h.example');
const PORTS = `${portOf('smtp://u:p@h.example')}, ${TLS_PORT}`;
const A_DAY = `${DAY_MS / HOUR_MS} hour`;
const YEAR = '12 month';

/** Every text with a number, and what its numbers are in the code. Several of one file are told apart by their order. */
function listFacts(): Record<string, string> {
  return {
    'page-words chip.twelve': YEAR,
    'page-words corner.listed.months': YEAR,
    'page-words corner.months': YEAR,
    'page-words home.months': YEAR,
    'page-words changes.limit.long': YEAR,
    'page-words warning.long': `${LONGEST_Q} letter, ${MOST_WORDS}`,
    'page-words take.frame': `${EMBEDDED}`,
    'page-words changes.small': `${FEWEST_RANKED}`,
    'subscription-words notice.short': `${LASTS.UNSUBSCRIBED_DAYS} day`,
    'subscription-words notice': `${LASTS.UNCONFIRMED_SIGNUP_DAYS} day, ${LASTS.UNSUBSCRIBED_DAYS} day, ${BACKUPS_KEPT} day`,
    'subscription-words confirm.email.lasts': `${LASTS.CONFIRM_LINK_DAYS} day`,
    'subscription-words leave.deleted': `${LASTS.UNSUBSCRIBED_DAYS} day`,
    'subscription-words manage.erased': `${BACKUPS_KEPT} day`,
    'problems too-far text': `${FURTHEST}`,
    'problems timeout text': `${LIMITS.headers} second, ${LIMITS.body}`,
    'problems too-large text': `${FORM_LIMIT_BYTES / 1024} KiB, ${MCP_LIMIT_BYTES / 1024} KiB`,
    'problems uri-too-long text': `${MAX_URL_LENGTH} byte`,
    'problems quota-exceeded text': A_DAY,
    'problems headers-too-large text': `${MAX_HEADER_LINES} header, ${MAX_HEADER_BYTES / 1024} KiB`,
    'concerns confirmations steps 1': `${LASTS.CONFIRMATION_HOURS} hour`,
    'findings ambiguousDates detail': '12', // the months of a year
    'findings ambiguousNumbers detail': '1900, 1904', // the first days of a workbook
    'findings stale fix': `${ENDED_AFTER_DAYS} day`,
    'variables HOST, PORT standard': `${config.host}, ${config.port}`,
    'variables OPERATOR_NAME more': `${EXIT.refused}`,
    'variables SMTP_URL more': PORTS,
    'mail-failures codes ECONNRESET ETLS': PORTS,
    'mail-failures codes ERR_SSL_WRONG_VERSION_NUMBER': `${TLS_PORT}`,
    ...{ 'variables HOST, PORT must': '0, 65535', 'variables METRICS_PORT must': '0, 65535' },
    ...{ 'variables SMTP_URL must': '40, 25', 'variables MAIL_BOUNCES must': '22' },
    ...{ 'variables INGEST_MEMORY_MB must': '64', 'variables INGEST_TIMEOUT_MINUTES must': '0, 10080' },
    'variables ALERT_EMAIL meaning': A_DAY,
    'variables MIN_FREE_BYTES standard': `${config.minFreeBytes}, ${config.minFreeBytes / 2 ** 20} MiB`,
    'variables INGEST_MEMORY_MB standard': `${config.ingest.memoryMb}`,
    'variables INGEST_TIMEOUT_MINUTES standard': `${config.ingest.timeoutMs / 60_000}`,
    'openapi info description': `${OPENAPI.components.schemas.Listing.required.length}`,
    'openapi components schemas Stats properties by_month description': `${EARLY_SHARE * 100} %`,
    'openapi components headers RateLimit-Policy description': A_DAY,
    'openapi parts total description': `${FURTHEST}`,
    'gauges health': Object.keys(OPENAPI.components.schemas.Health.properties.status.examples).join(', '),
    'gauges concern': '0', // nothing
  };
}

const keyed = (rows: readonly { names: string }[]) => Object.fromEntries(rows.map((row) => [row.names, row]));
const NUMBERED = [
  ...FRENCH_TEXTS,
  ...DATA.filter(({ where }) => !/^(variables|openapi)/.test(where)),
  ...textsOf(keyed(VARIABLES), 'variables'),
  ...textsIn('openapi.json').filter(({ where }) => where.endsWith('description')),
];

test('every number in an English or French text is the number in the code', () => {
  const facts = listFacts();
  const said = NUMBERED.map(({ where, text }) => [where, numbersOf(text).join(', ')] as const).filter(
    ([, numbers]) => numbers !== '',
  );
  assert.deepEqual(Object.fromEntries(said), facts);
  for (const [where, numbers] of said) assert.equal(numbers, facts[where], where);
});

/** Texts that are the same in French. */
const SAME = ['Source', 'JSON'];

test('a French text has the same numbers as the English text, and other words', () => {
  const english = new Map(ENGLISH_TEXTS.map(({ where, text }) => [where, text]));
  assert.ok(FRENCH_TEXTS.length > 500);
  for (const { where, text } of FRENCH_TEXTS) {
    const original = english.get(where) ?? english.get(where.replace(/\w+$/, 'other'))!;
    // a problem is told to programs in more detail than to people
    if (!where.startsWith('problems'))
      for (const readFrom of [numbersOf, unitsOf])
        assert.deepEqual(readFrom(text), readFrom(original), where);
    const words = original.replace(/\{\w+\}/g, '');
    if (/\p{L}/u.test(words) && !SAME.includes(words)) assert.notEqual(text, original, where);
  }
});

test('singular and plural texts differ, unless the text ends with the number', () => {
  for (const texts of [ENGLISH_TEXTS, FRENCH_TEXTS]) {
    const known = new Map(texts.map(({ where, text }) => [where, text]));
    const ones = texts.filter(
      ({ where, text }) =>
        /\.one$/.test(where) &&
        !/\{n\}(?:\s(?:more|fewer|de plus|de moins))?(?:\{undecided\})?\.?$/.test(text),
    );
    assert.ok(ones.length > 25);
    for (const { where, text } of ones)
      assert.notEqual(text, known.get(where.replace(/one$/, 'other')), where);
  }
});

/** Sentences of the code that state a number with its unit, and what it is. */
const SAID: Record<string, string> = {
  'src/app/cli/data.ts': `${BACKUPS_KEPT} day`,
  'src/app/cli/people/subscribers.ts': `${BACKUPS_KEPT} day`,
  'src/page/email/alert-email.ts': A_DAY,
  'src/service/search/reading/days/days.ts': '30 day, 3 month', // examples of questions
  'src/service/web/limits/charge.ts': `1 second, ${A_DAY}`,
};

test('every number with a unit in a text of the code comes from a constant', () => {
  const said = CODE.flatMap(({ where, text }) =>
    numbersOf(text).flatMap((number) => (/ [^%]/.test(number) ? [{ where, number }] : [])),
  );
  const found = [...Map.groupBy(said, ({ where }) => where)].map(([where, all]) => [
    where,
    [...new Set(all.map(({ number }) => number))].join(', '),
  ]);
  assert.deepEqual(Object.fromEntries(found), SAID);
});

test('the documented default of each field of city.yaml is the default of the code', () => {
  const { weekday, time } = weeklyOf({});
  const wanted: Record<string, string> = {
    'city.archive': `whether nothing was filed for ${ENDED_AFTER_DAYS} days`,
    'city.weekly': `${weekday}, ${time}`,
    'register.everyHours': `${EVERY_HOURS}`,
    'register.newForDays': `${NEW_FOR_DAYS}`,
    'register.rejectedShare': `${REJECTED_SHARE}`,
    'from.header': '1', // the first line of a file
  };
  const stated = [...readDataLines('city-fields.csv')].filter(([, , without = '']) =>
    /(?<!-)\b\d/.test(without),
  );
  assert.deepEqual(Object.fromEntries(stated.map(([field, , without]) => [field, without])), wanted);
});

const OTHER_TEXTS = [
  ...['city-readme.txt', 'city-env.txt', 'llms.txt', 'security.txt', 'email-frame.txt'],
].map((file) => ({ where: file, text: read(`src/data/${file}`) }));
const ALL = [...DATA, ...FRENCH_TEXTS, ...CODE, ...OTHER_TEXTS];

/** Why a command line would be refused, or `undefined`. What follows the command in its sentence is left out. */
function findCommandProblem(program: Command, text: string): string | undefined {
  let command = program;
  const rest = text.split(/ +/);
  for (
    let next = command;
    next !== undefined;
    next = command.commands.find((one) => one.name() === rest[0])!
  ) {
    command = next;
    if (command !== program) rest.shift();
  }
  if (command === program) return 'no such command';
  const end = rest.findIndex((word) => !/^(--[a-z-]+|[A-Z]+|\d+|(\{\w+\})+|[\w./-]+\.\w+)$/.test(word));
  const args = end < 0 ? rest : rest.slice(0, end);
  const { operands, unknown } = command.parseOptions(args.map((word) => (/^\{/.test(word) ? '7' : word)));
  if (unknown.length > 0) return `${unknown.join()} is unknown`;
  const places = command.registeredArguments;
  const isVariadic = places.some(({ variadic }) => variadic);
  if (operands.length > places.length && !isVariadic) return 'has too many words';
  if (operands.length < places.filter(({ required }) => required).length) return 'lacks a word';
  return command.commands.length > 0 && command.options.length === 0 ? 'lacks its second word' : undefined;
}

test('every command that a text names can be run exactly as written', async () => {
  const program = commandLine();
  let named = 0;
  for (const { where, text } of ALL)
    for (const [, before = '', line = ''] of text.matchAll(
      /(npx |["\x60(]|: |exec |^)shingle ([a-z](?:[^"\x60.,;:()<>|\n#]|\.(?=\w))*)/gm,
    )) {
      named++;
      const problem = findCommandProblem(program, line.trim());
      if (before !== 'npx ' && problem === 'lacks a word') continue; // the name of a command
      assert.equal(problem, undefined, `${where}: shingle ${line}`);
    }
  assert.ok(named > 40, `${named}`);
});

test('every variable, address and button that a text names exists', async () => {
  const variables = new Set(VARIABLES.flatMap(({ names }) => names.split(', ')));
  const families = new Set([...variables].map((name) => name.split('_', 1)[0]!));
  for (const { where, text } of ALL)
    for (const [name] of text.matchAll(/(?<![\w$])[A-Z]+(?:_[A-Z]+)+\b/g))
      assert.ok(variables.has(name) || !families.has(name.split('_', 1)[0]!), `${where}: ${name}`);
  const paths = new Set((await describeApp((app) => app.targets())).map(({ path }) => path));
  for (const { where, text } of [...DATA, ...FRENCH_TEXTS])
    for (const [path] of text.matchAll(/(?<![\w.:/}#])\/(?:[a-z][\w.-]*\/?)+(?<![./])/g))
      if (!path.startsWith('/components/')) assert.ok(paths.has(path), `${where}: ${path}`);
  const api = read('docs/api.md'); // columns of a file; and `feeds.how` quotes other programs
  for (const texts of [ENGLISH_TEXTS.filter(({ where }) => /-words /.test(where)), FRENCH_TEXTS]) {
    const all = new Set(texts.map(({ text }) => text));
    for (const { where, text } of texts)
      for (const [, quoted = ''] of text.matchAll(/[“«]\u00a0?([^”»{}]+?)\u00a0?[”»]/g))
        assert.ok(
          all.has(quoted) ||
            where.endsWith(' feeds.how') ||
            (/^[a-z_]+$/.test(quoted) && api.includes(quoted)),
          `${where}: ${quoted}`,
        );
  }
});

type Lines = Record<string, string>;
const STATUS = '{ column: State, open: [ACTIVE], closed: [GONE] }';
const BOUNDARIES = {
  boundaries: '{ file: areas.geojson, property: name }',
  addresses: '{ file: addresses.csv }',
};
const KEEP = { skip: '[{ column: Type, values: [ATM], because: a machine }]' };
const TOWN = { town: '{ column: Town, keep: [OTTERFALL] }' };
const accepting = (code: string) => ({ accepts: `{ ${code}: every row is a new business }` });
const filed = (column: string, format: string, code?: string) => ({
  ...{ filed: `{ column: ${column}, format: ${format} }`, ...(code && accepting(code)) },
});
const FIRST = filed('First', 'M/D/YYYY');
const FIRST_ISO = filed('First', 'YYYY-MM-DD');

/** What each finding advises, done: lines of the register, of the city, and of its table of types. */
const DONE: Record<keyof typeof FINDINGS, { register?: Lines[]; city?: Lines; table?: string }> = {
  ownersAsNames: { register: [{ owner: 'Owner' }, { person: '{ column: Form, values: [Individual] }' }] },
  namesLikePeople: { register: [{ namesLikePeople: 'certain' }, { namesLikePeople: 'skip' }] },
  registerOfPeople: { register: [{ name: 'Business' }] },
  droppedBusinesses: { register: [{ namesLikePeople: 'keep' }] },
  repeatedBusinesses: {
    register: [{ key: '{ nameAnd: [Site] }' }, { renewals: '{ column: Act, values: [Renewal] }' }],
  },
  wholeState: { register: [TOWN, accepting('outside-city')] },
  outsideCity: {
    register: [TOWN, { inside: '{ column: In, values: [Yes] }' }, accepting('outside-city')],
  },
  mostlyOutside: {
    register: [{ town: '{ column: Town, keep: [OTTERFALL, NORTHBANK] }' }, accepting('outside-city')],
  },
  coarseNeighborhoods: { register: [{ neighborhood: 'Area' }, { address: 'Site' }], city: BOUNDARIES },
  unplaced: { register: [{ neighborhood: '{ postalCode: Zip }' }, { address: 'Site' }], city: BOUNDARIES },
  firstDay: { register: [FIRST_ISO] },
  otherDay: { register: [FIRST_ISO, accepting('date-choice')] },
  applicationDay: { register: [FIRST_ISO, accepting('date-choice')] },
  oneDay: { register: [{ filed: '{ column: Day, format: M/D/YYYY, unknown: [1987-01-01] }' }] },
  currentLicenses: { register: [FIRST, accepting('current-licenses')] },
  noFirstDate: { register: [FIRST] },
  undated: { register: [FIRST, accepting('no-first-date')] },
  recentSkips: {
    register: [
      { status: '{ column: State, open: [ACTIVE], unknown: [PENDING] }' },
      accepting('recent-skips'),
    ],
  },
  ambiguousDates: { register: [filed('Day', 'M/D/YYYY'), filed('Day', 'D/M/YYYY', 'ambiguous-dates')] },
  ambiguousNumbers: {
    register: ['excel', 'excel1904'].map((format) => filed('Day', format, 'ambiguous-dates')),
  },
  allClosed: { register: [{ status: STATUS }, { ended: '{ column: End, format: M/D/YYYY }' }] },
  allOpen: { register: [{ status: STATUS }] },
  typesOfNoBusiness: { register: [KEEP], table: 'ATM,,no' },
  frequentNames: { register: [KEEP] },
  manyAtOnce: { register: [KEEP, accepting('not-storefronts')] },
  registeredOffices: { register: [KEEP, accepting('registered-offices')] },
  codesAsNames: { register: [{ name: 'Business' }] },
  damagedNames: {}, // says to ask
  unreadSheet: { register: [{ from: '{ excel: filings.xlsx, sheet: All }' }] },
  placeholders: {}, // its fix names the fields of the profile itself
  stale: { city: { archive: 'true' } },
};

function cityWith(register: Lines = {}, city: Lines = {}): string {
  const kept = SOUND.split('\n').filter(
    (line) => !Object.hasOwn(register, /^ {4}(\w+):/.exec(line)?.[1] ?? ''),
  );
  const own = Object.entries(register).map(([word, value]) => `    ${word}: ${value}\n`);
  const more = Object.entries(city).map(([word, value]) => `${word}: ${value}\n`);
  return [kept.join('\n'), ...own, ...more].join('');
}

/** Words of a fix that stand where fields do. */
const PROSE = 'a an address also needs or no of the categories.csv'.split(' ');

test('city.yaml accepts the words that a finding advises', () => {
  for (const [cause, { register = [{}], city, table }] of Object.entries(DONE)) {
    const { fix, word } = FINDINGS[cause as keyof typeof FINDINGS] as { fix: string; word?: string };
    const done = register.map((lines) => cityWith(lines, city));
    for (const text of done) assert.deepEqual(faultsOf(text), [], `${cause}\n${text}`);
    const rows = table === undefined ? '' : `type,category,new_business\n${table}\n`;
    if (rows !== '') assert.deepEqual(readCategoryTable(Buffer.from(rows)).problems, [], cause);
    const named = fix.matchAll(/\(([^()]+)\)|\b(\w+[A-Z]\w+|archive: true)\b|(?<= or |, )([MDY]+\/[MDY/]+)/g);
    const words = [...named].flatMap(
      ([, group, camel = '', format = '']) => group?.split(/[^\w.]+/) ?? [camel, format],
    );
    for (const one of [...words, word === 'rejectedShare' ? '' : (word ?? '')])
      if (/^\w/.test(one) && !PROSE.includes(one))
        assert.match(`${done.join('')}${rows}`, new RegExp(`\\b${one}\\b`), `${cause}: no example of ${one}`);
  }
});

test('the profile accepts the words that a concern advises', () => {
  const steps = Object.values(CONCERNS).flatMap((concern) => concern.steps);
  const lines = steps.flatMap((step) => [...step.matchAll(/(?<=: |,? )(\w+): (true|\{ .*?\})/g)]);
  assert.deepEqual(
    lines.map(([line]) => line),
    ['archive: true', "accepts: { stale: '...' }"],
  );
  const [archive, accepts] = lines.map(([, word, value]) => ({ [word!]: value! }));
  const [path = ''] = steps.flatMap((step) => step.match(/\blimits\.[\w.]+\b/) ?? []);
  const limits = path.split('.').toReversed();
  const providers = limits.reduce((inner, word) => `{ ${word}: ${inner} }`, '[example.org]').slice(2, -2);
  assert.deepEqual(faultsOf(`${cityWith(accepts, archive)}${providers}\n`), []);
});

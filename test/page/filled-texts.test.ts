/**
 * What a person reads has the right values in its sentences. All texts of a city are marked, so that the pages and emails tell which
 * texts they show and with which values: those of the city and the constants, and the same numbers in each language.
 */

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { City } from '../../src/register/profile/define.ts';
import type { BuildRow } from '../../src/service/search/index/build.ts';
import { type PageWord, shippedWordsOf, WORDS } from '../../src/shared/city/page-words.ts';
import { addDays } from '../../src/shared/day.ts';
import { FEWEST_RANKED } from '../../src/shared/periods.ts';
import { MOST_PREFERRED } from '../../src/shared/signup/preferences.ts';
import { fillIn } from '../../src/shared/text/fill-in.ts';
import { AN_EDITION, aDoor, anIndex } from '../service/web/a-door.ts';
import { FRENCH, frenchRows } from '../service/web/a-french-city.ts';
import { readEditions, readSubscription } from './subscription-texts.ts';

const [ANSWERS, EVERY_DAYS] = ['two weeks', 3];
const [OPEN, CLOSE] = ['\ue000', '\ue001'];

/** Asked of a city in each language, in English: the reader knows it everywhere. */
const QUESTIONS = `
airbnb | are there bakeries in la jetée | best restaurants | busiest month | coffee | did bars go up | home based restaurants
how many bars opened in 2025 | how many kinds of business | how many neighborhoods have restaurants | how many years
in which neighborhoods are there more restaurants than bars | is au petit moulin 10 open | is au petit moulin 5 open
is chez odile 1 closed | is chez odile 1 open | is chez odile open | is chez odile closed | is lone wolf open | longest name | new restaurants
odile vs lavande | oldest restaurant | restarants | restaurants 2026 vs 2020 | restaurants 2026 vs 2025 | restaurants 2026 vs 2027
restaurants and bars vs legal | restaurants in march | restaurants in texas | restaurants near 12 main street
restaurants near 90802 | restaurants opened between whenever and 2026 | restaurants per month | restaurants that closed in 2026
restaurants without chez | vieux port | what changed | which kind fell the most | which kind grew the most in january
which is older chez odile 1 or au petit moulin 5 | which month had the second fewest restaurants | which neighborhood has the fewest restaurants
which neighborhood has the second most restaurants
`;
const PATHS = `
/ /changes?status=closed /about /signup /?filed_from=x /feed.xml /weekly/${AN_EDITION} /embed /changes?q=zzz /?filed_from=2027-01-01
/?q=zzz&neighborhood=Jetee /changes?filed_from=2026-01-01&filed_to=2026-06-30 /feeds?q=odile /?filed_to=2026-01-01
/?added_from=2026-11-01 /?category=-Restaurants /changes?filed_from=2027-01-01
/correct?q=Chez+Odile+1&filed_from=2026-02-02&filed_to=2026-02-02
`;

/** Texts that are shown nowhere here, by reason: a new text is to be reached, and a reached one to be taken out. */
const UNREACHED: Record<string, string> = {
  'a question, which the page itself reads': 'example.place example.years',
  'part of a picture': 'chart.summary picture.none',
  'needs other listings, or another day':
    'home.months home.archive corner.listed.months corner.months corner.city results.capped suggestion.link suggestion.count facet.more.neighborhood email.only note.late note.open closings.registered changes.undecided changes.same.year changes.limit.few nothing.asked nothing.reason nothing.reason.why',
  'needs another question':
    'answer.age.none answer.age.same meant.unused.rank meant.unused.statuses meant.synonym meant.kind.among meant.unused.together meant.place answer.yes answer.yes.most answer.no.most meant.missed meant.parts compare.neither compare.union compare.union.list compare.undecided compare.unlike compare.unlike.whole compare.shared compare.left compare.part count.none count.same count.more count.fewer rank.fewest.tied rank.none.tied rank.above rank.above.several rank.below rank.below.several rank.number.month rank.undecided rank.than.none rank.days rank.days.ends',
  'needs another city':
    'about.from answer.registered.still source.archive meant.unused.town nothing.only ask.register.to correct.none',
  'needs another signup':
    'preferences.all preferences.gone preferences.many signup.unsent manage.by.operator manage.covers announcement.why',
  'needs another week':
    'edition.headline.since edition.headline.last edition.lead.kind.since edition.lead.kind.last edition.lead.place edition.lead.both edition.lead.tied edition.lead.each edition.registered list.more.kinds',
};

/** A city whose texts are marked: `OPEN text|` begins a text, `OPEN :name|` a value, and `CLOSE` ends each. */
function marked(city: City, language: string): City {
  const words = Object.entries(shippedWordsOf(language)!).map(([word, text]) => {
    if (word.startsWith('example.')) return [word, WORDS[word as PageWord]]; // a question, which the page itself reads
    const filled = text.replace(/\{(\w+)\}/g, `${OPEN}:$1|$&${CLOSE}`);
    return [word, text.includes('{') ? `${OPEN}${word}|${filled}${CLOSE}` : text] as const;
  });
  const sources = city.sources.map((source) => ({ ...source, everyHours: EVERY_DAYS * 24 }));
  const operator = { ...city.operator, answers: ANSWERS };
  return { ...city, language, sources, operator, words: Object.fromEntries(words) };
}

const SIGNS: Record<string, string> = { amp: '&', '#39': "'", quot: '"', lt: '<', gt: '>' };
const plain = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|#39|quot|lt|gt);/g, (_, name: string) => SIGNS[name]!)
    .replace(/\s+/g, ' ');

type Filled = Map<string, Set<string>>;

/** Notes each value of each text, as "lead.other:n". */
function note(page: string, filled: Filled): void {
  const open: { name: string; from: number }[] = [];
  const add = (name: string, value: string) =>
    filled.set(
      name,
      (filled.get(name) ?? new Set()).add(plain(value.replace(/\ue000[^|]*\||\ue001/g, '')).trim()),
    );
  for (const { 0: mark, index } of page.matchAll(/\ue000([^|\ue000\ue001]*)\||\ue001/g)) {
    if (mark !== CLOSE) {
      open.push({ name: mark.slice(1, -1), from: index + mark.length });
      continue;
    }
    const last = open.pop();
    if (last?.name.startsWith(':')) add(`${open.at(-1)?.name}${last.name}`, page.slice(last.from, index));
  }
}

const REASONS = { 'outside the city': 40, 'personal name': 12, 'filed before 2023-11-01': 20 } as const;
const LEFT_OUT = { read: 9_000, skipped: new Map(Object.entries(REASONS)), rejected: 4 };
const OUTLINE = {
  ...{ width: 100, height: 50 },
  areas: ['Vieux Port', 'La Jetée'].map((name, i) => ({ name, path: `M${i} 0l9 0 0 9z`, x: 6, y: 3 })),
};

/** Listings of two years, up to yesterday. One neighborhood falls, and the others rise. */
function variedRows(): BuildRow[] {
  const kinds = ['Restaurants', 'Bars & Nightlife', 'Legal', 'Uncategorized', 'Beauty & Hair'];
  return frenchRows(420).map((row, i) => {
    const isFalling = i % 3 === 0;
    const age = isFalling ? 380 + ((i * 5) % 300) : (i * 7) % 700;
    const neighborhood = isFalling ? 'La Jetée' : ['Vieux Port', 'Les Tanneurs'][i % 2]!;
    const category = kinds[i % 4 === 0 ? 0 : i % 5]!;
    return { ...row, category, neighborhood, filedOn: addDays('2026-11-19', -age) };
  });
}

async function readAll(t: TestContext, language: string): Promise<Filled> {
  const filled: Filled = new Map();
  const city = marked(FRENCH, language);
  const find = (page: string) => {
    const mailed = page.replace(/mailto:([^"]*)/g, (_, address: string) => decodeURIComponent(address));
    note(mailed, filled);
    return [];
  };
  const given = {
    city,
    limits: 'off',
    mayEmbed: true,
    leftOut: () => LEFT_OUT,
    outline: () => OUTLINE,
  } as const;
  const asked = QUESTIONS.trim()
    .split(/ \| |\n/)
    .map((q) => `/?q=${encodeURIComponent(q)}`);
  for (const [rows, archive] of [
    [frenchRows(900), false],
    [variedRows(), false],
    [frenchRows(20), true],
  ] as const) {
    const door = await aDoor(t, {
      ...given,
      city: { ...city, archive },
      catalogue: anIndex(rows, 'v1', 'en'),
    });
    for (const path of [...PATHS.trim().split(/\s/), ...asked]) {
      const response = await door.get(path, { headers: { accept: 'text/html' } });
      assert.ok(response.status < 500, `${path}: ${door.warnings}`);
      find(await response.text());
    }
  }
  const chosen = { categories: 'Restaurants', neighborhoods: 'Vieux Port' };
  await readSubscription(t, { city, rows: frenchRows(900), chosen }, find);
  readEditions(city, find);
  return filled;
}

/** What some values always are: facts of the city, of the signup and of the constants, by the name of the value or by its text. */
const KNOWN: Record<string, string | number> = {
  city: FRENCH.name,
  operator: FRENCH.operator.name,
  contact: FRENCH.operator.contact,
  region: FRENCH.region,
  source: 'INSEE',
  publisher: 'INSEE',
  license: 'Licence Ouverte 2.0',
  pack: 'France',
  answers: ANSWERS,
  'source.often.other:n': EVERY_DAYS,
  'preferences.help:n': MOST_PREFERRED,
  'signup.wrong.often.other:n': 3,
  'changes.few:n': FEWEST_RANKED,
  'changes.most:least': FEWEST_RANKED,
  'changes.rules.small:n': FEWEST_RANKED,
  'manage.kept:address': 'odile@port.example',
  'confirm.question:address': 'odile@port.example',
  'leave.question:address': 'odile@port.example',
  'signup.wrong.origin:address': 'https://rivermouth.example',
  'facts.left.other:read': LEFT_OUT.read,
  'facts.left.other:n': 76,
};
/** The numbers of days, of which each language has its own order. */
const KNOWN_DAYS = {
  'about.read:day': '11 19 2026',
  'next.edition:day': '11 23 2026',
  'embed.asof:day': '10 20 2026; 11 19 2026',
  'manage.confirmed:day': '11 23 2026',
  'manage.left:day': '11 23 2026',
  'archive.edition.title:day': '11 16 2026',
};
/** The script of the page fills in these. */
const LEFT_TO_SCRIPT = ['preferences.places.some:what', 'preferences.kinds.some:what'];

const monthsOf = (language: string) =>
  Array.from({ length: 12 }, (_, i) => {
    const write = (month: 'long' | 'short') =>
      new Intl.DateTimeFormat(language, { month, timeZone: 'UTC' }).format(Date.UTC(2026, i, 1));
    return [write('long'), write('short')].map((name) => [name.toLowerCase(), ` ${i + 1} `] as const);
  }).flat();

/** The numbers of a value in any order, with those of months, as each language orders dates in its own way. */
function numbersOf(language: string): (value: string) => string {
  const months = monthsOf(language).toSorted(([a], [b]) => b.length - a.length);
  return (value) => {
    const named = months.reduce(
      (text, [name, n]) => text.replace(new RegExp(`(?<!\\p{L})${name}(?!\\p{L})`, 'gu'), n),
      value.toLowerCase(),
    );
    const grouped =
      language === 'en'
        ? named.replace(/(\d),(?=\d{3})/g, '$1')
        : named.replace(/(\d)[\u202f\u00a0 ](?=\d{3}\b)/g, '$1');
    const numbers = grouped.replace(/(\d),(?=\d)/g, '$1.').match(/\d+(?:\.\d+)?/g) ?? [];
    return numbers
      .map(Number)
      .toSorted((a, b) => a - b)
      .join(' ');
  };
}

/** Plural forms are one text: which numbers are singular differs. */
function numbersByText(filled: Filled, language: string): Map<string, string> {
  const toNumbers = numbersOf(language);
  const texts = Map.groupBy(filled, ([name]) => name.replace(/\.(?:one|other)(?=:)/, ''));
  const numbersIn = (entries: [string, Set<string>][]) =>
    new Set(entries.flatMap(([, values]) => [...values].map(toNumbers)));
  return new Map([...texts].map(([name, entries]) => [name, [...numbersIn(entries)].toSorted().join('; ')]));
}

test('each text has the values of the city and the constants, and the same numbers in each language', async (t) => {
  const [english, french] = [await readAll(t, 'en'), await readAll(t, 'fr')];
  const wrong: string[] = [];
  for (const [language, filled] of [
    ['en', english],
    ['fr', french],
  ] as const) {
    const weekly = fillIn(shippedWordsOf(language)!['weekly.purpose']!, KNOWN);
    for (const name of ['signup.sent', 'leave.question', 'leave.done'])
      assert.deepEqual([...filled.get(`${name}:purpose`)!], [weekly]);
    for (const [name, values] of filled)
      for (const value of values) {
        const known = KNOWN[name] ?? KNOWN[name.split(':')[1]!];
        const isKnown =
          typeof known === 'number' ? Number(value.replace(/\D/g, '')) === known : value === known;
        const isWrong =
          known === undefined ? /\b(?:undefined|NaN|null|Invalid)\b|\[object|[{}]/.test(value) : !isKnown;
        if (isWrong && !LEFT_TO_SCRIPT.includes(name)) wrong.push(`${name}: ${value}`);
      }
  }
  const inEnglish = numbersByText(english, 'en');
  const inFrench = numbersByText(french, 'fr');
  for (const [name, numbers] of inEnglish)
    if (!name.endsWith(':address') && inFrench.has(name) && inFrench.get(name) !== numbers)
      wrong.push(`${name}: ${numbers} | ${inFrench.get(name)}`);
  for (const [name, day] of Object.entries(KNOWN_DAYS)) assert.equal(inEnglish.get(name), day, name);
  assert.deepEqual(wrong, []);
  const baseOf = (name: string) => name.replace(/(?:\.(?:one|other))?(?::\w+)?$/, '');
  const reached = new Set([...english.keys()].map(baseOf));
  const words = Object.entries(WORDS).filter(([, text]) => text.includes('{'));
  const unreached = new Set(words.map(([word]) => baseOf(word)).filter((word) => !reached.has(word)));
  assert.deepEqual(
    [...unreached].toSorted(),
    Object.values(UNREACHED)
      .flatMap((list) => list.split(' '))
      .toSorted(),
  );
});

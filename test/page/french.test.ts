/** A city whose profile says `language: fr` and nothing else is French, on every page and in every email. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeLetters } from '../../src/page/chart/picture/letters.ts';
import { groupOf } from '../../src/page/kinds/kinds.ts';
import { listProfileProblems } from '../../src/register/profile/schema/profile.ts';
import { searchListings } from '../../src/service/search/search.ts';
import type { SubscriptionService } from '../../src/service/subscribers/subscription-service.ts';
import { PROBLEMS, PROBLEMS_FOR_PEOPLE } from '../../src/service/web/problems.ts';
import { CATEGORIES } from '../../src/shared/city/categories.ts';
import { LANGUAGES } from '../../src/shared/city/languages.ts';
import { localizationFor, pageLocalizationFor } from '../../src/shared/city/localization.ts';
import { listWordsOf, shippedWordsOf, WORDS } from '../../src/shared/city/page-words.ts';
import { isUnknown, openValueNames, putUnknownLast } from '../../src/shared/city/value-names.ts';
import { ShingleError } from '../../src/shared/errors.ts';
import { UNCATEGORIZED } from '../../src/shared/listing.ts';
import { EVERYTHING } from '../../src/shared/question.ts';
import { readDataLines } from '../../src/shared/text/word-table.ts';
import { jsonOf, textOf } from '../an-answer.ts';
import { AN_EDITION, aDoor, anIndex } from '../service/web/a-door.ts';
import { FRENCH, frenchRows } from '../service/web/a-french-city.ts';
import { pageOf } from './a-page.ts';
import { readEditions, readSubscription } from './subscription-texts.ts';

const english: Readonly<Record<string, string>> = WORDS;
const french = shippedWordsOf('fr')!;
const { nameOf } = openValueNames(FRENCH);
const categories = CATEGORIES.map((id) => nameOf('category', id));
const unknownNeighborhood = nameOf('neighborhood', null);

/** Words of English that no French text has, unless it quotes English. */
const STOP_LIST =
  /\b(?:the|of|and|is|was|were|has|have|with|from|this|that|these|your|you|we|it|by|to|at|in|for|not|all|any|new|new(?:est|ly)|filed|filings?|listings?|business(?:es)?|neighborhoods?|kinds?|unknown|uncategorized|open|closed|expired|abandoned|register(?:ed)?|search|results?|week(?:ly)?|month|year|day|email|unsubscribe|sign(?:ed)?|choose|license|feed|show|see|more|none|error)\b/gi;
/** Sentences that differ in French, without placeholders: what no page may show. */
const SENTENCES = Object.entries(english)
  .filter(([word, text]) => french[word] !== text && /^[A-Z].{11,}$/.test(text) && !text.includes('{'))
  .map(([, text]) => text);
/** What is not translated: names, addresses and the formats for programs. */
const NAMES = /Shop \d+|Old Town|1 Quay Street|JSON Feed|\S+@\S+|https?:\S+/g;

/** The English that a person sees or hears. */
function findEnglish(text: string): string[] {
  const labels = text.matchAll(
    /\b(?:aria-label|alt|title|placeholder)="([^"]*)"|<meta name="description" content="([^"]*)"/g,
  );
  const seen = text
    .replace(/<(style|script)[\s\S]*?<\/\1>/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(NAMES, ' ')
    .replace(/&\w+;/g, ' ');
  const all = [seen, ...Array.from(labels, ([, label, description]) => label ?? description)]
    .join('\n')
    .replace(NAMES, ' ');
  return [...(all.match(STOP_LIST) ?? []), ...SENTENCES.filter((sentence) => all.includes(sentence))];
}

test('the font of pictures has every letter that a chart can show', () => {
  const said = [english, french].flatMap((words) => Object.entries(words));
  const { number, day } = localizationFor(FRENCH);
  const texts = [...said.flatMap(([, text]) => text.split('\n')), number(1_234_567), day('2026-08-01')];
  assert.deepEqual(
    texts.filter((text) => placeLetters(text.replace(/\{\w+\}/g, '')) === undefined),
    [],
  );
});

const placeholdersOf = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();
test('every language has every text, with the same placeholders and all plural forms', () => {
  for (const language of LANGUAGES) {
    const words = shippedWordsOf(language)!;
    const [own, all] = [new Set(Object.keys(words)), new Set(listWordsOf(language))];
    const faults = { missing: [...all.difference(own)], unused: [...own.difference(all)] };
    assert.deepEqual(faults, { missing: [], unused: [] }, `texts in the language ${language}`);
    for (const [word, text] of Object.entries(words)) {
      const original = english[word] ?? english[word.replace(/\w+$/, 'other')]!;
      assert.deepEqual(placeholdersOf(text), placeholdersOf(original), `${language} ${word}`);
    }
    const codes = language === 'en' ? [] : (Object.keys(PROBLEMS) as (keyof typeof PROBLEMS)[]);
    for (const code of codes) assert.ok(PROBLEMS_FOR_PEOPLE[language]?.[code]?.text, `${language} ${code}`);
  }
});

test('French has French spacing and quotes', () => {
  for (const [word, text] of Object.entries(french)) {
    assert.doesNotMatch(text, /['"“”]|[^\u00a0\n][:;?!»](?!\/)|«[^\u00a0]/, `${word}: ${text}`);
    assert.doesNotMatch(text, /\bouverts?\b|e-?mails?\b|(?<!\{)\blicense\b/i, word);
  }
});

test('a profile in French needs no words, and a profile in another language needs all words', () => {
  assert.deepEqual(listProfileProblems(FRENCH), []);
  assert.deepEqual(listProfileProblems({ ...FRENCH, language: 'fr-CA' }), []);
  assert.match(
    listProfileProblems({ ...FRENCH, language: 'eo' })[0]!,
    /^language is "eo", so words must contain all/,
  );
  const { say } = localizationFor({ ...FRENCH, words: { 'search.button': 'Chercher' } });
  assert.deepEqual([say('search.button'), say('filters.title')], ['Chercher', 'Filtres']);
});

test('a profile in another language must have every text in each of its plural forms', () => {
  const words = Object.fromEntries(
    listWordsOf('ru').map((word) => [word, english[word] ?? english[word.replace(/\w+$/, 'other')]!]),
  );
  const foreign = { ...FRENCH, language: 'ru', words };
  assert.deepEqual(listProfileProblems(foreign), []);
  const { 'edition.title.few': _, ...fewer } = words;
  assert.match(listProfileProblems({ ...foreign, words: fewer })[0]!, /Missing: edition\.title\.few$/);
  const { count } = localizationFor({
    ...foreign,
    words: { ...words, 'edition.title.few': '{n} несколько', 'edition.title.many': '{n} много' },
  });
  assert.deepEqual(
    [2, 5].map((n) => count('edition.title', n, { places: '' })),
    ['2 несколько', '5 много'],
  );
});

test('names with an article and first days of months follow French spelling', () => {
  const titleOf = (name: string) => localizationFor({ ...FRENCH, name }).say('title');
  assert.deepEqual(
    ['Rennes', 'Le Mans', 'Les Ulis', 'La Rochelle', 'Lens'].map((name) =>
      titleOf(name).slice('Nouveaux établissements '.length),
    ),
    ['à Rennes', 'au Mans', 'aux Ulis', 'à La Rochelle', 'à Lens'],
  );
  const { day, monthDay, count, daysOfYear } = localizationFor(FRENCH);
  for (const month of '01 02 03 04 05 06 07 08 09 10 11 12'.split(' '))
    for (const write of [day, (one: string) => monthDay(one, 'short', '2026')]) {
      const [first, later] = ['01', '11'].map((date) => write(`2026-${month}-${date}`));
      assert.equal(first, later!.replace('11', '1er'));
    }
  assert.equal(daysOfYear('2026-01-01', '2026-10-06'), '1er janvier\u2009–\u20096 octobre');
  const ranges = ['2026-10-09', '2026-11-02'].map((to) =>
    pageLocalizationFor(FRENCH).daysOfYear('2026-10-03', to),
  );
  assert.deepEqual(ranges, ['3–\u20609\u00a0octobre', '3\u00a0octobre\u00a0–\u20092\u00a0novembre']);
  const english = pageLocalizationFor({ ...FRENCH, language: 'en' });
  assert.equal(english.daysOfYear('2026-10-03', '2026-10-09'), 'October\u00a03\u00a0–\u2060\u00a09');
  assert.equal(count('results.count', 1), '1\u00a0établissement');
  assert.equal(count('results.count', 0), '0\u00a0établissement');
});

test('every category has a French name, and unknown values have their names in both languages', () => {
  assert.equal(categories.length, CATEGORIES.length);
  assert.equal(new Set(categories).size, CATEGORIES.length);
  assert.deepEqual(
    CATEGORIES.filter((one, i) => isUnknown(one) !== isUnknown(categories[i]!)),
    [],
  );
  assert.ok(isUnknown(categories.at(-1)!) && isUnknown(unknownNeighborhood) && isUnknown(UNCATEGORIZED));
  assert.deepEqual(
    CATEGORIES.filter((one) => groupOf(one) === 'unknown'),
    [UNCATEGORIZED],
  );
  const values = putUnknownLast([UNCATEGORIZED, 'Legal'].map((value) => ({ value })));
  assert.equal(values.at(-1)?.value, UNCATEGORIZED);
  const same = CATEGORIES.filter((one) => categories.includes(one));
  assert.deepEqual(same, ['Restaurants']);
  const asked = readDataLines('synonyms.fr.csv').flatMap(([names = '']) => names.split('|'));
  assert.deepEqual(
    asked.filter((name) => !categories.includes(name)),
    [],
  );
});

test('French words find the listings of their category', () => {
  const index = anIndex(frenchRows(900), 'v1', 'fr');
  const totalOf = (question: Partial<typeof EVERYTHING>) => {
    const result = searchListings(index, {
      question: { ...EVERYTHING, ...question },
      warnings: [],
      problems: [],
    });
    return 'tooFar' in result ? -1 : result.total;
  };
  for (const [q, category] of [
    ['restaurants', 'Restaurants'],
    ['coiffeur', 'Coiffure et beauté'],
    ['boulangerie', 'Cafés et boulangeries'],
    ['boulangeries', 'Cafés et boulangeries'],
    ['salon de coiffure', 'Coiffure et beauté'],
    ['pâtisserie', 'Cafés et boulangeries'],
    ['plombier', 'Bâtiment et travaux'],
    ['médecins', 'Médecins et santé'],
    ['garde d’enfants', 'Crèches et garde d’enfants'],
  ] as const) {
    const whole = totalOf({ category: [category] });
    assert.ok(whole > 0, category);
    assert.equal(totalOf({ q }), whole, q);
  }
});

const PATHS = `
/ /?offset=25 /?q=coiffeur /?q=zzz /?q=zzz&filed_from=2026-11-19 /?q=12%20rue%20du%20quai /?q=! /?q=coifeur
/?q=restaurants%20sauf%20au%20vieux%20port /?q=2026%20par%20rapport%20%C3%A0%202025 /?q=ce%20qui%20a%20chang%C3%A9
/?q=quel%20quartier%20a%20le%20plus%20de%20restaurants /?category=Restaurants&neighborhood=Vieux%20Port&status=closed
/?neighborhood=Nulle /?filed_from=2026-05-01&filed_to=2026-01-01 /?q=${'a%20'.repeat(120)} /changes
/changes?by=category&sort=share /changes?filed_from=2020-01-01 /changes?filed_from=2027-01-01
/changes?neighborhood=Vieux%20Port /about /feeds?q=pain /embed /embed?q=zzz /weekly
/weekly/${AN_EDITION}?category=Restaurants /rien`;

test('no page of a French city has an English word', async (t) => {
  const reasons = ['outside the city', 'personal name', 'no name', 'filing date not known'];
  const skipped = new Map([...reasons, 'filed before 2023-11-01'].map((reason) => [reason, 40]));
  const leftOut = { read: 9_000, skipped, rejected: 4 };
  const areas = ['Vieux Port', 'La Jetée', 'Les Tanneurs'].map((name, i) => ({
    name,
    path: `M${i} 0l9 0 0 9z`,
    ...{ x: 6, y: 3 },
  }));
  const outline = () => ({ width: 100, height: 50, areas });
  const door = await aDoor(t, {
    ...{ city: FRENCH, catalogue: anIndex(frenchRows(900), 'v1', 'fr'), limits: 'off', mayEmbed: true },
    ...{ leftOut: () => leftOut, outline, subscriptions: {} as SubscriptionService },
  });
  const see = async (path: string) => {
    const html = await textOf(
      door.get(path, { headers: { accept: 'text/html' } }),
      path === '/rien' ? 404 : 200,
    );
    assert.match(html, /<html lang="fr" dir="ltr">/, path);
    assert.deepEqual(findEnglish(html), [], path);
    return html;
  };
  for (const path of PATHS.trim().split(/\s+/)) await see(path);
  assert.match(await see('/?q=4999%20rue%20des%20Zzz'), /Les fiches n’ont ni adresse/);
  const [, line = ''] = /<p class="examples">(.*?)<\/p>/s.exec(await see('/')) ?? [];
  assert.deepEqual(
    Array.from(line.matchAll(/<a [^>]*>([^<]*)</g), ([, q]) => q),
    ['restaurants à La Jetée', 'ce qui a le plus augmenté', 'restaurants 2026 contre 2025'],
  );
  const about = await see('/about');
  assert.match(about, /204 lignes du registre sur 9\s000 sont écartées\./);
  for (const reason of ['hors de la commune', 'nom d’une personne', 'enregistré avant le 1er novembre 2023'])
    assert.ok(about.includes(reason), reason);
});

test('before the first run, the page of a French city waits in French', async (t) => {
  const door = await aDoor(t, { city: FRENCH, catalogue: null });
  const html = await textOf(door.get('/', { headers: { accept: 'text/html' } }), 503);
  assert.match(html, /Les premières données sont en cours de chargement/);
  assert.deepEqual(findEnglish(html), []);
});

test('the API and the feeds of a French city have French values, and its feeds are in French', async (t) => {
  const door = await aDoor(t, { city: FRENCH, rows: frenchRows(900), limits: 'off' });
  type Counts = Record<'by_category' | 'by_neighborhood', object>;
  const { by_category, by_neighborhood } = await jsonOf<Counts>(door.get('/api/stats'));
  assert.deepEqual(new Set(Object.keys(by_category)).difference(new Set(categories)), new Set());
  assert.ok('Quartier inconnu' in by_neighborhood);
  type Item = { title: string; content_text: string };
  type Feed = { language: string; title: string; description: string; items: Item[] };
  const feed = await jsonOf<Feed>(door.get('/feed.json'));
  const said = [feed.title, feed.description, ...feed.items.map(({ content_text }) => content_text)];
  assert.deepEqual([feed.language, findEnglish(said.join('\n'))], ['fr', []]);
  const empty = await jsonOf<Feed>(door.get('/feed.json?q=zzz'));
  assert.deepEqual(findEnglish(`${empty.items[0]!.title} ${empty.items[0]!.content_text}`), []);
});

test('no page or email of a subscription in a French city has an English word', async (t) => {
  const chosen = { categories: 'Coiffure et beauté', neighborhoods: unknownNeighborhood };
  await readSubscription(t, { city: FRENCH, rows: frenchRows(900), chosen }, findEnglish);
  readEditions(FRENCH, findEnglish);
});

test('while the database is away, the pages of a French city say so in French', async (t) => {
  const away = async () => {
    throw new ShingleError('store', 'no database');
  };
  const subscriptions = {
    ...{ requestSignup: away, findTokenHolder: away, confirm: away, leave: away, erase: away },
    changePreferences: away,
  };
  const door = await aDoor(t, { city: FRENCH, subscriptions });
  const body = new URLSearchParams({ email: 'ann@b.example', type: 'weekly' });
  for (const [path, init] of [
    ['/signup', { method: 'POST', body }],
    ['/manage?token=x', {}],
  ] as const) {
    const response = await door.get(path, init);
    assert.deepEqual([response.status, findEnglish(await response.text())], [503, []]);
  }
});

test('French texts on the English page of a French city are marked as French', async () => {
  const marked = '<(?:a class="skip"|header class="bar"|footer) lang="fr" dir="ltr"';
  for (const path of ['/docs', '/problems/not-found']) {
    const html = await pageOf(path, { city: FRENCH });
    assert.match(html, /^<!doctype html>\n<html lang="en"/);
    assert.equal(html.match(new RegExp(marked, 'g'))?.length, 3, path);
  }
  assert.doesNotMatch(await pageOf('/about', { city: FRENCH }), new RegExp(marked));
});

/** A city whose language is not English: every page and email of a subscription is in it, with its plural forms. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { City } from '../../src/register/profile/define.ts';
import { listProfileFaults } from '../../src/register/profile/schema/profile.ts';
import { localizationFor } from '../../src/shared/city/localization.ts';
import { listWordsOf, WORDS } from '../../src/shared/city/page-words.ts';
import { ShingleError } from '../../src/shared/errors.ts';
import { textOf } from '../an-answer.ts';
import { aDoor, anIndex, CITY, someRows } from '../service/web/a-door.ts';
import { readEditions, readSubscription } from './subscription-texts.ts';

/** A language with four plural forms, written without a Latin letter: each letter of the English text is one of its letters. */
const translate = (text: string) =>
  text.replace(/\{\w+\}|[A-Za-z]/g, (part) => (part.length > 1 ? part : 'ж'));
const english = WORDS as Record<string, string>;
const words = Object.fromEntries(
  listWordsOf('ru').map((word) => [
    word,
    translate(english[word] ?? english[word.replace(/\w+$/, 'other')]!),
  ]),
);
const FOREIGN: City = {
  ...CITY,
  name: 'Ω',
  language: 'ru',
  words,
  operator: { name: 'Ψ', contact: 'Ψ@Ψ' },
  sources: [{ ...CITY.sources[0]!, publisher: 'Σ', license: 'Λ', notice: 'Ν' }],
};
/** What is not translated: names of businesses and their values, addresses, and the name of the software in a label. */
const DATA = [
  ...new Set(someRows(60).flatMap(({ name, category, neighborhood }) => [name, category, neighborhood])),
  ...['Legal', 'Gone', 'odile@port.example', '@b.example', 'Shingle', 'Shop'],
  ...['Old Town', '1 Quay Street', 'name@example.com', 'API'],
];

/** The words in Latin letters that a person sees or hears. */
function leftovers(text: string): string[] {
  const labels = [...text.matchAll(/\b(?:aria-label|alt|title|placeholder|content)="([^"]*)"/g)].map(
    ([, label]) => label,
  );
  const seen = text
    .replace(/<(style|script)[\s\S]*?<\/\1>/g, ' ')
    .replace(/<meta[^>]*>/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/https?:\S+/g, ' ')
    .replace(/&\w+;/g, ' ');
  let rest = [seen, ...labels.filter((label) => !/^width=|^(light|only)/.test(label!))].join('\n');
  for (const one of DATA.flatMap((one) => one ?? []).toSorted((a, b) => b.length - a.length))
    rest = rest.replaceAll(new RegExp(RegExp.escape(one), 'gi'), ' ');
  return rest.match(/[A-Za-z]{2,}/g) ?? [];
}

const post = (fields: Record<string, string>) => ({
  method: 'POST',
  body: new URLSearchParams(fields),
});

test('a profile in another language must have every text in each of its plural forms', () => {
  assert.deepEqual(listProfileFaults(FOREIGN), []);
  const { 'edition.title.few': _, ...fewer } = words;
  assert.match(listProfileFaults({ ...FOREIGN, words: fewer })[0]!, /Missing: edition\.title\.few$/);
  const { count } = localizationFor({
    ...FOREIGN,
    words: { ...words, 'edition.title.few': '{n} несколько', 'edition.title.many': '{n} много' },
  });
  assert.deepEqual(
    [2, 5, 21].map((n) => count('edition.title', n, { places: '' }).split(' ')[1]),
    ['несколько', 'много', words['edition.title.one']!.split(' ')[1]],
  );
});

test('every page and email of a subscription is in the language of the city', (t) =>
  readSubscription(
    t,
    { city: FOREIGN, rows: someRows(60), chosen: { categories: 'Restaurants', neighborhoods: 'Café Row' } },
    leftovers,
  ));

test('every kind of weekly email is in the language of the city', () => readEditions(FOREIGN, leftovers));

test('while the database is away, the pages say so in the language of the city', async (t) => {
  const away = async () => {
    throw new ShingleError('store', 'no database');
  };
  const subscriptions = {
    ...{ requestSignup: away, findTokenHolder: away, confirm: away, leave: away, erase: away },
    changePreferences: away,
  };
  const door = await aDoor(t, { city: FOREIGN, subscriptions });
  for (const [path, init] of [
    ['/signup', post({ email: 'ann@b.example', type: 'weekly' })],
    ['/manage?token=x', {}],
  ] as const) {
    const response = await door.get(path, init);
    assert.deepEqual([response.status, leftovers(await response.text())], [503, []]);
  }
});

test('the public pages are in the language of the city, in every state', async (t) => {
  const door = await aDoor(t, { city: FOREIGN, catalogue: anIndex(someRows(60)), limits: 'off' });
  for (const path of [
    ...['/', '/?offset=25', '/changes', '/changes?by=category&sort=share', '/about'],
    ...['/changes?filed_from=2020-01-01', '/changes?filed_from=2027-01-01', '/?status=closed&category=Legal'],
  ]) {
    const html = await textOf(door.get(path, { headers: { accept: 'text/html' } }));
    assert.match(html, /<html lang="ru" dir="ltr">/, path);
    const rest = leftovers(html.replaceAll(/<textarea[\s\S]*?<\/textarea>|<(meta|link)[^>]*>/g, ' '));
    assert.deepEqual(rest, [], path);
  }
});

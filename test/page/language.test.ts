/** A city whose language is not English: every page and email of a subscription is in it, with its plural forms. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderEditionEmail } from '../../src/page/email/edition-email.ts';
import type { City } from '../../src/register/profile/define.ts';
import { listProfileFaults } from '../../src/register/profile/schema/profile.ts';
import { makeEditionContent, selectPart } from '../../src/service/mail/editions/edition.ts';
import { parseAddress } from '../../src/service/subscribers/address.ts';
import { formatPreferences } from '../../src/service/subscribers/preferences.ts';
import { localizationFor } from '../../src/shared/city/localization.ts';
import { listWordsOf, WORDS } from '../../src/shared/city/page-words.ts';
import { ShingleError } from '../../src/shared/errors.ts';
import { aFiling } from '../a-filing.ts';
import { aSignupServer } from '../service/mail/a-mailing.ts';
import { AN_EDITION, aDoor, anIndex, CITY, someRows } from '../service/web/a-door.ts';

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
  sources: [{ ...CITY.sources[0]!, publisher: 'Σ', licence: 'Λ', notice: 'Ν' }],
};
/** What is not translated: names of businesses and their values, addresses, and the name of the software in a label. */
const DATA = [
  ...new Set(someRows(60).flatMap(({ name, category, neighborhood }) => [name, category, neighborhood])),
  ...['Legal', 'Gone', 'ann@b.example', '@b.example', 'Shingle', 'Shop'],
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
  for (const one of DATA.toSorted((a, b) => b.length - a.length))
    rest = rest.replaceAll(new RegExp(RegExp.escape(one), 'gi'), ' ');
  return rest.match(/[A-Za-z]{2,}/g) ?? [];
}

const post = (fields: Record<string, string>, headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  body: new URLSearchParams(fields).toString(),
});
const pathOf = (link: string) => new URL(link).pathname + new URL(link).search;

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

test('every page of a subscription is in the language of the city', async (t) => {
  const { mailing, ...door } = await aSignupServer(t, { city: FOREIGN });
  const seen = async (path: string, init?: RequestInit) => {
    const response = await door.get(path, { ...init, headers: { accept: 'text/html', ...init?.headers } });
    const html = await response.text();
    assert.match(html, /<html lang="ru" dir="ltr">/, path);
    assert.deepEqual(leftovers(html), [], `${init?.method ?? 'GET'} ${path}`);
    return response.status;
  };
  const signup = { email: 'ann@b.example', type: 'weekly' };
  assert.equal(await seen('/signup'), 200);
  assert.equal(await seen('/signup', post({ ...signup, email: 'x' })), 422);
  assert.equal(await seen('/signup', post({ ...signup, type: 'x' })), 422);
  assert.equal(await seen('/signup', post({ ...signup, categories: 'x' })), 422);
  assert.equal(await seen('/signup', post(signup, { origin: 'https://evil.example' })), 403);
  assert.equal(await seen('/signup', { method: 'POST', body: 'x' }), 415);
  assert.equal(await seen('/signup', post({ ...signup, categories: 'Restaurants' })), 200);
  await mailing.subscriptions.requestSignup(parseAddress('ann@b.example')!, 'pro-waitlist', 'api');
  const mails = await mailing.deliver();
  assert.equal(mails.length, 2);
  for (const { subject, text, html, links } of mails) {
    assert.deepEqual(leftovers([subject, text, html].join('\n')), []);
    assert.equal(await seen(pathOf(links.confirm!)), 200);
    assert.equal(await seen(pathOf(links.confirm!), { method: 'POST' }), 200);
    assert.equal(await seen(pathOf(links.confirm!)), 200);
  }
  assert.equal(await seen('/confirm?token=x'), 404);
  assert.equal(await seen('/unsubscribe?token=x'), 200);
  const manage = pathOf(mails[0]!.links.manage!);
  assert.equal(await seen(manage), 200);
  assert.equal(await seen(manage, post({ action: 'change', neighborhoods: 'Café Row' })), 200);
  assert.equal(await seen(manage, post({ action: 'change', neighborhoods: 'x' })), 422);
  assert.equal(await seen(manage, post({ action: 'everything' })), 200);
  const [edition] = (await mailing.edition(30)).filter(({ links }) => links.unsubscribe !== undefined);
  assert.deepEqual(leftovers([edition!.subject, edition!.text, edition!.html].join('\n')), []);
  assert.equal(await seen(pathOf(edition!.links.unsubscribe!)), 200);
  assert.equal(await seen(pathOf(edition!.links.unsubscribe!), { method: 'POST' }), 200);
  assert.equal(await seen(manage), 200);
  assert.equal(await seen(manage, post({ action: 'erase' })), 200);
  for (const path of ['/weekly', `/weekly/${AN_EDITION}?offset=25`, `/weekly/${AN_EDITION}?category=x`])
    assert.equal(await seen(path), 200);
  const statuses: number[] = [];
  for (let i = 0; i < 25; i++)
    statuses.push(await seen('/signup', post({ ...signup, email: `p${i}@b.example` })));
  assert.equal(statuses.at(-1), 429);
});

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

test('every kind of weekly email is in the language of the city', () => {
  const stored = (facts: Parameters<typeof aFiling>[0], i: number) => ({
    ...aFiling({ ...facts, key: `k${i}`, name: `Shop ${i}` }),
    ...{ source: 's', arrival: 1, arrivedAt: '2026-11-20T00:00:00.000Z', isNews: true },
  });
  const edition = (count: number, name: string) =>
    makeEditionContent({
      ...{ edition: name, today: '2026-11-23', suppressed: [] },
      ...{ from: count === 1 ? '2026-11-23' : '2026-11-16', to: '2026-11-23' },
      news: Array.from({ length: count }, (_, i) =>
        stored(
          {
            status: (['open', 'closed', 'expired', 'abandoned', 'unknown'] as const)[i % 5]!,
            category: i % 2 === 0 ? 'Uncategorized' : 'Legal',
            neighborhood: i % 3 === 0 ? 'Unknown' : `Ω${i % 17}`,
          },
          i,
        ),
      ),
    });
  const last = edition(30, '2026-11-02');
  const links = {
    unsubscribe: 'https://r.example/u',
    manage: 'https://r.example/m',
    home: 'https://r.example/',
  };
  const wishes = [
    null,
    formatPreferences({ categories: ['Legal', 'Uncategorized'], neighborhoods: [] }),
    formatPreferences({ categories: [], neighborhoods: ['Unknown', 'Ω1', 'Ω2', 'Ω4'] }),
    formatPreferences({ categories: ['Uncategorized'], neighborhoods: ['Unknown'] }),
  ];
  for (const [whole, earlier] of [
    [last, []],
    [edition(1, '2026-11-23'), [last]],
    [edition(60, '2026-11-23'), [last]],
  ] as const)
    for (const preferences of wishes)
      for (const isExample of [false, true]) {
        const content = selectPart(whole, preferences, []);
        const { subject, html, text } = renderEditionEmail({
          ...{
            city: FOREIGN,
            content,
            earlier,
            preferences,
            links,
            postalAddress: '1 Quay Street',
            isExample,
          },
        });
        assert.match(html, /<html lang="ru" dir="ltr">/);
        assert.deepEqual(leftovers([subject, html, text].join('\n')), [], subject);
      }
});

test('the public pages are in the language of the city, in every state', async (t) => {
  const door = await aDoor(t, { city: FOREIGN, catalogue: anIndex(someRows(60)), limits: 'off' });
  for (const path of [
    ...['/', '/?offset=25', '/changes', '/changes?by=category&sort=share', '/about'],
    ...['/changes?filed_from=2020-01-01', '/changes?filed_from=2027-01-01', '/?status=closed&category=Legal'],
  ]) {
    const html = await (await door.get(path, { headers: { accept: 'text/html' } })).text();
    assert.match(html, /<html lang="ru" dir="ltr">/, path);
    const rest = leftovers(html.replaceAll(/<textarea[\s\S]*?<\/textarea>|<(meta|link)[^>]*>/g, ' '));
    assert.deepEqual(rest, [], path);
  }
});

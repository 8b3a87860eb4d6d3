/** What a person reads of a signup has the right address, purpose, place and day in each of its sentences. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import WORDS from '../../src/data/subscription-words.json' with { type: 'json' };
import { fillIn } from '../../src/shared/text/fill-in.ts';
import { CITY, someRows } from '../service/web/a-door.ts';
import { readSubscription } from './subscription-texts.ts';

const city = { ...CITY, language: 'en' };
const WHAT = 'Restaurants in Café Row';
const WEEKLY = fillIn(WORDS['weekly.purpose'], { city: city.name });
const VALUES = {
  ...{ city: city.name, operator: city.operator.name, contact: city.operator.contact, what: WHAT },
  ...{ address: 'odile@port.example', purpose: WEEKLY, day: 'November 23, 2026', n: 20 },
};
/** Values of single texts that differ from those of all others. */
const OWN: Record<string, Record<string, string | number>> = {
  'signup.wrong.origin': { address: 'https://rivermouth.example' },
  'signup.wrong.often.other': { n: 3 },
  'confirm.email.subject': { what: fillIn(WORDS['weekly.subject'], { city: city.name }) },
  'next.edition': { day: 'Monday, November 23, 2026' },
  'preferences.both': { kinds: 'Restaurants', places: 'Café Row' },
  'preferences.places.some': { what: 'Café Row' },
  'preferences.kinds.some': { what: 'Restaurants' },
};
/** Texts of other states: of ended registers, of a service without a mail server, and of what others do. */
const ELSEWHERE = [
  ...['preferences.all', 'preferences.kinds', 'preferences.places', 'preferences.gone', 'preferences.many'],
  ...['weekly.about', 'signup.ended', 'ended.newer', 'signup.wrong.often.one', 'signup.unsent'],
  ...['manage.by.operator', 'manage.covers', 'announcement.why', 'edition.why.part'],
];

const OF_A_SIGNUP =
  /^(?:signup|confirm|leave|manage|link|notice|weekly|waitlist|preferences|announcement|next|ended|edition\.why)/;
const SIGNS: Record<string, string> = { amp: '&', '#39': "'", quot: '"', lt: '<', gt: '>' };
const plain = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|#39|quot|lt|gt);/g, (_, name: string) => SIGNS[name]!)
    .replace(/\s+/g, ' ');

test('each sentence about a signup names its person, its purpose, its city and its day', async (t) => {
  const read: string[] = [];
  const chosen = { categories: 'Restaurants', neighborhoods: 'Café Row' };
  await readSubscription(t, { city, rows: someRows(60), chosen }, (text) => {
    read.push(plain(text));
    return [];
  });
  const all = read.join('\n');
  const unread = Object.entries(WORDS)
    .filter(([word, text]) => OF_A_SIGNUP.test(word) && text.includes('{'))
    .filter(([word, text]) => !all.includes(plain(fillIn(text, { ...VALUES, ...OWN[word] }))));
  assert.deepEqual(
    unread.map(([word]) => word),
    ELSEWHERE,
  );
});

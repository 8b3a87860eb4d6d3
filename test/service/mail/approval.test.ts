/** An edition that the operator approves is sent as it was seen, and one that nobody approves as `city.yaml` says. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  decideEdition,
  findUnapproved,
  readComing,
} from '../../../src/service/mail/editions/decide-edition.ts';
import { parseIntroduction, splitIntroduction } from '../../../src/shared/edition/introduction.ts';
import { aFiling } from '../../a-filing.ts';
import { kept } from '../database/store-cases.ts';
import { CITY } from '../web/a-door.ts';
import { aMailing, confirmed, MONDAY } from './a-mailing.ts';

const HOUR = 3_600_000;
const WEEK = 7 * 24 * HOUR;
const SLOT = MONDAY - HOUR; // 08:00 in Rivermouth
const BEFORE = SLOT - HOUR;

/** A list of one person, in a city that asks for approval. Its first edition is due a week after the clock's start. */
async function aNewsroom(unapproved: 'send' | 'skip' = 'send') {
  const weekly = { weekday: 'Monday', time: '08:00', approval: true, unapproved } as const;
  const city = { ...CITY, weekly };
  const mailing = await aMailing({ city });
  const { store, clock } = mailing;
  const at = (ms: number) => {
    clock.now = ms;
    return new Date(ms).toISOString();
  };
  at(BEFORE - WEEK);
  await confirmed(mailing, 'reader@b.example');
  const seen = (await mailing.deliver()).length;
  const context = { city, store };
  return {
    ...{ store, context, at },
    arrive: (name: string) => kept(store, [aFiling({ key: name, name })], { snapshot: false }),
    coming: (ms: number) => readComing(context, at(ms)),
    approve: async ({ edition, digest }: { edition: string; digest: string }) =>
      assert.ok(await store.editions.prepare(edition, { digest })),
    /** Decides and delivers as the schedule does. Returns the outcome and the texts of the new emails. */
    async fire(ms: number) {
      const { outcome } = await decideEdition(context, at(ms), false);
      const mails = await mailing.deliver();
      return { outcome, texts: mails.slice(seen).map(({ text }) => text), html: mails.at(-1)?.html ?? '' };
    },
  };
}

test('an approved edition is sent with its introduction in text and HTML, and waits if it has changed since', async () => {
  const { store, arrive, coming, approve, fire } = await aNewsroom();
  await arrive('Harbor Bakery');
  const first = await coming(BEFORE);
  await approve(first);
  const introduction = 'A week by the water.\n\nSee https://example.org/a?b=1&c=2, and write to us.';
  for (const words of ['By the water.', introduction]) {
    await store.editions.prepare(first.edition, { introduction: words });
    assert.equal((await fire(SLOT)).outcome, 'waiting', 'an introduction changes what was approved');
    await approve(await coming(SLOT));
  }
  const introduced = await coming(SLOT);
  await arrive('Quay Books');
  assert.equal((await fire(SLOT)).outcome, 'waiting', 'a listing that arrives changes it, too');
  const last = await coming(SLOT);
  assert.equal(new Set([first.digest, introduced.digest, last.digest]).size, 3);
  await approve(last);
  const { outcome, texts, html } = await fire(SLOT + HOUR);
  assert.equal(outcome, 'decided');
  assert.equal(texts.length, 1);
  for (const words of [
    'A week by the water.',
    'https://example.org/a?b=1&c=2',
    'Harbor Bakery',
    'Quay Books',
  ])
    assert.ok(texts[0]!.includes(words), words);
  assert.match(
    html,
    /<p[^>]*>A week by the water\.<\/p>\n<p[^>]*>See <a href="https:\/\/example\.org\/a\?b=1&amp;c=2"/,
  );
  assert.equal((await store.editions.edition(last.edition))!.introduction, introduction);
  assert.equal(await store.editions.prepare(last.edition, { introduction: 'later' }), false);
  const next = await coming(SLOT + WEEK);
  assert.deepEqual([next.made.from, next.made.to], ['2026-11-23', '2026-11-30'], 'since the last edition');
});

for (const [unapproved, outcome, next] of [
  ['send', 'decided', []],
  ['skip', 'unapproved', ['Harbor Bakery']],
] as const)
  test(`an unapproved edition waits for 24 hours after its slot: ${unapproved}`, async () => {
    const { store, arrive, fire, context, at } = await aNewsroom(unapproved);
    await arrive('Harbor Bakery');
    const DAY = 24 * HOUR;
    assert.equal(await findUnapproved(context, at(SLOT - DAY - 1)), undefined);
    const told = await findUnapproved(context, at(SLOT - DAY));
    assert.deepEqual([told?.total, told?.until], [1, new Date(SLOT + DAY).toISOString()]);
    const early = await fire(SLOT + DAY - 1);
    assert.deepEqual([early.outcome, early.texts], ['waiting', []]);
    const due = await fire(SLOT + DAY);
    assert.deepEqual([due.outcome, due.texts.length], [outcome, unapproved === 'send' ? 1 : 0]);
    const left = (await store.editions.news()).listings.map(({ name }) => name);
    assert.deepEqual(left, next, 'news that was not sent is in the next edition');
  });

test('a listing that was left out is in no edition, and can be put back', async () => {
  const { store, arrive, coming, approve, fire } = await aNewsroom();
  await arrive('Harbor Bakery');
  await arrive('Quay Books');
  const [one] = (await coming(BEFORE)).made.listings;
  await store.editions.leaveOut([one!], new Date(BEFORE).toISOString());
  const without = await coming(BEFORE);
  assert.deepEqual([without.total, without.leftOut], [1, 1]);
  await store.editions.leaveOut([one!]);
  assert.deepEqual((await coming(BEFORE)).total, 2);
  await store.editions.leaveOut([one!], new Date(BEFORE).toISOString());
  await approve(await coming(BEFORE));
  const { texts } = await fire(SLOT);
  assert.deepEqual([texts.length, texts[0]!.includes(one!.name)], [1, false]);
  await arrive('Net Loft');
  const next = await coming(SLOT + WEEK);
  assert.deepEqual(
    next.made.listings.map(({ name }) => name),
    ['Net Loft'],
  );
});

test('an introduction is plain text of at most 500 characters, and only its URLs become links', () => {
  for (const letter of 'é🍕')
    assert.equal(parseIntroduction(` ${letter.repeat(500)}\r\n`), letter.repeat(500));
  assert.equal(parseIntroduction('  \n '), null);
  assert.throws(() => parseIntroduction('x'.repeat(501)), /at most 500 characters, and this one has 501/);
  for (const strange of ['\u0000', '\u001b', '\u202e', '\ufeff'])
    assert.throws(() => parseIntroduction(`a${strange}b`), /plain text/, strange);
  assert.deepEqual(splitIntroduction('See (https://a.example/b_(c)).\nBye.\n\njavascript:alert(1)'), [
    [
      { text: 'See (' },
      { text: 'https://a.example/b_(c', href: 'https://a.example/b_(c' },
      { text: ')).\nBye.' },
    ],
    [{ text: 'javascript:alert(1)' }],
  ]);
});

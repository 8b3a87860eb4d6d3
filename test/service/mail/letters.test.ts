/** What words of emails lead to and count, in all kinds of emails. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderAlertEmail } from '../../../src/page/email/alert-email.ts';
import { renderAnnouncementEmail } from '../../../src/page/email/announcement-email.ts';
import { renderConfirmationEmail } from '../../../src/page/email/confirmation-email.ts';
import { renderEditionEmail } from '../../../src/page/email/edition-email.ts';
import { localizationFor } from '../../../src/shared/city/localization.ts';
import { escapeMarkup } from '../../../src/shared/text/escape.ts';
import { CITY } from '../web/a-door.ts';
import { contentOf } from './an-edition.ts';

const PUBLIC_URL = 'https://openings.example';
const LINKS = {
  home: `${PUBLIC_URL}/`,
  unsubscribe: `${PUBLIC_URL}/unsubscribe?token=u`,
  manage: `${PUBLIC_URL}/manage?token=m`,
  confirm: `${PUBLIC_URL}/confirm?token=c`,
};
const DAY = '2026-11-23';
const MAKING = { edition: DAY, from: DAY, to: DAY, today: DAY, news: [], suppressed: [] };
const WORDS = {
  'email.unsubscribe': LINKS.unsubscribe,
  'email.manage': LINKS.manage,
  'email.change': LINKS.manage,
  'confirm.button': LINKS.confirm,
} as const;

test('the words of each link with a token say what its address does, in HTML and in text', () => {
  for (const language of ['en', 'fr']) {
    const city = { ...CITY, language };
    const sender = { city, links: LINKS, postalAddress: undefined };
    const announcement = { type: 'pro-waitlist', subject: 'Pro', words: '# Pro\n\nIs here.' } as const;
    const emails = [
      renderEditionEmail({ ...sender, content: contentOf(MAKING) }),
      renderAnnouncementEmail({ ...sender, announcement }),
      renderConfirmationEmail({ ...sender, publicUrl: PUBLIC_URL }, 'weekly', null, LINKS),
    ];
    const { say } = localizationFor(city);
    const seen = emails.flatMap(({ html, text }) =>
      (Object.keys(WORDS) as (keyof typeof WORDS)[]).filter((word) => {
        const label = say(word);
        const found = new RegExp(`href="([^"]*)"[^>]*>${RegExp.escape(escapeMarkup(label))}</a>`).exec(html);
        if (found === null) return false;
        assert.equal(found[1], WORDS[word], label);
        assert.ok(text.includes(`${label}${label.endsWith('?') ? '' : ':'}\n${WORDS[word]}`), label);
        return true;
      }),
    );
    assert.deepEqual(new Set(seen), new Set(Object.keys(WORDS)), language);
    assert.equal(seen.length, 2 + 2 + 2);
  }
});

test('the subject of an alert names its concern, or counts several', () => {
  const concern = {
    summary: 'run 2 of licences was held: it shrank',
    since: '2026-11-23T16:00:00Z',
    steps: [],
  };
  const subjects = [1, 2, 3].map((n) => {
    const email = renderAlertEmail({ city: CITY, serviceUrl: PUBLIC_URL }, Array(n).fill(concern));
    assert.equal(email.text.split('Since 2026-11-23 16:00 UTC').length - 1, n);
    assert.equal(email.html.match(/16:00 UTC\.<\/p>\n*</g)?.length, n, 'without steps, no list');
    return email.subject.slice(CITY.name.length);
  });
  assert.deepEqual(subjects, [
    ': run 2 of licences was held',
    ': 2 things need your attention',
    ': 3 things need your attention',
  ]);
});

/** The content of an edition: each new listing in exactly one, counts that add up, nothing that must not be served. And the words of emails. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderAlertEmail } from '../../../src/page/email/alert-email.ts';
import { renderAnnouncementEmail } from '../../../src/page/email/announcement-email.ts';
import { renderConfirmationEmail } from '../../../src/page/email/confirmation-email.ts';
import { countShown, renderWeeklyEmail } from '../../../src/page/email/weekly-email.ts';
import { openRepositories } from '../../../src/service/data/store.ts';
import type { Engine } from '../../../src/service/database/engines/engine.ts';
import { openSqlite } from '../../../src/service/database/engines/sqlite.ts';
import { decideEdition, findDueSlot } from '../../../src/service/mail/editions/decide-edition.ts';
import { openEditionStore } from '../../../src/service/mail/editions/edition-store.ts';
import { localizationFor } from '../../../src/shared/city/localization.ts';
import { addDays } from '../../../src/shared/day.ts';
import { type EditionContent, selectPart } from '../../../src/shared/edition/edition.ts';
import { NO_PREFERENCES } from '../../../src/shared/signup/preferences.ts';
import { escapeMarkup } from '../../../src/shared/text/escape.ts';
import { aFiling } from '../../a-filing.ts';
import { aFolder } from '../../a-folder.ts';
import { openStore } from '../../a-store.ts';
import { toPlainDates } from '../../an-answer.ts';
import { kept } from '../database/store-cases.ts';
import { CITY } from '../web/a-door.ts';
import { contentOf } from './an-edition.ts';

const START = Date.parse('2026-01-05T12:00:00Z');
const folder = aFolder();
let stores = 0;

test('an archive has no edition, by its profile or because its newest filing is older than 180 days', async () => {
  const store = await openStore(`${folder}/archive`);
  const filings = [aFiling({ key: 'k1' })];
  await kept(store, filings, { source: 'a', snapshot: false, startedAt: at(START), endedAt: at(START) });
  const week = at(START + 7 * 86_400_000);
  const { archive: _, ...unsaid } = CITY;
  const decide = async (archive: boolean | undefined, latest: string | null) => {
    const city = archive === undefined ? unsaid : { ...CITY, archive };
    const listings = { suppressions: async () => [], latestFiling: async () => latest };
    const context = { city, store: { editions: store.editions, listings } };
    const { outcome } = await decideEdition(context, week, true);
    return [outcome === 'archive', (await findDueSlot(context, week)) === undefined];
  };
  const old = addDays(week.slice(0, 10), -182);
  assert.deepEqual(await decide(true, week.slice(0, 10)), [true, true]);
  assert.deepEqual(await decide(undefined, old), [true, true]);
  assert.deepEqual(await decide(undefined, addDays(old, 3)), [false, false]);
  assert.deepEqual(await decide(false, old), [false, false]);
  await store.close();
});

test('the listings of a run that is kept while an edition is made are in the next edition', async () => {
  const engine = openSqlite(`${folder}/${++stores}`);
  const store = await openRepositories(engine);
  const run = (key: string, snapshot = false) =>
    kept(store, [aFiling({ key })], { snapshot, startedAt: at(START), endedAt: at(START) });
  await run('baseline', true);
  await run('before');
  let reads = 0;
  const meanwhile: Engine['read'] = async (sql, params) => {
    const rows = await engine.read<never>(sql, params);
    if (++reads === 1) await run('meanwhile');
    return rows;
  };
  const first = await openEditionStore({ ...engine, read: meanwhile }).news();
  assert.ok(reads > 1);
  const { edition } = DAYS;
  const decided = { edition, reason: null, decidedAt: at(START), content: '' } as const;
  assert.ok(await store.editions.decide({ ...decided, expiresAt: at(START) }, first.runs));
  const second = await store.editions.news();
  assert.deepEqual(
    [first, second].map(({ listings }) => listings.map(({ key }) => key)),
    [['before'], ['meanwhile']],
  );
  await engine.close();
});

const at = (time: number) => new Date(time).toISOString();

const DAYS = { edition: '2026-11-23', from: '2026-11-16', to: '2026-11-23', today: '2026-11-23' };
const PUBLIC_URL = 'https://openings.example';
const LINKS = {
  home: `${PUBLIC_URL}/`,
  unsubscribe: `${PUBLIC_URL}/unsubscribe?token=u`,
  manage: `${PUBLIC_URL}/manage?token=m`,
  confirm: `${PUBLIC_URL}/confirm?token=c`,
};

type Facts = Parameters<typeof aFiling>[0];
const times = (count: number, facts: (i: number) => Facts): Facts[] =>
  Array.from({ length: count }, (_, i) => facts(i));

/** An edition of listings with these facts. */
const editionOf = (facts: readonly Facts[], more: Partial<Parameters<typeof contentOf>[0]> = {}) =>
  contentOf({
    ...{ ...DAYS, suppressed: [], ...more },
    news: facts.map((one, i) => ({
      ...aFiling({ key: `k${i}`, name: 'S', ...one }),
      ...{ source: 'licences', arrival: 1, arrivedAt: '2026-11-20T00:00:00.000Z', isNews: true },
    })),
  });
const letterOf = (content: EditionContent, more: Partial<Parameters<typeof renderWeeklyEmail>[0]> = {}) =>
  renderWeeklyEmail({ city: CITY, content, postalAddress: undefined, links: LINKS, ...more });

test('an edition shows the 25 newest listings, and neither shows nor counts suppressed listings', () => {
  const filings = times(40, (i) => ({ name: `Shop ${i}`, filedOn: `2026-10-${10 + (i % 19)}` }));
  const content = editionOf(filings, { suppressed: [{ value: 'k27' }, { value: 'SHOP, 26!' }] });
  assert.equal(content.total, 38);
  assert.deepEqual(content.byCategory, [{ value: 'Restaurants', count: 38 }]);
  const days = content.listings.map(({ filing_date }) => filing_date);
  assert.deepEqual(days, days.toSorted().reverse());
  assert.ok(!content.listings.some(({ name }) => name === 'Shop 26' || name === 'Shop 27'));
  const later = selectPart(content, NO_PREFERENCES, [{ value: 'Shop 25' }]);
  assert.deepEqual([later.total, later.listings.length], [37, 37], 'also once it is decided');
  assert.equal(letterOf(later).text.match(/^\* /gm)?.length, 25);
});

test('a listing that an edition has announced, and that was withdrawn and came back, is in no later edition', async () => {
  const store = await openStore(`${folder}/returned`);
  const day = (n: number) => at(START + n * 86_400_000);
  const keep = (keys: string, on: number, anew = true) => {
    const filings = [...keys].map((key) => aFiling({ key, filedOn: '2026-01-02' }));
    return kept(store, filings, { anew, startedAt: day(on), endedAt: day(on) });
  };
  const decided = async (on: number) => {
    const { content } = await decideEdition({ city: CITY, store }, day(on), false);
    return content?.listings.map(({ key }) => key).join('');
  };
  await keep('', 0, false);
  await keep('ab', 1, false);
  assert.equal(await decided(8), 'ab');
  await keep('b', 9);
  await keep('abc', 10);
  assert.equal(await decided(15), 'c');
  await store.close();
});

test('an edition has the usual number, earlier weeks and its groups of categories, in text and HTML', () => {
  const week = (count: number, edition: string) => {
    const kinds = ['Legal', 'Dental', 'Uncategorized', 'Uncategorized', 'Uncategorized'];
    const facts = (i: number) => ({ neighborhood: `Quarter ${i % 17}`, category: kinds[i % 5]! });
    return editionOf(times(count, facts), { edition });
  };
  const earlier = [30, 20, 40, 10].map((count, i) => week(count, `2026-11-${16 - i}`));
  const { html, text } = letterOf(week(50, '2026-11-23'), { earlier });
  for (const form of [html, text]) assert.match(form, /A\stypical\sweek\shas\s30\./);
  assert.match(
    text,
    /^New businesses per week: Nov\s13: 10; Nov\s14: 40; Nov\s15: 20; Nov\s16: 30;\sNov\s23: 50\.$/m,
  );
  assert.equal(html.match(/class="(?:quiet|now)"\s+style="height:/g)?.length, 5);
  assert.match(text, /^Beauty & health: 10, Offices & industry: 10\. Kind unknown for 30 businesses\.$/m);
  assert.match(
    html,
    />10<\/div><div[^>]*>Beauty &amp; health<.*>10<\/div><div[^>]*>Offices &amp; industry</s,
  );
  assert.equal(text.match(/^\* /gm)?.length, 24, 'eight neighborhoods of three');
  const marks = [...html.matchAll(/<td class="line"[^>]*><div class="(\w+)"[^>]*background:#\w{6}/g)];
  assert.equal(marks.length, 24, 'each row is marked with the color of its group');
  assert.deepEqual(new Set(marks.map(([, group]) => group)), new Set(['health', 'offices', 'unknown']));
  assert.match(text, /See all 50:\nhttps:\/\/openings\.example\/weekly\/2026-11-23/);
});

test('each link of an edition that is about a neighborhood has its whole name', () => {
  const places = ['Arts & Crafts', 'Pier #4 + 50 %'];
  const { html, text } = letterOf(editionOf(times(60, (i) => ({ neighborhood: places[i % 2]! }))));
  const hrefs = Array.from(html.replaceAll('&amp;', '&').matchAll(/href="([^"]+)"/g), ([, href]) => href!);
  for (const links of [hrefs, text.match(/https:\S+/g) ?? []]) {
    const parameters = links.flatMap((link) => [...new URL(link, 'https://x.example').searchParams]);
    const named = parameters.flatMap(([key, value]) => (key.startsWith('neighborhood') ? value : []));
    assert.deepEqual([...new Set(named)].sort(), places);
    assert.ok(named.length >= 4);
  }
});

test('an edition shows the newest listings of each neighborhood, the largest first, and links to the neighborhoods for which it has no room', () => {
  const few = { Northbank: 4, Millrace: 2 };
  const many = { A: 34, B: 33, C: 32, D: 31, E: 30, F: 29, G: 28, H: 27, I: 26 };
  const cases: [counts: Record<string, number>, ...shown: string[]][] = [
    [{ 'Old Town': 20, ...few }, 'Old Town (20) 19', 'Northbank (4) 4', 'Millrace (2) 2'],
    [{ 'Old Town': 19, ...few }, 'Old Town (19) 19', 'Northbank (4) 4', 'Millrace (2) 2'],
    [
      { 'Old Town': 26, Millrace: 13, Hill: 12, Unknown: 9 },
      ...['Old Town (26) 6', 'Millrace (13) 6', 'Hill (12) 6', 'Neighborhood unknown (9) 6'],
    ],
    [
      { ...many, Quay: 1, Unknown: 26 },
      ...['A (34) 3', 'B (33) 3', 'C (32) 3', 'D (31) 3', 'E (30) 3', 'F (29) 3', 'G (28) 3', 'H (27) 3'],
      'Quay (1) 1',
      'More neighborhoods, I (26), Neighborhood unknown (26)',
    ],
    [
      { Hill: 2, Quay: 1, Row: 1, Mill: 1, Unknown: 1 }, // no heading for each single one
      ...['Hill (2) 2', 'Other neighborhoods (3) 3', 'Neighborhood unknown (1) 1'],
    ],
    [{ Unknown: 2 }, 'Rivermouth (2) 2'], // a city without neighborhoods
    [{ 'Old Town': 26 }, 'Old Town (26) 25'],
  ];
  for (const [counts, ...shown] of cases) {
    const facts = Object.entries(counts).flatMap(([neighborhood, n]) => times(n, () => ({ neighborhood })));
    const content = editionOf(facts);
    const { html, text } = letterOf(content);
    assert.equal(text.match(/^\* /gm)?.length, countShown(content));
    const groups = html
      .split('<h2 ')
      .slice(1)
      .map((group) => {
        const labels = Array.from(group.matchAll(/<strong><a[^>]*>([^<]*)/g), ([, label]) => label!);
        const [, n, title] = />(?:([^<]+)<\/span>)?([^<]+)<\/h2>/.exec(group)!;
        if (n !== undefined) return `${title} (${n}) ${labels.length}`;
        const links = Array.from(group.matchAll(/underline">([^<]*\(\d+\))</g), ([, label]) => label!);
        return [title, ...links].join(', ');
      });
    assert.deepEqual(groups, shown);
  }
});

test('an email links to all listings of each neighborhood, and shows at least three names', () => {
  const { html, text } = letterOf(
    editionOf(
      times(55, (i) => ({
        ...{ name: `Row ${i % 11} & ${i}`, neighborhood: `Row ${i % 11}` },
        filedOn: addDays(DAYS.today, -i),
      })),
    ),
  );
  assert.match(
    text,
    /^ROW (\d+) \(5\)\n(?:\* Row \1 & .*\n.*\n.*\n){3}See all 5 in Row \1:\nhttps:\S+\/weekly\S+Row%20\1$/m,
  );
  assert.match(text, /^MORE NEIGHBORHOODS\nRow (\d+) \(5\):\nhttps:\S+\/weekly\S+Row%20\1$/m);
  assert.match(html, />Row \d+ \(5\)<\/a>/);
});

test('a row of an email does not repeat its heading or its week', () => {
  const content = editionOf([
    { name: 'A', filedOn: '2026-11-20', category: 'Legal' },
    { name: 'B', filedOn: '2025-12-30', category: 'Uncategorized', status: 'closed' },
    { name: 'C', filedOn: '2026-11-19', category: 'Legal', neighborhood: 'Hill' },
    { name: 'D', filedOn: '2026-11-18', category: 'Legal', neighborhood: 'Mill' },
  ]);
  const { text, html } = letterOf(content);
  for (const form of [text, html]) assert.match(form, /Nov\u00a020/, 'a date does not break');
  assert.deepEqual(
    Array.from(toPlainDates(text).matchAll(/^\* (.*)\n {2}(.*)$/gm), ([, ...row]) => row.join(': ')),
    [
      'A: Legal, Nov 20',
      'B: Kind unknown, closed, Dec 30, 2025',
      'C: Legal, Hill, Nov 19',
      'D: Legal, Mill, Nov 18',
    ],
  );
});

test('a title names up to three choices, or two choices and the number of others', () => {
  const all = ['A', 'B', 'C', 'D'];
  for (const [neighborhoods, categories, title] of [
    [all.slice(0, 3), [], '4 new businesses in A, B, and C'],
    [all, all, '4 new businesses in A, B, and 2 more neighborhoods: A, B, and 2 more kinds of business'],
  ] as const) {
    const facts = all.map((category, i) => ({
      neighborhood: neighborhoods[i % neighborhoods.length]!,
      category,
    }));
    assert.equal(letterOf(editionOf(facts), { wanted: { categories, neighborhoods } }).subject, title);
  }
});

test('an edition names the publishers of its filings, with the notices that they ask for', () => {
  const sources = [
    { ...CITY.sources[0]!, publisher: 'The county', license: 'CC0' },
    { ...CITY.sources[0]!, publisher: 'The state', license: 'CC-BY', notice: 'No warranty.' },
  ];
  const { text, html } = letterOf(editionOf([{}]), { city: { ...CITY, sources } });
  for (const body of [text, html])
    assert.deepEqual(body.match(/From filings published by [^\n<]*/g), [
      'From filings published by The county (CC0).',
      'From filings published by The state (CC-BY). No warranty.',
    ]);
});

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
      renderWeeklyEmail({ ...sender, content: editionOf([]) }),
      renderAnnouncementEmail({ ...sender, announcement }),
      renderConfirmationEmail({ ...sender, publicUrl: PUBLIC_URL }, 'weekly', null, LINKS),
    ];
    const seen: string[] = [];
    for (const { html, text } of emails)
      for (const [word, address] of Object.entries(WORDS)) {
        const label = localizationFor(city).say(word as keyof typeof WORDS);
        const found = new RegExp(`href="([^"]*)"[^>]*>${RegExp.escape(escapeMarkup(label))}</a>`).exec(html);
        if (found === null) continue;
        assert.equal(found[1], address, label);
        assert.ok(text.includes(`${label}${label.endsWith('?') ? '' : ':'}\n${address}`), label);
        seen.push(word);
      }
    assert.deepEqual(new Set(seen), new Set(Object.keys(WORDS)), language);
    assert.equal(seen.length, 2 + 2 + 2);
  }
});

test('the subject of an alert names its concern, or counts several', () => {
  const summary = 'run 2 of licences was held: it shrank';
  const concern = { summary, since: '2026-11-23T16:00:00Z', steps: [] };
  for (const [n, subject] of [
    [1, 'Rivermouth: run 2 of licences was held'],
    [2, 'Rivermouth: 2 things need your attention'],
    [3, 'Rivermouth: 3 things need your attention'],
  ] as const) {
    const email = renderAlertEmail({ city: CITY, serviceUrl: PUBLIC_URL }, Array(n).fill(concern));
    assert.equal(email.subject, subject);
    assert.equal(email.text.split('Since 2026-11-23 16:00 UTC').length - 1, n);
    assert.equal(email.html.match(/16:00 UTC\.<\/p>\n*</g)?.length, n, 'without steps, no list');
  }
});

/** Whatever people type and businesses are called: one recipient, the same headers, and text that stays text. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { renderAlertEmail } from '../../../src/page/email/alert-email.ts';
import { renderWeeklyEmail } from '../../../src/page/email/weekly-email.ts';
import { type Address, parseAddress } from '../../../src/service/subscribers/address.ts';
import type { EditionContent } from '../../../src/shared/edition/edition.ts';
import { anyCharacter } from '../../any-character.ts';
import { rounds, seedFrom } from '../../depth.ts';
import { CITY } from '../web/a-door.ts';
import { postTo } from './a-delivery.ts';
import { aMailServer, type Mail, parsed } from './a-mail-server.ts';
import { aMailing, tokenIn } from './a-mailing.ts';

const SEED = seedFrom(20261123);
const CASES = rounds(2000);
const HEADERS = [
  ...['auto-submitted', 'content-type', 'date', 'from'],
  ...['list-id', 'list-unsubscribe', 'list-unsubscribe-post'],
  ...['message-id', 'mime-version', 'subject', 'to'],
];
const NASTY = [
  ...['\r\n', '\n', '\r', '\0', ',', ';', '<', '>', '"', "'", '&', '@'],
  ...['\\', '(', ')', ':', ' ', '.', '=?utf-8?Q?', '\u202e', '\u2028'],
  ...['Bcc: x@y.example', '\r\n.\r\n', 'link:unsubscribe', '$&', 'ö', '😀'],
];
const nasty = fc
  .array(fc.oneof(fc.constantFrom(...NASTY), fc.string({ unit: anyCharacter, maxLength: 6 })), {
    maxLength: 8,
  })
  .map((parts) => parts.join(''));
const atom = fc.string({
  unit: fc.constantFrom(..."abcXYZ019!#$%&'*+/=?^_`{|}~-"),
  minLength: 1,
  maxLength: 12,
});
const domains = fc.constantFrom('b.example', 'BÜCHER.example', 'x--y.b.example');
const addresses = fc.oneof(
  fc.tuple(nasty, nasty).map((parts) => parts.join('@')),
  fc.tuple(atom, nasty).map(([local, more]) => `${local}@b.example${more}`),
  fc
    .tuple(fc.array(atom, { minLength: 1, maxLength: 3 }), domains)
    .map(([local, domain]) => `${local.join('.')}@${domain}`),
);

/** With more than one listing, all but four are in a neighborhood too large for the email, which is only linked. */
function content(name: string, total: number): EditionContent {
  const few = Math.min(total, 4);
  const large = `${name} 2`;
  const listing = {
    ...{ name, category: name, status: 'open' as const },
    ...{ filing_date: '2026-11-20', source: 's', key: 'k' },
  };
  const byNeighborhood = [
    { value: name, count: few },
    { value: large, count: total - few },
  ].filter(({ count }) => count > 0);
  return {
    ...{ edition: '2026-11-23', from: '2026-11-16', to: '2026-11-23', total, byNeighborhood },
    listings: Array.from({ length: total }, (_, i) => ({ ...listing, neighborhood: i < few ? name : large })),
    byCategory: [{ value: name, count: total }],
  };
}

const LINKS = {
  unsubscribe: 'https://r.example/unsubscribe?token=t',
  manage: 'https://r.example/manage?token=m',
  home: 'https://r.example/',
};
const SENT_HEADERS = {
  'List-Id': '<weekly.r.example>',
  'List-Unsubscribe': `<${LINKS.unsubscribe}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  'Auto-Submitted': 'auto-generated',
};
const letterFor = (name: string, city: string, total = 1) =>
  renderWeeklyEmail({
    city: { ...CITY, name: city },
    content: content(name, total),
    links: LINKS,
    postalAddress: name,
  });
const alertFor = (name: string) => {
  const concern = { summary: name, detail: name, since: '2026-11-23T16:00:00.000Z', steps: [name] };
  return renderAlertEmail({ city: { ...CITY, name }, serviceUrl: name }, [concern, concern]);
};
const writeAll = (name: string) => [letterFor(name, name), letterFor(name, name, 26), alertFor(name)];
/** The tags, and the signs that are not escaped. */
const tagsOf = (html: string) =>
  (html.match(/<\/?[a-z!][^>]*>|[<>]|&(?!#?\w+;)/gi) ?? []).map((tag) => tag.replace(/"[^"]*"/g, '""'));

/** In the order of the alphabet. */
function headerNames(raw: string): string[] {
  const lines = raw.split('\r\n\r\n')[0]!.split(/\r\n(?![ \t])/);
  return lines.map((line) => line.split(':')[0]!.toLowerCase()).toSorted();
}

test('an address or business name made for injection changes no header and adds no recipient', async () => {
  const smtp = await aMailServer();
  const post = postTo(smtp);
  const cases = fc.sample(fc.tuple(addresses, nasty), { numRuns: CASES, seed: SEED });
  const benign = writeAll('Blue Heron').map(({ html }) => tagsOf(html));
  const wanted: string[] = [];
  for (const [i, [text, name]] of cases.entries()) {
    const letter = letterFor(name, name);
    for (const [at, { html }] of (i % 10 ? [letter] : writeAll(name)).entries())
      assert.deepEqual(tagsOf(html), benign[at], JSON.stringify(name));
    const address = parseAddress(text) ?? ({ address: `sound${i}@b.example` } as Address);
    wanted.push(address.address);
    const outgoing = {
      ...{ message: `m${i}`, from: { name, address: 'news@r.example' }, to: address.address, ...letter },
      ...{ madeAt: '2026-11-23T16:00:00.000Z', what: 'weekly' as const, headers: SENT_HEADERS },
    };
    const attempt = await post.send(i % 2, outgoing, async () => true);
    assert.equal(attempt.end, 'sent', JSON.stringify([text, attempt]));
  }
  post.close();
  assert.equal(smtp.arrived.length, CASES);
  for (const [i, { to, from, raw }] of smtp.arrived.entries()) {
    const rcpt = to.map((address) => address.replace(/[^@]+$/, domainToASCII)); // the server shows U-labels
    assert.deepEqual([from, rcpt], ['news@r.example', [wanted[i]]]);
    assert.deepEqual(headerNames(raw), HEADERS, raw.slice(0, 800));
  }
  const sample = await parsed(smtp.arrived[7]!);
  assert.deepEqual([sample.to?.length, sample.cc, sample.bcc], [1, undefined, undefined]);
});

const CONFIRMATION = `PLEASE CONFIRM

Someone asked us to send the weekly email about new businesses in Rivermouth
to this address. If it was you, please confirm.

Yes, confirm:
https://rivermouth.example/confirm?token=T

The link is valid for 7 days. If this was not you, ignore this email. We
will not write again, and we will delete your address when the link expires.

--

We use your address only for this, and delete it 30 days after you
unsubscribe.

What we keep, and your rights:
https://rivermouth.example/about#email

See or delete your data:
https://rivermouth.example/manage?token=T

Rivermouth Library, 1 Quay Street`;

test('confirmations and editions have only the listed headers, and confirmations have only the listed text', async () => {
  const smtp = await aMailServer();
  const post = postTo(smtp);
  const mailing = await aMailing({ post, recipientDomain: { hour: 100, day: 100 } });
  const hostile = fc.sample(addresses, { numRuns: 300, seed: SEED }).map(parseAddress);
  const people = Map.groupBy(
    hostile.filter((one) => one !== undefined),
    ({ mailbox }) => mailbox,
  );
  const asking = [...people.values()].map(([one]) => one!).slice(0, 40);
  assert.equal(asking.length, 40);
  for (const one of asking) await mailing.subscriptions.requestSignup(one, 'weekly', 'form');
  await mailing.subscriptions.requestSignup(parseAddress('ann@b.example')!, 'pro-waitlist', 'api');
  await mailing.deliver();
  const confirmations = await Promise.all(smtp.arrived.splice(0).map(parsed));
  assert.equal(confirmations.length, 41);
  const inConfirmation = HEADERS.filter((name) => !name.startsWith('list-'));
  const headerIn = (mail: Mail, key: string) => mail.headers.find((header) => header.key === key)?.value;
  for (const mail of confirmations) {
    assert.deepEqual(headerNames(mail.raw), inConfirmation);
    assert.equal(headerIn(mail, 'auto-submitted'), 'auto-generated');
    assert.deepEqual(mail.from, { name: 'Rivermouth openings', address: 'news@rivermouth.example' });
    if (mail.rcpt[0] === 'ann@b.example') {
      assert.equal(mail.subject, 'Confirm your signup: the Pro waitlist for Rivermouth');
      continue;
    }
    assert.equal(mail.subject, 'Confirm your signup: new businesses in Rivermouth, weekly');
    const masked = mail.text!.trim().replaceAll(/token=[\w-]{43}(?=\n)/g, 'token=T');
    assert.equal(masked, CONFIRMATION, 'the same words for everybody: none of them is the requester\u2019s');
    await mailing.subscriptions.confirm(tokenIn(mail.links.confirm!));
  }
  await mailing.edition();
  post.close();
  assert.equal(smtp.arrived.length, 40);
  for (const mail of await Promise.all(smtp.arrived.map(parsed))) {
    assert.deepEqual(headerNames(mail.raw), HEADERS);
    const { unsubscribe } = mail.links;
    const sent = Object.keys(SENT_HEADERS).map((name) => headerIn(mail, name.toLowerCase()));
    const one = ['<weekly.rivermouth.example>', `<${unsubscribe}>`, 'List-Unsubscribe=One-Click'];
    assert.deepEqual(sent, [...one, 'auto-generated']);
  }
});

test('an address has one identity in all its spellings, and keeps its dots and its tag', () => {
  const of = parseAddress;
  assert.deepEqual(of(' Ann.B+News@BÜCHER.Example '), {
    address: 'Ann.B+News@xn--bcher-kva.example',
    identity: 'ann.b+news@xn--bcher-kva.example',
    mailbox: 'annb@xn--bcher-kva.example',
  });
  assert.notEqual(of('ann.b@b.example')?.identity, of('annb@b.example')?.identity);
  assert.equal(of('ann.b@b.example')?.mailbox, of('annb+x@B.example')?.mailbox);
});

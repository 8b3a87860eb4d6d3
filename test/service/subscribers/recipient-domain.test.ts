/** Which domains are one when confirmations are counted, and which have no count. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  findRecipientDomain,
  parseAddress,
  RECIPIENT_DOMAIN_DEFAULTS,
} from '../../../src/service/subscribers/address.ts';
import { MAIL_PROVIDERS } from '../../../src/shared/city/mail-providers.ts';

const domainOf = (domain: string) => findRecipientDomain(`a@${domain}`, RECIPIENT_DOMAIN_DEFAULTS);

test('all subdomains of a domain count as one domain, and two owners below one registry count as two', () => {
  const domains = {
    ...{ 'victim.example': 'victim.example', 'a.victim.example': 'victim.example' },
    ...{ 'a.b.c.victim.example': 'victim.example', 'x.co.uk': 'x.co.uk', 'a.x.co.uk': 'x.co.uk' },
    ...{ 'www.ab.de': 'ab.de', 'a.b.com.au': 'b.com.au', 'a.b.co.example': 'co.example' },
    ...{ 'ci.rivermouth.ca.us': 'rivermouth.ca.us', 'ci.elsewhere.ca.us': 'elsewhere.ca.us' },
    ...{ 'school.k12.ca.us': 'school.k12.ca.us', 'mail.school.k12.ca.us': 'school.k12.ca.us' },
    ...{ 'a.co.us': 'a.co.us', 'x.us': 'x.us', 'mail.x.us': 'x.us', 'mx.gmail.com': 'gmail.com' },
    'a.xn--bcher-kva.example': 'xn--bcher-kva.example',
  };
  for (const [domain, one] of Object.entries(domains)) assert.equal(domainOf(domain), one, domain);
});

test('the mail providers of the default list have no limit of their own, and have the spelling of domains', () => {
  for (const provider of MAIL_PROVIDERS) {
    assert.equal(domainOf(provider), undefined, provider);
    assert.equal(parseAddress(`a@${provider}`)?.address, `a@${provider}`);
  }
  assert.equal(new Set(MAIL_PROVIDERS).size, MAIL_PROVIDERS.length);
  assert.equal(domainOf('googlemail.com'), undefined);
});

test('a mailbox at googlemail.com is the same as the mailbox at gmail.com', () => {
  const spellings = ['Vic.Tim+a@gmail.com', 'victim@GoogleMail.com'].map((text) => parseAddress(text)!);
  assert.equal(spellings[0]!.mailbox, spellings[1]!.mailbox);
  assert.notEqual(spellings[0]!.identity, spellings[1]!.identity);
});

test('addresses that a large provider delivers to one mailbox share one limit', () => {
  const countMailboxes = (spellings: string[]) =>
    new Set(spellings.map((text) => parseAddress(text)!.mailbox)).size;
  assert.equal(countMailboxes(['vic-tim@proton.me', 'v.ic_tim@pm.me', 'VICTIM+a@protonmail.com']), 1);
  assert.equal(countMailboxes(['vic.tim@yandex.ru', 'vic-tim@ya.ru', 'victim@yandex.com']), 1);
  assert.equal(countMailboxes(['victim@icloud.com', 'victim@me.com', 'victim@mac.com']), 1);
  assert.equal(countMailboxes(['---@victim.example', '___@victim.example']), 2, 'nothing would be left');
});

/** While somebody floods the queue of confirmations, other people are still served, and no domain or mailbox gets more than its share. */

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  findRecipientDomain,
  parseAddress,
  RECIPIENT_DOMAIN_DEFAULTS,
} from '../../../src/service/subscribers/address.ts';
import { MAIL_PROVIDERS } from '../../../src/shared/city/mail-providers.ts';
import { atDepth } from '../../depth.ts';
import { aMailing, confirmed, type Mailing } from '../mail/a-mailing.ts';
import { aDoor, type Opened } from '../web/a-door.ts';

const HOUR = 3_600_000;
const ACCEPTED = '{"status":"accepted","detail":"Check your inbox to confirm."}';

/** A door behind a proxy on this machine, with the limits as shipped. */
function doorOf(t: TestContext, { subscriptions }: Mailing, limits?: 'off'): Promise<Opened> {
  return aDoor(t, { subscriptions, trustProxy: ['127.0.0.1/32'], ...(limits && { limits }) });
}

function signUpFrom(door: Opened, from: string, email: string): Promise<Response> {
  return door.get('/api/signup', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify({ email, type: 'weekly' }),
  });
}

/** Everything that each of these addresses may ask for in an hour. */
async function flood(door: Opened, addresses: readonly string[]): Promise<void> {
  let asked = 0;
  for (const address of addresses)
    for (let status = 202; status !== 429; asked++)
      ({ status } = await signUpFrom(door, address, `flood${asked}@town${asked % 80}.example`));
  assert.ok(asked >= 400, `only ${asked} signups`);
}

/** The addresses of four households of each /48: all it may ask from. */
const sites = (count: number) =>
  Array.from({ length: 4 * count }, (_, i) => `2001:db8:${i % count}:${1 + Math.floor(i / count)}00::1`);
const hosts = (count: number) => Array.from({ length: count }, (_, i) => `203.0.113.${i}`);

const FLOODS: [who: string, addresses: readonly string[]][] = [
  ['five IPv6 /48s', sites(5)],
  ['20 IPv4 addresses', hosts(20)],
];
for (const [who, addresses] of atDepth(FLOODS.slice(0, 1), FLOODS)) {
  test(`while ${who} flood the queue, signups of other people are accepted and confirmed at once`, async (t) => {
    const mailing = await aMailing();
    const door = await doorOf(t, mailing);
    await flood(door, addresses);
    await mailing.deliver();
    for (let minutes = 0; minutes < atDepth(60, 120); minutes += 10) {
      const stranger = `stranger${minutes}@home${minutes}.example`;
      assert.equal((await signUpFrom(door, `198.51.100.${minutes}`, stranger)).status, 202);
      const { rcpt } = (await mailing.deliver()).findLast((mail) => mail.rcpt[0] === stranger) ?? {};
      assert.deepEqual(rcpt, [stranger], `after ${minutes} minutes`);
      mailing.clock.now += HOUR / 6;
      door.clock.now += HOUR / 6;
      if (minutes === 50 && atDepth(false, true)) await flood(door, addresses);
    }
  });
}

test('one domain gets ten confirmations an hour and thirty a day, and the answer stays the same', async (t) => {
  const mailing = await aMailing();
  const door = await doorOf(t, mailing, 'off');
  const answers = new Set<string>();
  for (let i = 0; i < 120; i++) {
    const response = await signUpFrom(door, '203.0.113.1', `u${i}@${i % 3 ? '' : `mx${i}.`}victim.example`);
    answers.add(`${response.status} ${await response.text()}`);
  }
  assert.deepEqual([...answers], [`202 ${ACCEPTED}`]);
  const { waiting } = await mailing.store.outbox.standing(new Date(mailing.clock.now).toISOString());
  assert.equal(waiting, 90, 'what goes out in three days');
  const counts: number[] = [];
  for (let minutes = 0; minutes <= 25 * 60; minutes += 30) {
    counts.push((await mailing.deliver()).length);
    assert.ok(counts.at(-1)! <= 30, `${counts.at(-1)} after ${minutes} minutes`);
    mailing.clock.now += HOUR / 2;
  }
  assert.deepEqual(counts.slice(0, 7), [10, 10, 20, 20, 30, 30, 30]);
  assert.equal(counts.at(-1), 30, 'what waited for 24 hours is not sent any more');
});

test('no domain of a large mail provider has a limit of its own', async () => {
  const both = async (mailing: Mailing) => {
    for (let i = 0; i < 24; i++) {
      const address = parseAddress(`p${i}@${i % 2 ? 'gmail.com' : 'googlemail.com'}`)!;
      await mailing.subscriptions.requestSignup(address, 'weekly', 'api');
    }
    return (await mailing.deliver()).length;
  };
  assert.equal(await both(await aMailing()), 24);
  assert.equal(await both(await aMailing({ recipientDomain: { providers: ['googlemail.com'] } })), 24);
  assert.equal(await both(await aMailing({ recipientDomain: { providers: [], hour: 7 } })), 7);
});

const STATES = ['unknown', 'confirmed'] as const;
const PERSON = 'person@town.example';

/** Fails unless an onlooker sees this for a person in each state. */
async function assertSeen(
  t: TestContext,
  expected: unknown[],
  look: (mailing: Mailing, signUp: (client: number, email: string) => Promise<number>) => Promise<unknown>,
): Promise<void> {
  for (const state of STATES) {
    const mailing = await aMailing({ confirmationsAnHour: 10, recipientDomain: { hour: 5 } });
    if (state === 'confirmed') await confirmed(mailing, PERSON);
    mailing.clock.now += 48 * HOUR;
    const door = await doorOf(t, mailing);
    const signUp = async (client: number, email: string) =>
      (await signUpFrom(door, `203.0.113.${client}`, email)).status;
    assert.deepEqual(await look(mailing, signUp), expected, state);
  }
}

test('a full queue refuses the next signup, of subscribers and of strangers', async (t) => {
  await assertSeen(t, [202, 503], async (_mailing, signUp) => {
    for (let i = 0; i < 19; i++) assert.equal(await signUp(1, `a${i}@town${i}.example`), 202);
    return [await signUp(2, PERSON), await signUp(1, 'last@elsewhere.example')];
  });
});

test('the time at which a domain gets emails does not reveal who is subscribed', async (t) => {
  await assertSeen(t, [false, true], async (mailing, signUp) => {
    for (let i = 0; i < 4; i++) await signUp(1, `a${i}@town.example`);
    await mailing.deliver();
    await signUp(2, PERSON);
    await mailing.deliver();
    await signUp(3, 'onlooker@town.example');
    const isServed = async () =>
      (await mailing.deliver()).some(({ rcpt }) => rcpt[0]!.startsWith('onlooker'));
    const atOnce = await isServed();
    mailing.clock.now += HOUR + 1000;
    return [atOnce, await isServed()];
  });
});

test('the number of waiting emails in health does not reveal who is subscribed', async (t) => {
  const now = ({ clock }: Mailing) => new Date(clock.now).toISOString();
  const limits = { confirmationsAnHour: 10, recipientDomain: { hour: 5, day: 30 } };
  await assertSeen(t, [3, 0], async (mailing, signUp) => {
    for (let i = 0; i < 5; i++) await signUp(10 + i, `a${i}@town.example`);
    await mailing.deliver();
    const before = mailing.clock.now;
    await signUp(1, PERSON);
    for (const client of [2, 3]) await signUp(client, `b${client}@town.example`);
    await mailing.deliver();
    mailing.clock.now += HOUR / 2;
    const { waiting, waitingSince } = await mailing.store.outbox.standing(now(mailing), limits);
    return [waiting, Date.parse(waitingSince!) - before];
  });
});

test('an instance that was idle sees that another one has filled the queue', async () => {
  const mailing = await aMailing({ confirmationsAnHour: 10 });
  const other = await aMailing({ confirmationsAnHour: 10, store: mailing.store });
  const ask = ({ subscriptions }: Mailing, name: string) =>
    subscriptions.requestSignup(parseAddress(`ann@${name}.example`)!, 'weekly', 'form');
  await ask(mailing, 'first');
  for (let i = 0; i < 19; i++) await ask(other, `town${i}`);
  await assert.rejects(ask(other, 'late'), { code: 'store' });
  mailing.clock.now += 1_000;
  await assert.rejects(ask(mailing, 'late'), { code: 'store' });
});

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

test('addresses that a large provider delivers to one mailbox share one limit', () => {
  const countMailboxes = (spellings: readonly string[]) =>
    new Set(spellings.map((text) => parseAddress(text)!.mailbox)).size;
  for (const [mailboxes, ...spellings] of [
    [1, 'Vic.Tim+a@gmail.com', 'victim@GoogleMail.com'],
    [1, 'vic-tim@proton.me', 'v.ic_tim@pm.me', 'VICTIM+a@protonmail.com'],
    [1, 'vic.tim@yandex.ru', 'vic-tim@ya.ru', 'victim@yandex.com'],
    [1, 'victim@icloud.com', 'victim@me.com', 'victim@mac.com'],
    [2, '---@victim.example', '___@victim.example'], // nothing would be left
  ] as const)
    assert.equal(countMailboxes(spellings), mailboxes, spellings.join());
  const [one, other] = ['Vic.Tim+a@gmail.com', 'victim@GoogleMail.com'].map((text) => parseAddress(text)!);
  assert.notEqual(one!.identity, other!.identity);
});

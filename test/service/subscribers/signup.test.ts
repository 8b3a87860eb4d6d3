/** Signup: the same response for everyone, one person for each address, and no way to flood a stranger's mailbox. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SIGNUP_TYPES } from '../../../src/shared/signup/signups.ts';
import { textOf } from '../../an-answer.ts';
import { aMailing, confirmed, tokenIn } from '../mail/a-mailing.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
const MINUTE = 60_000;

const signUp = (email: unknown, type: unknown = 'weekly'): RequestInit => ({
  method: 'POST',
  headers: JSON_TYPE,
  body: JSON.stringify({ email, type }),
});

/** Status, headers and body of an answer, without its date. */
async function whole(response: Response) {
  const headers = [...response.headers].filter(([name]) => name !== 'date');
  return [response.status, headers, await response.text()];
}

test('unknown, pending, confirmed, unsubscribed and refused addresses look the same', async (t) => {
  const mailing = await aMailing({ refuses: 'refused@rivermouth.example' });
  const door = await mailing.door(t);
  await confirmed(mailing, 'confirmed@rivermouth.example');
  await confirmed(mailing, 'departed@rivermouth.example');
  await confirmed(mailing, 'refused@rivermouth.example');
  const mails = await mailing.edition();
  const linkOf = (who: string) => mails.findLast(({ rcpt }) => rcpt[0] === who)!.links.unsubscribe!;
  await mailing.subscriptions.leave('unsubscribe', tokenIn(linkOf('departed@rivermouth.example')));
  assert.equal((await mailing.store.subscribers.find('refused@rivermouth.example'))?.refusal, '550 5.1.1');
  await door.get('/api/signup', signUp('pending@rivermouth.example'));
  const [unknown, ...others] = await Array.fromAsync(
    ['unknown', 'pending', 'confirmed', 'departed', 'refused'],
    async (who) => whole(await door.get('/api/signup', signUp(`${who}@rivermouth.example`))),
  );
  for (const other of others) assert.deepEqual(other, unknown);
  const [status, , body] = unknown!;
  assert.deepEqual([status, body], [202, '{"status":"accepted","detail":"Check your inbox to confirm."}']);
});

const NOT_OBJECTS = [
  ...['', 'null', '[]', '"a@b.example"', '{', '{"email":"a@b.example","type":"weekly"', '\xff{}'],
];
const WRONG_BODIES: [body: string, pointer: string][] = [
  ['{"email":["a@b.example"],"type":"weekly"}', '/email'],
  ['{"email":{"a":1},"type":"weekly"}', '/email'],
  ['{"email":null,"type":"weekly"}', '/email'],
  ['{"email":"a@b.example","type":7}', '/type'],
  ['{"email":"a@b.example"}', '/type'],
  ['{"type":"weekly"}', '/email'],
  ['{"email":"a@b.example","type":"weekly","name":"x"}', '/name'],
  ['{"email":"a@b.example","type":"weekly","__proto__":{"x":1}}', '/__proto__'],
  ['{"email":"a@b.example","email":"c@d.example","type":"weekly"}', '/email'],
  ['{"email":"a@b.example","\\u0065mail":"c@d.example","type":"weekly"}', '/email'],
];

test('the error about an invalid body names the place that is wrong', async (t) => {
  const mailing = await aMailing();
  const door = await mailing.door(t);
  const post = (body: string | Buffer) =>
    door.get('/api/signup', { method: 'POST', headers: JSON_TYPE, body });
  for (const body of NOT_OBJECTS) assert.equal((await post(Buffer.from(body, 'latin1'))).status, 400, body);
  for (const [body, pointer] of WRONG_BODIES) {
    const answer = await post(body);
    const problem = (await answer.json()) as { errors: { pointer: string }[] };
    assert.deepEqual([answer.status, problem.errors[0]!.pointer], [400, pointer], body);
  }
  assert.equal((await post(`{"email":"a@b.example","type":"weekly"${' '.repeat(4096)}}`)).status, 413);
  assert.equal((await mailing.store.subscribers.all()).length, 0);
});

/** 254 characters. */
const LONGEST = `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(53)}.example`;
const NO_ADDRESSES = [
  ...['', '@', 'a', 'a@', '@b.example', 'a@b', 'a b@c.example'],
  ...['a@b@c.example', '.a@b.example', 'a.@b.example'],
  ...['a..b@c.example', '"a b"@c.example', 'a@[127.0.0.1]'],
  ...['a@b%2ec.example', 'a@b/c.example', 'a@b_c.example', 'a@b:25.example'],
  ...['a@127.0.0.1', 'a@-b.example', 'a@b-.example', 'ä@b.example'],
  ...['a@b.example\r\nBcc: c@d.example', 'a@b.example\0'],
  ...['a,c@d.example', 'a;b@c.example', '<a@b.example>', 'a@b..example'],
  ...[
    'a@b.example.',
    `${'a'.repeat(65)}@b.example`,
    LONGEST.replace('d.', 'dd.'), // 255
    `a@${'b'.repeat(64)}.example`,
    `a@${'b.'.repeat(130)}example`,
  ],
];

test('a form is read as UTF-8, with or without percent-encoding', async (t) => {
  const mailing = await aMailing();
  const door = await mailing.door(t, 'off');
  const post = async (body: string | Buffer) =>
    (await door.get('/signup', { method: 'POST', headers: FORM_TYPE, body })).status;
  assert.equal(await post('type=weekly&email=ann@bücher.example'), 200);
  assert.equal(await post('type=weekly&email=ben@b%C3%BCcher.example'), 200);
  assert.equal(await post(Buffer.from('type=weekly&email=cat@bücher.example', 'latin1')), 415);
  const all = await mailing.store.subscribers.all();
  assert.deepEqual(all.map(({ address }) => address).toSorted(), [
    'ann@xn--bcher-kva.example',
    'ben@xn--bcher-kva.example',
  ]);
});

test('an invalid address or an unknown type gets 422', async (t) => {
  const door = await (await aMailing()).door(t, 'off');
  for (const address of NO_ADDRESSES) {
    const answer = await door.get('/api/signup', signUp(address));
    const text = await answer.text();
    assert.equal(answer.status, 422, JSON.stringify(address));
    assert.ok(address.length < 12 || !text.includes(address), 'an error does not repeat what was sent');
  }
  const wrong = await door.get('/api/signup', signUp('a@b.example', 'weekyl'));
  assert.equal(wrong.status, 422);
  assert.equal(
    ((await wrong.json()) as { errors: { did_you_mean: string }[] }).errors[0]!.did_you_mean,
    'weekly',
  );
  for (const sound of [
    "o'brien+news@b.example",
    'a/b=c@x-y.b.example',
    "!#$%&'*+/=?^_`{|}~-@b.example",
    `${'a'.repeat(64)}@b.example`,
    LONGEST,
  ])
    assert.equal((await door.get('/api/signup', signUp(sound))).status, 202, sound);
});

test('one client can sign up 20 addresses an hour, and the refusal says when to try again', async (t) => {
  const mailing = await aMailing();
  const door = await mailing.door(t);
  const statuses: number[] = [];
  for (let i = 0; i < 30; i++)
    statuses.push((await door.get('/api/signup', signUp(`a${i}@b.example`))).status);
  assert.deepEqual(statuses, [...Array(20).fill(202), ...Array(10).fill(429)]);
  const refused = await door.get('/api/signup', signUp('late@b.example'));
  const seconds = Number(refused.headers.get('retry-after'));
  const { detail } = (await refused.json()) as { detail: string };
  assert.equal(detail, `A client can sign up 20 times in an hour. Try again in ${seconds} seconds.`);
  assert.equal((await door.get('/api/signup', signUp('not an address'))).status, 422, 'mistakes are free');
  door.clock.now += 50_000;
  const form = new URLSearchParams({ email: 'late@b.example', type: 'weekly' });
  const page = await door.get('/signup', { method: 'POST', body: form });
  const minutes = Number(/try again in (\d+) minutes\./.exec(await page.text())?.[1]);
  assert.deepEqual([page.status, page.headers.get('retry-after')], [429, `${minutes * 60}`]);
  assert.equal(minutes, Math.ceil((seconds - 50) / 60), 'whole minutes of 130 seconds');
  door.clock.now += (seconds - 51) * 1000;
  assert.equal((await door.get('/api/signup', signUp('late@b.example'))).status, 429, 'a second before');
  door.clock.now += 1000;
  assert.equal((await door.get('/api/signup', signUp('late@b.example'))).status, 202);
});

test('a mailbox gets at most three confirmations a day, from any number of clients and in any spelling', async (t) => {
  const mailing = await aMailing({ confirmationsAnHour: 10_000 });
  const door = await mailing.door(t, 'off');
  for (let round = 0; round < 40; round++) {
    for (const spelling of ['vic.tim@b.example', `victim+${round}@b.example`, 'VICTIM@b.example'])
      assert.equal(
        (await door.get('/api/signup', signUp(spelling, round % 2 ? 'weekly' : 'pro-waitlist'))).status,
        202,
      );
    mailing.clock.now += 30 * MINUTE;
  }
  assert.equal((await mailing.deliver()).length, 3);
});

test('the service sends 200 confirmations an hour, lets others wait, and refuses signups once too many wait', async (t) => {
  const mailing = await aMailing();
  const door = await mailing.door(t, 'off');
  const statuses: number[] = [];
  for (let i = 0; i < 450; i++)
    statuses.push((await door.get('/api/signup', signUp(`person${i}@town${i % 50}.example`))).status);
  assert.deepEqual(statuses, [...Array(400).fill(202), ...Array(50).fill(503)]);
  assert.equal((await mailing.deliver()).length, 200);
  assert.equal((await mailing.store.outbox.standing(new Date(mailing.clock.now).toISOString())).waiting, 200);
  mailing.clock.now += 61 * MINUTE;
  assert.equal((await mailing.deliver()).length, 400);
});

test('the signup form works without scripts, shows errors, and ignores bots', async (t) => {
  const mailing = await aMailing();
  const door = await mailing.door(t);
  const send = (fields: Record<string, string>) =>
    door.get('/signup', { method: 'POST', body: new URLSearchParams(fields) });
  const page = await textOf(door.get('/signup'));
  for (const part of [
    ...['action="/signup"', 'name="email"', 'name="website"', 'value="pro-waitlist"', 'Rivermouth Library'],
  ])
    assert.ok(page.includes(part), part);
  assert.match(page, /The next edition is planned for \w+, \w+ \d+, \d{4}\. .* a link to unsubscribe/);
  for (const fields of [
    { email: 'ann@b.example', type: 'weekly', website: '' },
    { email: 'robot@b.example', type: 'weekly', website: 'https://b.example' },
  ])
    assert.ok((await textOf(send(fields))).includes('Check your inbox'), fields.email);
  assert.match(
    await textOf(send({ email: 'ann@b.example', type: 'weekly', categories: 'Restaurants' })),
    /emailed ann@b\.example\. [^<]*<\/p><p>It will cover Restaurants in all of Rivermouth\.<\/p><p>The next edition/,
  );
  assert.doesNotMatch(await textOf(send({ email: 'ann@b.example', type: 'pro-waitlist' })), /next edition/);
  const text = await textOf(send({ email: '"><script>@b', type: 'weekly' }), 422);
  assert.ok(text.includes('role="alert"') && !text.includes('<script>'));
  for (const [email, problem] of [
    [' ', 'Enter your email address.'],
    ['ann', 'The address has no @.'],
    ['ann@@nowhere', 'There is more than one @.'],
    ['ann@', 'There is nothing after the @.'],
    ['ann@nowhere', 'The part after the @ has no dot.'],
    ['änn@b.example', 'Enter an email address'],
  ] as const)
    assert.ok(
      (await textOf(send({ email, type: 'weekly' }), 422)).includes(`role="alert">Error: ${problem}`),
      email,
    );
  assert.equal(
    text.match(/<form class="signup"[^>]* novalidate>/g)?.length,
    SIGNUP_TYPES.length,
    'no other message of the browser',
  );
  const people = (await mailing.store.subscribers.all()).map(({ address }) => address);
  assert.deepEqual(people.toSorted(), ['ann@b.example']);
});

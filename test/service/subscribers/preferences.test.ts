/** What a subscriber wants of the weekly email: given at signup, confirmed by link, changed without an account. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAddress } from '../../../src/service/subscribers/address.ts';
import { formatPreferences, MOST_PREFERRED } from '../../../src/shared/signup/preferences.ts';
import { textOf } from '../../an-answer.ts';
import { aMailing, aSignupServer, confirmed, type Mailing, tokenIn } from '../mail/a-mailing.ts';
import { aRow, catalogueOf } from '../search/made-up.ts';
import { aDoor } from '../web/a-door.ts';

const ANN = 'ann@b.example';

type Problem = { errors: { pointer: string; did_you_mean?: string }[] };

const signUp = (body: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ email: ANN, type: 'weekly', ...body }),
});
const post = (fields: Record<string, string | string[]>) => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one) => [name, one])),
  ).toString(),
});
const pathOf = (link: string) => new URL(link).pathname + new URL(link).search;
const kept = async ({ store }: Mailing) =>
  (await store.subscribers.find(ANN))?.subscriptions.map(({ state, preferences }) => [state, preferences]);
const wanted = (categories: string[], neighborhoods: string[] = []) =>
  formatPreferences({ categories, neighborhoods }, {});

test('choices are read like filters, and stored in the spelling of the listings and in one order', async (t) => {
  const { mailing, ...door } = await aSignupServer(t, { limits: 'off' });
  const body = { categories: [' restaurants ', 'LEGAL', 'Restaurants'], neighborhoods: ['cafe row'] };
  assert.equal((await door.get('/api/signup', signUp(body))).status, 202);
  assert.deepEqual(await kept(mailing), [['pending', wanted(['Legal', 'Restaurants'], ['Café Row'])]]);
});

test('an unknown category or neighborhood is refused with the nearest one, and nothing is stored', async (t) => {
  const { mailing, ...door } = await aSignupServer(t, { limits: 'off' });
  const cases: [body: object, status: number, pointer: string, meant?: string][] = [
    [{ categories: ['Legal', 'Restaurnts'] }, 422, '/categories/1', 'Restaurants'],
    [{ neighborhoods: ['Cafe Rows'] }, 422, '/neighborhoods/0', 'Café Row'],
    [{ neighborhoods: ['nowhere at all'] }, 422, '/neighborhoods/0'],
    [{ categories: Array(MOST_PREFERRED + 1).fill('Legal') }, 422, '/categories'],
    [{ categories: ['Legal'], type: 'pro-waitlist' }, 422, '/categories'],
    [{ categories: 'Legal' }, 400, '/categories'],
    [{ categories: null }, 400, '/categories'],
    [{ neighborhoods: ['Café Row', 7] }, 400, '/neighborhoods'],
    [{ category: ['Legal'] }, 400, '/category', 'categories'],
  ];
  for (const [body, status, pointer, meant] of cases) {
    const answer = await door.get('/api/signup', signUp(body));
    const { errors } = (await answer.json()) as Problem;
    const [first] = errors;
    assert.deepEqual([answer.status, first!.pointer, first!.did_you_mean], [status, pointer, meant], pointer);
  }
  assert.deepEqual(await mailing.store.subscribers.all(), []);
});

test('an empty list of choices means the same as no list, even for a waitlist', async (t) => {
  const { mailing, ...door } = await aSignupServer(t, { limits: 'off' });
  const none = { categories: [], neighborhoods: [] };
  for (const body of [none, { ...none, type: 'pro-waitlist' }])
    assert.equal((await door.get('/api/signup', signUp(body))).status, 202);
  assert.deepEqual(await kept(mailing), [
    ['pending', null],
    ['pending', null],
  ]);
});

test('the email and its page name the choices to confirm, and a later signup by a stranger does not change them', async (t) => {
  const { mailing, ...door } = await aSignupServer(t, { limits: 'off' });
  await door.get('/api/signup', signUp({ categories: ['Legal'], neighborhoods: ['Café Row'] }));
  const [mail] = await mailing.deliver();
  for (const text of [mail!.text, mail!.html]) assert.match(text!, /It will cover Legal in Café Row\./);
  mailing.clock.now += 16 * 60_000;
  await door.get('/api/signup', signUp({ categories: ['Restaurants'] })); // as anybody may
  const page = await textOf(door.get(pathOf(mail!.links.confirm!)));
  assert.match(page, /It will cover Legal in Café Row\./);
  const done = await textOf(door.get(pathOf(mail!.links.confirm!), { method: 'POST' }));
  assert.match(done, /It will cover Legal in Café Row\./);
  assert.match(done, /The next edition is planned for Monday, November 23, 2026\./);
  assert.match(done, /You will get it if any of its listings match your choices\./);
  assert.deepEqual(await kept(mailing), [['confirmed', wanted(['Legal'], ['Café Row'])]]);
  mailing.clock.now += 16 * 60_000;
  assert.equal((await door.get('/api/signup', signUp({}))).status, 202);
  assert.equal((await door.get('/api/signup', signUp({ categories: ['Restaurants'] }))).status, 202);
  assert.deepEqual(await kept(mailing), [['confirmed', wanted(['Legal'], ['Café Row'])]]);
});

test('the manage page changes and clears choices, and can keep but not add a value that no listing has any more', async (t) => {
  const { mailing, ...door } = await aSignupServer(t, { limits: 'off' });
  const preferences = wanted(['Legal'], ['Café Row', 'Gone Quarter']); // it was there when Ann signed up
  await mailing.subscriptions.requestSignup(parseAddress(ANN)!, 'weekly', 'form', { preferences });
  const [mail] = await mailing.deliver();
  const manage = pathOf(mail!.links.manage!);
  assert.equal((await door.get(manage, post({ action: 'change', categories: 'Restaurants' }))).status, 200);
  assert.deepEqual(
    await kept(mailing),
    [['pending', preferences]],
    'the email that confirms says something else',
  );
  await mailing.subscriptions.confirm(tokenIn(mail!.links.confirm!));
  const page = await textOf(door.get(manage));
  assert.match(page, /value="Gone Quarter" checked><span>Gone Quarter \(no listings now\)/);
  const change = async (neighborhoods: string[]) =>
    (await door.get(manage, post({ action: 'change', neighborhoods }))).status;
  assert.equal(await change(['Gone Quarter']), 200);
  assert.deepEqual(await kept(mailing), [['confirmed', wanted([], ['Gone Quarter'])]]);
  assert.equal(await change(['Another Quarter']), 422);
  assert.equal(await change(Array(MOST_PREFERRED + 1).fill('Café Row')), 422);
  assert.deepEqual(await kept(mailing), [['confirmed', wanted([], ['Gone Quarter'])]]);
  assert.equal((await door.get(manage, post({ action: 'everything', categories: 'Legal' }))).status, 200);
  assert.deepEqual(await kept(mailing), [['confirmed', null]]);
  assert.equal(await change(['Gone Quarter']), 422);
});

test('only a confirmed subscriber of the weekly email can choose, and the page says that the choices are saved', async (t) => {
  const { mailing, ...door } = await aSignupServer(t, { limits: 'off' });
  await confirmed(mailing, ANN, 'pro-waitlist');
  await mailing.subscriptions.requestSignup(parseAddress(ANN)!, 'weekly', 'form');
  const { links } = (await mailing.deliver()).at(-1)!;
  const manage = pathOf(links.manage!);
  const look = async () => {
    const shown = await textOf(door.get(manage));
    const changed = await (await door.get(manage, post({ action: 'change', categories: 'Legal' }))).text();
    return [shown.includes('value="change"'), shown.includes('type="checkbox"'), changed.includes('Saved.')];
  };
  assert.deepEqual(await look(), [false, false, false], 'pending');
  await mailing.subscriptions.confirm(tokenIn(links.confirm!));
  assert.deepEqual(await look(), [true, true, true], 'confirmed');
  await mailing.subscriptions.leave('manage', tokenIn(links.manage!), 'weekly');
  assert.deepEqual(await look(), [false, false, false], 'unsubscribed');
});

test('the form offers the values of the listings, with the values of the search chosen', async (t) => {
  const { mailing, ...door } = await aSignupServer(t, { limits: 'off' });
  const html = await textOf(door.get('/signup?category=legal&neighborhood=cafe+row&q=x'));
  const checkedIn = (page: string) => {
    const form = page.slice(page.indexOf('<form class="signup"'));
    const checked = form.matchAll(/type="checkbox" name="(\w+)" value="([^"]*)" checked/g);
    return [...checked].map(([, name, value]) => [name, value]);
  };
  const chosen = [
    ['neighborhoods', 'Café Row'],
    ['categories', 'Legal'],
  ];
  assert.deepEqual(checkedIn(html), chosen);
  const plain = await textOf(door.get('/signup'));
  assert.doesNotMatch(plain.slice(plain.indexOf('<form class="signup"')), /checkbox[^>]* checked/);
  const fields = {
    email: ANN,
    type: 'weekly',
    categories: ['Legal', 'Restaurants'],
    neighborhoods: 'Café Row',
  };
  const sent = await door.get('/signup', post(fields));
  assert.match(await textOf(sent, sent.status), /The next edition is planned for Monday, November 23, 2026/);
  assert.deepEqual(await kept(mailing), [['pending', wanted(['Legal', 'Restaurants'], ['Café Row'])]]);
  const mistyped = await textOf(door.get('/signup', post({ ...fields, email: 'ann@b' })), 422);
  assert.deepEqual(
    checkedIn(mistyped),
    [
      ['neighborhoods', 'Café Row'],
      ['categories', 'Restaurants'],
      ['categories', 'Legal'],
    ],
    'a form sent back keeps them',
  );
  assert.match(mistyped, /value="ann@b"/);
  const wrong = await door.get('/signup', post({ ...fields, neighborhoods: 'Nowhere' }));
  assert.deepEqual([wrong.status, /you chose is not in the list/.test(await wrong.text())], [422, true]);
});

test('the form lists kinds by group, these and neighborhoods by name, and unknown values last', async (t) => {
  const row = (key: string, category: string, neighborhood: string) => aRow({ key, category, neighborhood });
  const catalogue = catalogueOf([
    row('A', 'Uncategorized', 'Unknown'),
    row('B', 'Uncategorized', 'Wharf'),
    row('C', 'Restaurants', 'Wharf'),
    row('F', 'Cleaning', 'Wharf'),
    row('D', 'Restaurants', 'Unknown'),
    row('E', 'Auto Repair', 'Canal'),
  ]);
  const { subscriptions } = await aMailing();
  const { get } = await aDoor(t, { catalogue, subscriptions });
  const page = await textOf(get('/signup'));
  const offered = (name: string) =>
    [...page.matchAll(new RegExp(`name="${name}" value="([^"]*)"`, 'g'))].map(([, value]) => value);
  assert.deepEqual(offered('categories'), ['Restaurants', 'Auto Repair', 'Cleaning', 'Uncategorized']);
  assert.deepEqual(offered('neighborhoods'), ['Canal', 'Wharf', 'Unknown']);
});

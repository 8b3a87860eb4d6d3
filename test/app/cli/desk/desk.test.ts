/** The desk: reached by the browser that opened its link and by nothing else, and it does what the commands do. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { type TestContext, test } from 'node:test';
import { LINK_MS, openGate, SESSION_MS } from '../../../../src/app/cli/desk/desk-gate.ts';
import { renderRowsOf } from '../../../../src/app/cli/desk/desk-pages.ts';
import { openDesk } from '../../../../src/app/cli/desk/desk-server.ts';
import { readStatus } from '../../../../src/app/operations/service-status.ts';
import { ShingleError } from '../../../../src/shared/errors.ts';
import { aCity, businesses, csvText } from '../../../a-city.ts';
import { aBrowser, faultsOf, noBrowser } from '../../../page/a-browser.ts';

type Asked = { method?: string; headers?: Record<string, string>; body?: string };

type Answered = { status: number; headers: NodeJS.Dict<string | string[]>; text: string };

/** Node's fetch sets Host and Origin itself, so requests are made by hand. */
async function ask(port: number, path: string, { method = 'GET', headers = {}, body }: Asked = {}) {
  const host = `127.0.0.1:${port}`;
  const asked = request({ host: '127.0.0.1', port, path, method, headers: { host, ...headers } });
  asked.end(body);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const text = Buffer.concat(await response.toArray()).toString();
  return { status: response.statusCode!, headers: response.headers, text } as Answered;
}

/** A city with a held run, four new businesses and a hostile name, and its desk. */
async function aDesk(t: TestContext) {
  const city = aCity();
  city.change('archive: false', 'weekly: { approval: true }, archive: false');
  const rows = businesses(44);
  rows[43]!.name = '<script>document.title=1</script> & Sons';
  await city.ingest(rows.slice(0, 40), '2026-11-18T18:00:00.000Z');
  await city.ingest(rows, '2026-11-19T18:00:00.000Z');
  const few = [...rows.slice(0, 3), { ...rows[3]!, name: 'Business Four' }];
  await city.ingest(few, '2026-11-20T18:00:00.000Z');
  const service = await city.open('2026-11-20T19:00:00.000Z');
  const requests = { '2026-11-19': { '/': 3, '/signup': 5 }, '2026-11-20': { '/feed': 2, '/': 1 } };
  for (const [day, counts] of Object.entries(requests))
    await service.store.usage.add(day, new Map(Object.entries(counts)));
  const clock = { now: 1_000 };
  const desk = await openDesk(service, { port: 0, host: '127.0.0.1', now: () => clock.now });
  t.after(async () => {
    desk.close();
    await desk.closed;
  });
  return { desk, clock, service, city };
}

async function enter({ url, port }: Awaited<ReturnType<typeof aDesk>>['desk']) {
  const { status, headers } = await ask(port, new URL(url).pathname);
  assert.equal(status, 303);
  const [cookie] = headers['set-cookie'] as string[];
  assert.match(cookie!, /^desk=[\w-]{43}; Path=\/[\w-]{43}\/; HttpOnly; SameSite=Strict; Max-Age=3600$/);
  return { root: String(headers.location), cookie: cookie!.split(';')[0]! };
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

test('the link of the desk works once and for an hour, and only from the same user, name and origin', async (t) => {
  const timers = t.mock.method(globalThis, 'setTimeout').mock;
  const { desk, clock } = await aDesk(t);
  const { port } = desk;
  for (const path of ['/', '/open/x', '/desk.css']) assert.equal((await ask(port, path)).status, 404, path);
  const { pathname } = new URL(desk.url);
  const strange: Record<string, string>[] = [
    { host: `evil.example:${port}` },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-purpose': 'prefetch' },
    { 'sec-fetch-dest': 'image' },
  ];
  for (const headers of strange)
    assert.ok((await ask(port, pathname, { headers })).status >= 400, 'and the link is not used up');
  const { root, cookie } = await enter(desk);
  assert.equal((await ask(port, pathname)).status, 410);
  const own = { ...FORM, cookie, origin: `http://127.0.0.1:${port}` };
  const introduce = `${root}edition/introduce`;
  const post = { method: 'POST', body: 'text=x' };
  const status = async (path: string, headers: Record<string, string>, more: Asked = {}) =>
    (await ask(port, path, { ...more, headers })).status;
  const other = `desk=${'x'.repeat(43)}`;
  const local = 'http://127.0.0.1:9999';
  for (const [who, expected, path, headers, more] of [
    ['the browser that opened the link', 200, root, { cookie }],
    ['a cookie alone', 404, '/', { cookie }],
    ['the folder alone, as another user may see it', 404, root, {}],
    ['another cookie', 404, root, { cookie: other }],
    ['another name for this machine', 421, root, { cookie, host: `rebound.example:${port}` }],
    ['a name that begins like ours', 421, root, { cookie, host: '127.0.0.1.evil.example' }],
    ['localhost, which may be another address', 421, root, { cookie, host: `localhost:${port}` }],
    ['a page of another site', 403, root, { cookie, 'sec-fetch-site': 'cross-site' }],
    ['a page on another port', 403, root, { cookie, 'sec-fetch-site': 'same-site' }],
    ['a form of another port', 403, introduce, { ...own, origin: 'http://localhost:1' }, post],
    ['a form without an origin', 403, introduce, { cookie }, post],
    ['a form that hides its origin', 403, introduce, { ...own, origin: 'null' }, post],
    ['a body that is no form', 400, introduce, { ...own, 'content-type': 'text/plain' }, post],
    ['a form that is too large', 400, introduce, own, { method: 'POST', body: 'a'.repeat(20_000) }],
    ['another method', 405, root, own, { method: 'DELETE' }],
    ['a page that is not there', 404, `${root}../${root}`, { cookie }],
    ['a form of the desk', 303, introduce, own, post],
    ['ssh -L with another port', 303, introduce, { ...own, host: '127.0.0.1:9999', origin: local }, post],
  ] as [string, number, string, Record<string, string>, Asked?][])
    assert.equal(await status(path, headers, more), expected, who);
  assert.deepEqual([LINK_MS, SESSION_MS], [10 * 60_000, 60 * 60_000]);
  const waits = timers.calls.map(({ arguments: [, ms] }) => Number(ms)).filter((ms) => ms >= LINK_MS);
  assert.deepEqual(waits.slice(-2), [LINK_MS, SESSION_MS], 'and then it ends by itself');
  const late = openGate(() => clock.now);
  const host = `127.0.0.1:${port}`;
  const opening = { method: 'GET', url: late.link, headers: { host }, headersDistinct: { host: [host] } };
  clock.now += LINK_MS;
  const [refuse, gone] = Object.values(late.enter(opening));
  assert.deepEqual([refuse, gone], ['refuse', 410], 'a link of ten minutes ago');
  clock.now += SESSION_MS - LINK_MS - 1;
  assert.equal(await status(root, { cookie }), 200);
  clock.now++;
  assert.equal(await status(root, { cookie }), 401);
  assert.equal(await status(introduce, own, post), 401);
});

test('no page of the desk runs a script, can be framed or is stored', async (t) => {
  const { desk } = await aDesk(t);
  const { root, cookie } = await enter(desk);
  const paths = ['', 'edition', 'edition/email', 'listings?name=Shop', 'runs/3', 'runs/3/rows', 'desk.css'];
  for (const path of [...paths, 'nothing']) {
    const { headers, text } = await ask(desk.port, root + path, { headers: { cookie } });
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /^default-src 'none'; /);
    assert.doesNotMatch(policy, /script-src|unsafe-eval|\*/);
    assert.match(policy, /frame-ancestors '(none|self)'/);
    assert.deepEqual([headers['cache-control'], headers['x-content-type-options']], ['no-store', 'nosniff']);
    assert.doesNotMatch(text, /<script/, path);
  }
});

test('the desk says whether the file has changed since the run', async () => {
  const city = aCity();
  const place = city.file('a.csv', csvText(businesses(30)));
  city.change('from: csv()', `from: csv({ file: ${JSON.stringify(place)} })`);
  const service = await city.open('2026-11-20T19:00:00.000Z');
  await service.ingest({});
  const run = (await service.store.filings.run(1))!;
  assert.ok((await renderRowsOf(service, run)).includes('This is the file as run 1 read it.'));
  city.file('a.csv', csvText(businesses(29)));
  const said =
    'The file has changed since run 1 read it: it now has 29 rows. Accepting run 1 imports the 30 rows that it read.';
  assert.ok((await renderRowsOf(service, run)).includes(said));
});

test('each form of the desk does what its command does, and says so', async (t) => {
  const { desk, service, city } = await aDesk(t);
  const { root, cookie } = await enter(desk);
  const headers = { ...FORM, cookie, origin: `http://127.0.0.1:${desk.port}` };
  const show = async (path: string) => (await ask(desk.port, root + path, { headers: { cookie } })).text;
  let shown = '';
  const send = async (path: string, form: Record<string, string> = {}) => {
    const body = String(new URLSearchParams(form));
    const { headers: to } = await ask(desk.port, root + path, { method: 'POST', headers, body });
    shown = (await ask(desk.port, String(to.location), { headers: { cookie } })).text;
    return /role="status">([^<]*)</.exec(shown)?.[1]?.replaceAll('&quot;', '"');
  };
  assert.match(
    await show('runs/3'),
    /2026-11-20 10:00 PST[\s\S]*that the run changes, by their filed names: 1<\/h2><ul class="plain"><li>Business 4<\/li>/,
  );
  const [, digest = ''] = /name="digest" value="(\w+)"/.exec(await show('edition'))!;
  const { edition, total } = (await readStatus(service)).mail.nextEdition!;
  const [value, ours] = ['Business 1', { source: 'licences', key: '41' }];
  const again = 'look at it again before you approve it.';
  const right = { value, name: 'Right' };
  for (const [path, form, said] of [
    ['runs/3/accept', {}, 'Run 3 is kept, with 0 new listings.'],
    ['runs/3/accept', {}, 'Run 3 is kept, not held. Only held runs can be accepted.'],
    ['listings/correct', { ...right, was: value, status: 'closed' }, 'Corrected: Business 1: Right, closed.'],
    ['listings/correct', { value, category: 'Legl' }, '"Legl" is not a category. Did you mean "Legal"?'],
    ['listings/remove', { value: 'right' }, 'No longer served: right.'],
    ['listings/serve', { value: 'right' }, 'Served again: right.'],
    ['listings/serve', { value: 'right' }, '"right" is not in the list.'],
    ['listings/uncorrect', { value }, 'Served as it was filed: Business 1.'],
    ['listings/uncorrect', { value }, '"Business 1" is not in the list.'],
    ['listings/remove', { value: '\u202e' }, 'Give the name or key of a listing.'],
    ['edition/approve', { digest }, `The edition of ${edition} is approved, with ${total} new businesses.`],
    ['edition/leave-out', ours, 'Left out of the weekly email: Business 41.'],
    ['edition/approve', { digest }, `The edition of ${edition} has changed since you saw it: ${again}`],
    ['edition/take-back', ours, 'Back in the next edition: Business 41.'],
    ['edition/introduce', { text: 'Hello' }, `The edition of ${edition} has this introduction now.`],
    ['edition/nothing', {}, 'There is no such form.'],
  ] as [string, Record<string, string>, string][])
    assert.equal(await send(path, form), said, path);
  await send('edition/introduce', { text: 'Hello\u202e, town' });
  assert.match(shown, /<textarea[^>]*>Hello\u202e, town</, 'a refused introduction stays in its field');
  assert.match(await show('edition'), /<textarea[^>]*>Hello</);
  assert.equal((await service.store.filings.run(3))?.state, 'kept');
  assert.match(await show('runs/2'), /New listings: 4<[\s\S]*Business 41/);
  assert.match(
    await show('edition/email'),
    /Added to our listings: November\W18\W+23,\W2026/,
    'until it is due',
  );
  assert.ok(!(await show('')).includes('has changed since the desk was opened'));
  writeFileSync(city.config.city, `${city.profile}\n`);
  assert.ok((await show('')).includes('has changed since the desk was opened'));
  const [, used = ''] = /Requests of the last 7 days<\/h2>([\s\S]*?)<\/table>/.exec(await show(''))!;
  const cells = used.replaceAll(/<\/?tr>/g, '|').replaceAll(/<[^>]*>\s*/g, ' ');
  assert.equal(
    cells.match(/[\w/|-]+/g)!.join(' '),
    '| Route 2026-11-20 2026-11-19 | | /feed 2 0 | | / 1 3 | | /signup 0 5 |',
  );
  const { filings, suppressions, editions } = service.store;
  for (const [path, form, store, method] of [
    ['runs/3/refuse', {}, filings, 'refuse'],
    ['listings/correct', right, suppressions, 'correct'],
    ['listings/remove', { value }, suppressions, 'add'],
    ['listings/serve', { value }, suppressions, 'remove'],
    ['listings/uncorrect', { value }, suppressions, 'removeCorrection'],
    ['edition/introduce', { text: 'Hi' }, editions, 'prepare'],
  ] as [string, Record<string, string>, object, string][]) {
    t.mock.method(store as Record<string, () => Promise<never>>, method, async () =>
      assert.fail(new ShingleError('store', 'the disk is full')),
    );
    assert.equal(await send(path, form), 'The disk is full.', path);
  }
});

const visit = aBrowser();

test('an operator refuses a run, corrects a listing, introduces and approves an edition', {
  skip: noBrowser,
}, async (t) => {
  const { desk, service } = await aDesk(t);
  const { page } = await visit(t, new URL(desk.url).origin);
  const click = (role: 'button' | 'link', name: string | RegExp) =>
    page.getByRole(role, { name, exact: true }).click();
  const shows = (text: string) => page.getByText(text).waitFor();
  await page.goto(desk.url);
  await page.getByText('Run 3 of licences was held', { exact: false }).first().waitFor();
  assert.equal(await page.getByRole('link', { name: 'See why' }).getAttribute('href'), 'runs/3');
  assert.equal(await page.getByText('--accept').count(), 0, 'a page here goes before a command');
  assert.deepEqual(await faultsOf(page), []);
  await click('link', 'Run 3');
  await shows('Stored listings that are not in this file, by their filed names: 40');
  await shows('if you accept it: openings = 0 added + 1 changed + 3 unchanged');
  assert.deepEqual(await faultsOf(page), []);
  await click('button', 'Refuse the run');
  await shows('Run 3 is refused: its file is not imported until it or city.yaml changes.');
  await click('link', 'Overview');
  assert.equal(await page.getByText('was held').count(), 0, 'a refused run needs no attention');

  await click('link', 'Listings');
  await page.getByLabel('A name, or a key').fill('Business 1');
  await click('button', 'Find');
  assert.deepEqual(await faultsOf(page), []);
  await page.getByLabel('Category').selectOption('Legal');
  await page.getByLabel('Name', { exact: true }).fill('The Right Name');
  await click('button', 'Save the correction');
  await shows('Corrected: Business 1: The Right Name, Legal.');
  await shows('corrected; filed as Business 1, ');
  await page.getByLabel('The reason').last().fill('It never opened');
  await click('button', 'Remove this listing');
  await shows('No longer served: Business 1.');
  await click('button', /^Serve it again: /);
  await shows('Served again: ');
  await click('link', 'Listings');
  assert.deepEqual(await faultsOf(page), []);
  await click('button', /^Undo the correction: /);
  await shows('Served as it was filed: ');
  const { suppressions, corrections } = service.store.listings;
  assert.deepEqual([await suppressions(), await corrections()], [[], []]);

  await click('link', 'Next edition');
  await page.frameLocator('iframe').getByRole('heading', { level: 1 }).waitFor();
  await click('button', /^Leave out: .*script/);
  await page.getByRole('heading', { name: 'Left out: 1' }).waitFor();
  await page.locator('textarea').fill('Hello from https://harbor.example');
  await click('button', 'Save the introduction');
  await shows('has this introduction now.');
  assert.deepEqual(await faultsOf(page), []);
  const { edition } = (await readStatus(service)).mail.nextEdition!;
  await service.store.editions.prepare(edition, { introduction: 'Hello from another operator' });
  await click('button', 'Approve it as shown here');
  await shows('has changed since you saw it');
  await shows('waiting for your approval. If you do not approve it, it is sent at');
  await click('button', 'Approve it as shown here');
  await shows('You have approved this edition. It has not changed since.');
  assert.match(await page.frameLocator('iframe').locator('body').innerText(), /Hello from/);
});

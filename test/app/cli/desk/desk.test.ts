/** The desk: reached by the browser that opened its link and by nothing else, and it does what the commands do. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { type TestContext, test } from 'node:test';
import { LINK_MS, openGate, SESSION_MS } from '../../../../src/app/cli/desk/desk-gate.ts';
import { renderRowsOf } from '../../../../src/app/cli/desk/desk-pages.ts';
import { openDesk } from '../../../../src/app/cli/desk/desk-server.ts';
import { openService } from '../../../../src/app/operations/service.ts';
import { readStatus } from '../../../../src/app/operations/service-status.ts';
import { ShingleError } from '../../../../src/shared/errors.ts';
import { aCity, businesses, csvText } from '../../../a-city.ts';
import { command } from '../../../a-command.ts';
import { aBrowser, faultsOf, noBrowser } from '../../../page/a-browser.ts';

type Asked = { method?: string; headers?: Record<string, string>; body?: string };

/** Node's fetch sets Host and Origin itself, so requests are made by hand. */
function ask(port: number, path: string, { method = 'GET', headers = {}, body }: Asked = {}) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }>(
    (resolve, reject) => {
      const order = {
        host: '127.0.0.1',
        port,
        path,
        method,
        headers: { host: `127.0.0.1:${port}`, ...headers },
      };
      const asked = request(order, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }));
      });
      asked.on('error', reject).end(body);
    },
  );
}

/** A city with a held run, four new businesses and a hostile name, and its desk. */
async function aDesk(t: TestContext) {
  const city = aCity();
  city.change('archive: false', 'weekly: { approval: true }, archive: false');
  const rows = businesses(44);
  rows[43]!.name = '<script>document.title=1</script> & Sons';
  for (const [day, some] of [
    ['18', rows.slice(0, 40)],
    ['19', rows],
    ['20', [...rows.slice(0, 3), { ...rows[3]!, name: 'Business Four' }]],
  ] as const) {
    const from = city.csv(some);
    await command(['ingest', '--from', from, '--now', `2026-11-${day}T18:00:00Z`], city.env);
  }
  const service = await openService(city.config, () => '2026-11-20T19:00:00.000Z');
  for (const [day, requests] of [
    [
      '19',
      [
        ['/', 3],
        ['/signup', 5],
      ],
    ],
    [
      '20',
      [
        ['/feed', 2],
        ['/', 1],
      ],
    ],
  ] as const)
    await service.store.usage.add(`2026-11-${day}`, new Map<string, number>(requests));
  const clock = { now: 1_000 };
  const desk = await openDesk(service, { port: 0, host: '127.0.0.1', now: () => clock.now });
  t.after(async () => {
    desk.close();
    await desk.closed;
    await service.close();
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

test('the link of the desk works once and for an hour, and only from the same user, name and origin', async (t) => {
  const timers = t.mock.method(globalThis, 'setTimeout').mock;
  const { desk, clock } = await aDesk(t);
  const { port } = desk;
  const before = await Promise.all(['/', '/open/x', '/desk.css'].map((path) => ask(port, path)));
  assert.deepEqual(
    before.map(({ status }) => status),
    [404, 404, 404],
  );
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
  const origin = `http://127.0.0.1:${port}`;
  const own = { cookie, origin, 'content-type': 'application/x-www-form-urlencoded' };
  const status = async (path: string, headers: Record<string, string>, more: Asked = {}) =>
    (await ask(port, path, { ...more, headers })).status;
  assert.equal(await status(root, { cookie }), 200);
  const post = { method: 'POST', body: 'text=x' };
  const other = `desk=${'x'.repeat(43)}`;
  const refused: [string, number, () => Promise<number>][] = [
    ['a cookie alone', 404, () => status('/', { cookie })],
    ['the folder alone, as another user may see it', 404, () => status(root, {})],
    ['another cookie', 404, () => status(root, { cookie: other })],
    ['another name for this machine', 421, () => status(root, { cookie, host: `rebound.example:${port}` })],
    ['a name that begins like ours', 421, () => status(root, { cookie, host: '127.0.0.1.evil.example' })],
    [
      'localhost, which may be another address',
      421,
      () => status(root, { cookie, host: `localhost:${port}` }),
    ],
    ['a page of another site', 403, () => status(root, { cookie, 'sec-fetch-site': 'cross-site' })],
    ['a page on another port', 403, () => status(root, { cookie, 'sec-fetch-site': 'same-site' })],
    [
      'a form of another port',
      403,
      () => status(`${root}edition/introduce`, { ...own, origin: 'http://localhost:1' }, post),
    ],
    ['a form without an origin', 403, () => status(`${root}edition/introduce`, { cookie }, post)],
    [
      'a form that hides its origin',
      403,
      () => status(`${root}edition/introduce`, { ...own, origin: 'null' }, post),
    ],
    [
      'a body that is no form',
      400,
      () => status(`${root}edition/introduce`, { ...own, 'content-type': 'text/plain' }, post),
    ],
    [
      'a form that is too large',
      400,
      () => status(`${root}edition/introduce`, own, { method: 'POST', body: 'a'.repeat(20_000) }),
    ],
    ['another method', 405, () => status(root, own, { method: 'DELETE' })],
    ['a page that is not there', 404, () => status(`${root}../${root}`, { cookie })],
  ];
  for (const [who, expected, attempt] of refused) assert.equal(await attempt(), expected, who);
  assert.equal(await status(`${root}edition/introduce`, own, post), 303);
  assert.equal(
    await status(
      `${root}edition/introduce`,
      { ...own, host: '127.0.0.1:9999', origin: 'http://127.0.0.1:9999' },
      post,
    ),
    303,
    'through ssh -L with another port',
  );
  assert.deepEqual([LINK_MS, SESSION_MS], [10 * 60_000, 60 * 60_000]);
  const waits = timers.calls.map(({ arguments: [, ms] }) => Number(ms)).filter((ms) => ms >= LINK_MS);
  assert.deepEqual(waits.slice(-2), [LINK_MS, SESSION_MS], 'and then it ends by itself');
  const late = openGate(() => clock.now);
  const host = `127.0.0.1:${port}`;
  const opening = { method: 'GET', url: late.link, headers: { host }, headersDistinct: { host: [host] } };
  clock.now += LINK_MS;
  assert.deepEqual(
    Object.values(late.enter(opening)).slice(0, 2),
    ['refuse', 410],
    'a link of ten minutes ago',
  );
  assert.equal(await status(root, { cookie }), 200);
  clock.now += SESSION_MS - LINK_MS - 1;
  assert.equal(await status(root, { cookie }), 200);
  clock.now++;
  assert.equal(await status(root, { cookie }), 401);
  assert.equal(await status(`${root}edition/introduce`, own, post), 401);
});

test('no page of the desk runs a script, can be framed or is stored', async (t) => {
  const { desk } = await aDesk(t);
  const { root, cookie } = await enter(desk);
  for (const path of [
    '',
    'edition',
    'edition/email',
    'listings?name=Shop',
    'runs/3',
    'runs/3/rows',
    'desk.css',
    'nothing',
  ]) {
    const { headers, text } = await ask(desk.port, root + path, { headers: { cookie } });
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /^default-src 'none'; /);
    assert.doesNotMatch(policy, /script-src|unsafe-eval|\*/);
    assert.match(policy, /frame-ancestors '(none|self)'/);
    assert.deepEqual([headers['cache-control'], headers['x-content-type-options']], ['no-store', 'nosniff']);
    assert.doesNotMatch(text, /<script/, path);
  }
});

test('the desk says whether the file has changed since the run', async (t) => {
  const city = aCity();
  const place = city.file('a.csv', csvText(businesses(30)));
  city.change('from: csv()', `from: csv({ file: ${JSON.stringify(place)} })`);
  await command(['ingest'], city.env);
  const service = await city.open('2026-11-20T19:00:00.000Z');
  t.after(() => service.close());
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
  const headers = {
    ...{ cookie, origin: `http://127.0.0.1:${desk.port}` },
    'content-type': 'application/x-www-form-urlencoded',
  };
  const show = async (path: string) => (await ask(desk.port, root + path, { headers: { cookie } })).text;
  let shown = '';
  const send = async (path: string, form: Record<string, string> = {}) => {
    const body = String(new URLSearchParams(form));
    const { headers: to } = await ask(desk.port, root + path, { method: 'POST', headers, body });
    const { text } = await ask(desk.port, String(to.location), { headers: { cookie } });
    shown = text;
    return /role="status">([^<]*)</.exec(text)?.[1]?.replaceAll('&quot;', '"');
  };
  assert.match(
    await show('runs/3'),
    /2026-11-20 10:00 PST[\s\S]*that the run changes, by their filed names: 1<\/h2><ul class="plain"><li>Business 4<\/li>/,
  );
  const [, digest = ''] = /name="digest" value="(\w+)"/.exec(await show('edition'))!;
  const { edition, total } = (await readStatus(service)).mail.nextEdition!;
  const [value, ours] = ['Business 1', { source: 'licences', key: '41' }];
  for (const [path, form, said] of [
    ['runs/3/accept', {}, 'Run 3 is kept, with 0 new listings.'],
    ['runs/3/accept', {}, 'Run 3 is kept, not held. Only held runs can be accepted.'],
    [
      'listings/correct',
      { value, name: 'Right', was: value, status: 'closed' },
      'Corrected: Business 1: Right, closed.',
    ],
    ['listings/correct', { value, category: 'Legl' }, '"Legl" is not a category. Did you mean "Legal"?'],
    ['listings/remove', { value: 'right' }, 'No longer served: right.'],
    ['listings/serve', { value: 'right' }, 'Served again: right.'],
    ['listings/serve', { value: 'right' }, '"right" is not in the list.'],
    ['listings/uncorrect', { value }, 'Served as it was filed: Business 1.'],
    ['listings/uncorrect', { value }, '"Business 1" is not in the list.'],
    ['listings/remove', { value: '\u202e' }, 'Give the name or key of a listing.'],
    ['edition/approve', { digest }, `The edition of ${edition} is approved, with ${total} new businesses.`],
    ['edition/leave-out', ours, 'Left out of the weekly email: Business 41.'],
    [
      'edition/approve',
      { digest },
      `The edition of ${edition} has changed since you saw it: look at it again before you approve it.`,
    ],
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
  const overview = await show('');
  const [, used = ''] = /Requests of the last 7 days<\/h2>([\s\S]*?)<\/table>/.exec(overview)!;
  const cells = used
    .replaceAll(/<tr>|<\/tr>/g, '|')
    .replaceAll(/<[^>]*>\s*/g, ' ')
    .match(/[\w/|-]+/g)!;
  assert.deepEqual(
    cells.join(' '),
    '| Route 2026-11-20 2026-11-19 | | /feed 2 0 | | / 1 3 | | /signup 0 5 |',
  );
  const { filings, suppressions, editions } = service.store;
  for (const [path, form, store, method] of [
    ['runs/3/refuse', {}, filings, 'refuse'],
    ['listings/correct', { value, name: 'Right' }, suppressions, 'correct'],
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
  await page.goto(desk.url);
  await page.getByText('Run 3 of licences was held', { exact: false }).first().waitFor();
  assert.equal(await page.getByRole('link', { name: 'See why' }).getAttribute('href'), 'runs/3');
  assert.equal(await page.getByText('--accept').count(), 0, 'a page here goes before a command');
  assert.deepEqual(await faultsOf(page), []);
  await page.getByRole('link', { name: 'Run 3', exact: true }).click();
  await page
    .getByRole('heading', { name: 'Stored listings that are not in this file, by their filed names: 40' })
    .waitFor();
  await page.getByText('if you accept it: openings = 0 added + 1 changed + 3 unchanged').waitFor();
  assert.deepEqual(await faultsOf(page), []);
  await page.getByRole('button', { name: 'Refuse the run' }).click();
  await page.getByText('Run 3 is refused: its file is not imported until it or city.yaml changes.').waitFor();
  assert.equal((await service.store.filings.run(3))?.state, 'refused');
  await page.getByRole('link', { name: 'Overview' }).click();
  assert.equal(await page.getByText('was held').count(), 0, 'a refused run needs no attention');

  await page.getByRole('link', { name: 'Listings' }).click();
  await page.getByLabel('A name, or a key').fill(businesses(1)[0]!.name!);
  await page.getByRole('button', { name: 'Find' }).click();
  assert.deepEqual(await faultsOf(page), []);
  await page.getByLabel('Category').selectOption('Legal');
  await page.getByLabel('Name', { exact: true }).fill('The Right Name');
  await page.getByRole('button', { name: 'Save the correction' }).click();
  await page.getByText('Corrected: Business 1: The Right Name, Legal.').waitFor();
  await page.getByText('corrected; filed as Business 1, ').waitFor();
  assert.deepEqual(
    (await service.store.listings.corrections()).map(({ name, category }) => [name, category]),
    [['The Right Name', 'Legal']],
  );
  await page.getByLabel('The reason').last().fill('It never opened');
  await page.getByRole('button', { name: 'Remove this listing' }).click();
  await page.getByText('No longer served: Business 1.').waitFor();
  await page.getByRole('button', { name: /^Serve it again: / }).click();
  await page.getByText('Served again: ').waitFor();
  await page.getByRole('link', { name: 'Listings' }).click();
  assert.deepEqual(await faultsOf(page), []);
  await page.getByRole('button', { name: /^Undo the correction: / }).click();
  await page.getByText('Served as it was filed: ').waitFor();
  const { suppressions, corrections } = service.store.listings;
  assert.deepEqual([await suppressions(), await corrections()], [[], []]);

  await page.getByRole('link', { name: 'Next edition' }).click();
  await page.frameLocator('iframe').getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('button', { name: /^Leave out: .*script/ }).click();
  await page.getByRole('heading', { name: 'Left out: 1' }).waitFor();
  await page.locator('textarea').fill('Hello from https://harbor.example');
  await page.getByRole('button', { name: 'Save the introduction' }).click();
  await page.getByText('has this introduction now.').waitFor();
  assert.deepEqual(await faultsOf(page), []);
  const { edition } = (await readStatus(service)).mail.nextEdition!;
  await service.store.editions.prepare(edition, { introduction: 'Hello from another operator' });
  await page.getByRole('button', { name: 'Approve it as shown here' }).click();
  await page.getByText('has changed since you saw it').waitFor();
  await page.getByText('waiting for your approval. If you do not approve it, it is sent at').waitFor();
  await page.getByRole('button', { name: 'Approve it as shown here' }).click();
  await page.getByText('You have approved this edition. It has not changed since.').waitFor();
  assert.match(await page.frameLocator('iframe').locator('body').innerText(), /Hello from/);
});

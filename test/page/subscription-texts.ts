/** Everything that people read of a subscription, for cities in other languages than English: its pages in every state, and its emails. */

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { renderWeeklyEmail } from '../../src/page/email/weekly-email.ts';
import type { City } from '../../src/register/profile/define.ts';
import type { BuildRow } from '../../src/service/search/index/build.ts';
import { parseAddress } from '../../src/service/subscribers/address.ts';
import { openValueNames } from '../../src/shared/city/value-names.ts';
import { makeEditionContent, nameContent, selectPart } from '../../src/shared/edition/edition.ts';
import { aFiling } from '../a-filing.ts';
import { aSignupServer } from '../service/mail/a-mailing.ts';
import { AN_EDITION } from '../service/web/a-door.ts';

/** The words of a text that are in another language than the city's. */
type FindForeign = (text: string) => string[];

const post = (fields: Record<string, string>, headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  body: new URLSearchParams(fields).toString(),
});
const pathOf = (link: string) => new URL(link).pathname + new URL(link).search;

/** `rows` have the category and the neighborhood that are chosen. */
export async function readSubscription(
  t: TestContext,
  {
    chosen,
    ...given
  }: { city: City; rows: BuildRow[]; chosen: Record<'categories' | 'neighborhoods', string> },
  findForeign: FindForeign,
): Promise<void> {
  const { city } = given;
  const { mailing, ...door } = await aSignupServer(t, given);
  const seen = async (path: string, init?: RequestInit) => {
    const response = await door.get(path, { ...init, headers: { accept: 'text/html', ...init?.headers } });
    const html = await response.text();
    assert.ok(html.includes(`<html lang="${city.language}" dir="ltr">`), path);
    assert.deepEqual(findForeign(html), [], `${init?.method ?? 'GET'} ${path}`);
    return response.status;
  };
  const signup = { email: 'odile@port.example', type: 'weekly' };
  assert.equal(await seen('/signup'), 200);
  for (const wrong of [{ email: 'x' }, { type: 'x' }, { categories: 'x' }] as Record<string, string>[])
    assert.equal(await seen('/signup', post({ ...signup, ...wrong })), 422);
  assert.equal(await seen('/signup', post(signup, { origin: 'https://evil.example' })), 403);
  assert.equal(await seen('/signup', { method: 'POST', body: 'x' }), 415);
  assert.equal(await seen('/signup', post({ ...signup, ...chosen })), 200);
  await mailing.subscriptions.requestSignup(parseAddress(signup.email)!, 'pro-waitlist', 'api');
  const mails = await mailing.deliver();
  assert.equal(mails.length, 2);
  for (const { subject, text, html, links } of mails) {
    assert.deepEqual(findForeign([subject, text, html].join('\n')), [], subject!);
    for (const method of ['GET', 'POST', 'GET'])
      assert.equal(await seen(pathOf(links.confirm!), { method }), 200);
  }
  assert.equal(await seen('/confirm?token=x'), 404);
  for (const path of ['/unsubscribe?token=x', '/weekly', `/weekly/${AN_EDITION}?offset=25`])
    assert.equal(await seen(path), 200);
  assert.equal(await seen(`/weekly/${AN_EDITION}?category=x`), 200);
  const manage = pathOf(mails[0]!.links.manage!);
  assert.equal(await seen(manage), 200);
  const change = { action: 'change', neighborhoods: chosen.neighborhoods };
  assert.equal(await seen(manage, post(change)), 200);
  assert.equal(await seen(manage, post({ ...change, neighborhoods: 'x' })), 422);
  assert.equal(await seen(manage, post({ action: 'everything' })), 200);
  const edition = (await mailing.edition(30)).find(({ links }) => links.unsubscribe !== undefined)!;
  assert.deepEqual(findForeign([edition.subject, edition.text, edition.html].join('\n')), []);
  const leave = pathOf(edition.links.unsubscribe!);
  for (const method of ['GET', 'POST']) assert.equal(await seen(leave, { method }), 200);
  assert.equal(await seen(manage), 200);
  assert.equal(await seen(manage, post({ action: 'erase' })), 200);
  let status = 200;
  for (let i = 0; status === 200; i++)
    status = await seen('/signup', post({ ...signup, email: `p${i}@b.example` }));
  assert.equal(status, 429);
}

/** Weekly emails of a city: large and small, of all listings and of parts, with an edition before them and without, and examples. */
export function readEditions(city: City, findForeign: FindForeign): void {
  const { nameOf } = openValueNames(city);
  const statuses = ['open', 'closed', 'expired', 'abandoned', 'unknown'] as const;
  const stored = (_: unknown, i: number) => ({
    ...aFiling({ key: `k${i}`, name: `Shop ${i}`, status: statuses[i % 5]! }),
    category: i % 2 === 0 ? null : 'Legal',
    neighborhood: i % 3 === 0 ? null : `Ω${i % 17}`,
    ...{ source: 's', arrival: 1, arrivedAt: '2026-11-20T00:00:00.000Z', isNews: true },
  });
  const edition = (count: number, name: string) => {
    const days = { from: count === 1 ? '2026-11-23' : '2026-11-16', to: '2026-11-23', today: '2026-11-23' };
    const news = Array.from({ length: count }, stored);
    return nameContent(makeEditionContent({ edition: name, ...days, suppressed: [], news }), city);
  };
  const home = 'https://r.example/';
  const links = { unsubscribe: `${home}u`, manage: `${home}m`, home };
  const last = edition(30, '2026-11-02');
  const wish = (categories: (string | null)[], neighborhoods: (string | null)[]) => ({
    categories: categories.map((id) => nameOf('category', id)),
    neighborhoods: neighborhoods.map((id) => nameOf('neighborhood', id)),
  });
  const wishes = [
    wish([], []),
    wish(['Legal', null], []),
    wish([], [null, 'Ω1', 'Ω2', 'Ω4']),
    wish([null], [null]),
  ];
  for (const [whole, earlier] of [
    [last, []],
    [edition(1, '2026-11-23'), [last]],
    [edition(60, '2026-11-23'), [last]],
  ] as const)
    for (const wanted of wishes)
      for (const isExample of [false, true]) {
        const content = selectPart(whole, wanted, []);
        const about = { city, content, earlier, wanted, links, isExample };
        const { subject, html, text } = renderWeeklyEmail({ ...about, postalAddress: '1 Quay Street' });
        assert.ok(html.includes(`<html lang="${city.language}" dir="ltr">`));
        assert.deepEqual(findForeign([subject, html, text].join('\n')), [], subject);
      }
}

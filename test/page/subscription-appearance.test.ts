/** How emails, and the pages that they lead to, look and read: at every width, in light and dark mode, without anything from elsewhere. */

import assert from 'node:assert/strict';
import { parseAddress } from '../../src/service/subscribers/address.ts';
import { formatPreferences } from '../../src/shared/signup/preferences.ts';
import { aMailing, tokenIn } from '../service/mail/a-mailing.ts';
import { AN_EDITION } from '../service/web/a-door.ts';
import { aBrowser, faultsInBothModes, test } from './a-browser.ts';
import { aSample } from './a-sample.ts';

const WIDTHS = [320, 375, 600, 800];
/** Landmarks are for pages: an email is shown within one. */
const IS_OF_PAGES = /^(landmark-one-main|region):/;
const visit = aBrowser();
const sample = aSample();
const preferences = formatPreferences(
  {
    categories: ['Restaurants'],
    neighborhoods: ['Café Row', 'Gone Quarter'],
  },
  {},
);
const pathOf = (link: string) => new URL(link).pathname + new URL(link).search;

async function aSubscriber() {
  const mailing = await aMailing();
  const who = parseAddress('ann@b.example')!;
  await mailing.subscriptions.requestSignup(who, 'weekly', 'form', { preferences });
  const [confirmation] = await mailing.deliver();
  return { mailing, confirmation: confirmation!, token: tokenIn(confirmation!.links.confirm!) };
}

test('emails can be read at every width, in light and dark mode, and load nothing', async (t) => {
  const { mailing, confirmation, token } = await aSubscriber();
  await mailing.subscriptions.confirm(token);
  await mailing.subscriptions.changePreferences(tokenIn(confirmation.links.manage!), null);
  const mails = [confirmation, (await mailing.edition(40)).at(-1)!];
  const { page, hosts } = await visit(t, 'http://localhost');
  for (const { html, subject } of mails) {
    await page.setContent(html!);
    const problems = (await faultsInBothModes(page)).filter((problem) => !IS_OF_PAGES.test(problem));
    assert.deepEqual(problems, [], subject!);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width);
    }
  }
  assert.deepEqual([...hosts], []);
});

test('every form to sign up can be sent in a browser, which tells its origin', async (t) => {
  for (const path of ['/', '/?category=Restaurants', '/weekly', '/signup']) {
    const { page } = await visit(t, new URL(sample.url).origin);
    await page.goto(path);
    const form = page.locator('form.signup').first();
    await form.locator('input[type=email]').fill('bea@b.example');
    const answer = page.waitForResponse((response) => response.request().method() === 'POST');
    await form.locator('button').click();
    assert.ok((await answer).ok(), path);
  }
});

test('axe finds no violation in the signup form, the pages of links and past editions, and they fit a phone', async (t) => {
  const { mailing, confirmation, token } = await aSubscriber();
  const door = await mailing.door(t, 'off');
  const { page } = await visit(t, door.url, { viewport: { width: 320, height: 640 } });
  const look = async (path: string) => {
    await page.goto(path);
    assert.deepEqual(await faultsInBothModes(page), [], path);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320, path);
  };
  await look(pathOf(confirmation.links.confirm!));
  await mailing.subscriptions.confirm(token);
  await look(pathOf(confirmation.links.confirm!));
  await look(pathOf(confirmation.links.manage!));
  await look('/?category=Restaurants&neighborhood=Caf%C3%A9+Row');
  for (const path of [
    '/weekly',
    '/weekly?category=nothing',
    `/weekly/${AN_EDITION}?category=Restaurants&category=Legal`,
  ])
    await look(path);
});

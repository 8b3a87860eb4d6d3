/** What people do on the page, in a real browser: with and without scripts, with the keyboard alone, on a phone. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { NARROWING } from '../../src/shared/question.ts';
import { command } from '../a-command.ts';
import { until } from '../until.ts';
import { aBrowser, faultsInBothModes, focused, noBrowser } from './a-browser.ts';
import { aSample } from './a-sample.ts';

const sample = aSample();
const visit = aBrowser();
const LIMITS = { skip: noBrowser };

const HOME = /^[\d,]+ new businesses in the week to /;

const names = (page: Page) => page.locator('.ledger .name').allInnerTexts();
const query = (page: Page) => new URL(page.url()).search;

test(
  'words that were read as filters stay in the search box, and a chip removes one filter',
  LIMITS,
  async (t) => {
    for (const javaScriptEnabled of [true, false]) {
      const { page } = await visit(t, sample.url, { javaScriptEnabled });
      const box = page.getByRole('searchbox', { name: 'Name, kind, area or question' });
      const ask = async (q: string, found: RegExp) => {
        await box.fill(q);
        await page.keyboard.press('Enter');
        await page.locator('#found', { hasText: found }).waitFor();
        assert.deepEqual([await box.inputValue(), new URL(page.url()).searchParams.get('q')], [q, q]);
      };
      await page.goto('/');
      await ask('restaurants', /^\d+ restaurants registered since \d{4}$/);
      await ask('restaurants millrace', /^\d+ restaurants registered in Millrace since \d{4}$/);
      await ask('millrace', /^Millrace$/);
      assert.doesNotMatch(page.url(), /Restaurants/);
      await ask('bars & nightlife in old town', /^\d+ bars and clubs in Old Town/);
      await page.getByRole('link', { name: 'Remove Old Town' }).click();
      await page.locator('#found', { hasText: /^\d+ bars and clubs registered since \d{4}$/ }).waitFor();
      assert.equal(await box.inputValue(), '');
      assert.equal(new URL(page.url()).search, '?category=Bars%20%26%20Nightlife');
    }
  },
);

test('a person filters, pages, goes back, and removes a filter', LIMITS, async (t) => {
  const { page } = await visit(t, sample.url);
  await page.goto('/');
  const first = await names(page);
  await page.locator('#filters summary').click();
  await page.locator('#filter-category').fill('Restaurants');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.locator('#chosen').waitFor();
  const restaurants = await names(page);
  await page.getByRole('link', { name: 'Show 26 to 50' }).click();
  await page.getByText(/^26 to 50 of/).waitFor();
  assert.notDeepEqual(await names(page), restaurants);
  await page.goBack();
  await page.getByText(/^26 to 50 of/).waitFor({ state: 'detached' });
  assert.deepEqual(await names(page), restaurants);
  await page.goBack();
  await page.getByRole('heading', { name: HOME }).waitFor();
  assert.deepEqual(await names(page), first);
  assert.equal(await page.locator('#filter-category').inputValue(), '');
  await page.goForward();
  await page.locator('#chosen a').first().click();
  await page.getByRole('heading', { name: HOME }).waitFor();
});

test('people can search, read the results and turn the page with the keyboard alone', LIMITS, async (t) => {
  const { page } = await visit(t, sample.url);
  await page.goto('/');
  await page.keyboard.press('Tab');
  assert.equal(await focused(page), 'Skip to the results');
  await page.keyboard.press('Enter');
  assert.equal(await focused(page), 'found');
  await page.goto('/');
  for (let presses = 0; presses < 20 && (await focused(page)) !== 'q'; presses++)
    await page.keyboard.press('Tab');
  await page.keyboard.type('studio');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/?q=studio#found');
  await page.getByRole('heading', { name: /“studio”/, level: 1 }).waitFor();
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab');
    if (/^Show 26 to 50 of/.test((await focused(page)) ?? '')) break;
  }
  await page.keyboard.press('Enter');
  await page.waitForURL('**/?q=studio&offset=25#found');
  await page.locator('#found:focus').waitFor();
});

test('search, filters, pages and the signup work without scripts', LIMITS, async (t) => {
  const { page, loads } = await visit(t, sample.url, { javaScriptEnabled: false });
  await page.goto('/');
  await page.locator('#q').fill('studio');
  await page.locator('#filters summary').click();
  await page.locator('#filter-status').selectOption('open');
  await page.getByRole('button', { name: 'Apply' }).click();
  const filled: Record<string, string> = { q: 'studio', status: 'open' };
  assert.equal(
    query(page),
    `?${NARROWING.filter((name) => name !== 'added_from')
      .map((name) => `${name}=${filled[name] ?? ''}`)
      .join('&')}`,
  );
  await page.getByRole('link', { name: 'Show 26 to 50' }).click();
  assert.equal(query(page), '?q=studio&status=open&offset=25');
  await page.goto('/?neighborhood=Old+Town');
  await page
    .locator('#email')
    .getByRole('link', { name: /^Choose kinds/ })
    .click();
  assert.equal(await page.locator('#choose-neighborhoods summary').innerText(), 'Neighborhoods: Old Town');
  await page.getByLabel('Your email address').first().fill('plain@rivermouth.example');
  await page.getByRole('button', { name: 'Sign up' }).first().click();
  assert.equal(await page.locator('h1').innerText(), 'This site sends no email yet');
  assert.ok(loads() > 3);
});

test(
  'a person signs up, confirms, sees their data, and unsubscribes; axe finds no violation',
  LIMITS,
  async (t) => {
    const address = 'ann@rivermouth.example';
    const { page } = await visit(t, sample.url);
    const stands = async (title: string) => {
      assert.equal(await page.locator('h1').innerText(), title);
      assert.deepEqual(await faultsInBothModes(page), [], title);
    };
    await page.goto('/signup');
    await page.locator('#choose-neighborhoods summary').click();
    await page.getByLabel('Old Town').check();
    assert.equal(await page.locator('#choose-neighborhoods summary').innerText(), 'Neighborhoods: Old Town');
    await page.getByLabel('Old Town').uncheck();
    assert.equal(await page.locator('#choose-neighborhoods summary').innerText(), 'Neighborhoods: all');
    await page.getByLabel('Your email address').first().fill(address);
    await page.getByRole('button', { name: 'Sign up' }).first().click();
    await stands('This site sends no email yet');
    const letter = await sample.emailTo(address);
    await page.goto(/\/confirm\?token=[\w-]+/.exec(letter)![0]);
    await stands('Please confirm');
    await page.getByRole('button', { name: 'Yes, confirm' }).click();
    await stands('Confirmed');
    await page.getByText('Every edition has a link to unsubscribe', { exact: false }).waitFor();
    const sent = await command(['weekly', 'send'], { SHINGLE_DATA: sample.folder });
    assert.equal(sent.code, 0, sent.err);
    const edition = await sample.emailTo(address, /\/unsubscribe\?token=/);
    await page.goto(/\/manage\?token=[\w-]+/.exec(edition)![0]);
    await stands('Your emails and data');
    await page.goto(/\/unsubscribe\?token=[\w-]+/.exec(edition)![0]);
    await stands('Unsubscribe');
    await page.getByRole('button', { name: 'Yes, unsubscribe' }).click();
    await stands('You are unsubscribed');
  },
);

test(
  'on a phone, the results are visible after a search and after a tap, with and without scripts',
  LIMITS,
  async (t) => {
    for (const javaScriptEnabled of [true, false]) {
      const phone = {
        viewport: { width: 390, height: 844 },
        reducedMotion: 'reduce',
        javaScriptEnabled,
      } as const;
      const { page } = await visit(t, sample.url, phone);
      const ways: Record<string, () => Promise<unknown>> = {
        'a kind of business': () => page.locator('#kinds ~ .counted a').first().click(),
        'a neighborhood': () => page.locator('.counted a').first().click(),
        'the map': () => page.locator('.map a[data-place="Market Square"]').click(),
        'a search': () =>
          page
            .locator('#q')
            .fill('studio')
            .then(() => page.keyboard.press('Enter')),
      };
      for (const [name, go] of Object.entries(ways)) {
        await page.goto('/');
        await go();
        await page.waitForURL(({ search }) => search !== '');
        const place = async (selector: string) => (await page.locator(selector).first().boundingBox())!;
        await until(async () => {
          const [found, first] = [await place('#found'), await place('.ledger li')];
          return (found.y >= 0 && first.y + first.height <= 844) || undefined;
        }, `the results of ${name} in view`);
      }
    }
  },
);

test('the back button restores the search box', LIMITS, async (t) => {
  const { page } = await visit(t, sample.url);
  await page.goto('/?status=open');
  await page.getByRole('searchbox', { name: 'Name, kind, area or question' }).fill('studio');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /“studio”/, level: 1 }).waitFor();
  await page.goBack();
  await page.waitForURL('**/?status=open');
  await page.getByRole('heading', { name: /“studio”/, level: 1 }).waitFor({ state: 'detached' });
  assert.equal(await page.locator('#q').inputValue(), '');
  await page.goForward();
  await page.getByRole('heading', { name: /“studio”/, level: 1 }).waitFor();
  assert.equal(await page.locator('#q').inputValue(), 'studio');
});
test(
  'if the browser refuses to copy, the page selects the text and does not say that it was copied',
  LIMITS,
  async (t) => {
    const { page } = await visit(t, sample.url);
    await page.addInitScript(
      "navigator.clipboard.writeText = () => Promise.reject(new DOMException('denied'))",
    );
    for (const path of ['/?q=coffee', '/?q=how+many+bakeries', '/changes']) {
      await page.goto(path);
      await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
      const buttons = page.locator('[data-copy]');
      const count = await buttons.count();
      assert.ok(count > 0, path);
      for (let i = 0; i < count; i++) {
        const button = buttons.nth(i);
        if (!(await button.isVisible())) continue;
        const [before, id = ''] = [
          await button.textContent(),
          (await button.getAttribute('data-copy'))?.split(' ')[0],
        ];
        await button.evaluate((one) => one.click());
        const wanted = `(() => { const { value, innerText } = document.getElementById('${id}'); return value ?? innerText; })()`;
        const selected = `(() => { const { value, selectionStart, selectionEnd } = document.getElementById('${id}');
        return value === undefined ? getSelection().toString() : value.slice(selectionStart, selectionEnd); })()`;
        const [text, found] = [
          (await page.evaluate(wanted)) as string,
          (await page.evaluate(selected)) as string,
        ];
        assert.ok(text.length > 10 && found.trim().startsWith(text.trim()), `${path} ${id}: ${found}`);
        assert.equal(await button.textContent(), before);
        assert.equal(await page.locator('#said').innerText(), '');
      }
    }
  },
);

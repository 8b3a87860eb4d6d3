/** What people do on the page, in a real browser: with and without scripts, with the keyboard alone, on a phone. */

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { NARROWING } from '../../src/shared/question.ts';
import { command } from '../a-command.ts';
import { until } from '../until.ts';
import { faultsInBothModes, focused, test } from './a-browser.ts';
import { aSample, aSampleBrowser } from './a-sample.ts';

const sample = aSample();
const open = aSampleBrowser();

const HOME = /^[\d,]+ new businesses in the week to /;

const names = (page: Page) => page.locator('.ledger .name').allInnerTexts();
const query = (page: Page) => new URL(page.url()).search;
const boxOf = (page: Page) => page.getByRole('searchbox', { name: 'Name, kind, area or question' });

test('words that were read as filters stay in the search box, and a chip removes one filter', async (t) => {
  for (const javaScriptEnabled of [true, false]) {
    const page = await open(t, undefined, { javaScriptEnabled });
    const box = boxOf(page);
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
});

test('a person filters, pages, goes back, and removes a filter; the boxes go back too', async (t) => {
  const page = await open(t, '/');
  const first = await names(page);
  const [category, second] = [page.locator('#filter-category'), page.getByText(/^26 to 50 of/)];
  await page.locator('#filters summary').click();
  await category.fill('Restaurants');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.locator('#chosen').waitFor();
  const restaurants = await names(page);
  await page.getByRole('link', { name: 'Show 26 to 50' }).click();
  await second.waitFor();
  assert.notDeepEqual(await names(page), restaurants);
  await page.goBack();
  await second.waitFor({ state: 'detached' });
  assert.deepEqual(await names(page), restaurants);
  await page.goBack();
  await page.getByRole('heading', { name: HOME }).waitFor();
  assert.deepEqual(await names(page), first);
  assert.equal(await category.inputValue(), '');
  await page.goForward();
  await page.locator('#chosen a').first().click();
  await page.getByRole('heading', { name: HOME }).waitFor();
  const studio = page.getByRole('heading', { name: /“studio”/, level: 1 });
  await boxOf(page).fill('studio');
  await page.keyboard.press('Enter');
  await studio.waitFor();
  await page.goBack();
  await studio.waitFor({ state: 'detached' });
  assert.equal(await boxOf(page).inputValue(), '');
  await page.goForward();
  await studio.waitFor();
  assert.equal(await boxOf(page).inputValue(), 'studio');
});

test('people can search, read the results and turn the page with the keyboard alone', async (t) => {
  const page = await open(t, '/');
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

test('search, filters, pages and the signup work without scripts', async (t) => {
  const page = await open(t, '/', { javaScriptEnabled: false });
  await page.locator('#q').fill('studio');
  await page.locator('#filters summary').click();
  await page.locator('#filter-status').selectOption('open');
  await page.getByRole('button', { name: 'Apply' }).click();
  const filled: Record<string, string> = { q: 'studio', status: 'open' };
  const names = NARROWING.filter((name) => name !== 'added_from');
  assert.equal(query(page), `?${names.map((name) => `${name}=${filled[name] ?? ''}`).join('&')}`);
  await page.getByRole('link', { name: 'Show 26 to 50' }).click();
  assert.equal(query(page), '?q=studio&status=open&offset=25');
  await page.goto('/?neighborhood=Old+Town');
  await page.locator('#email').getByRole('link', { name: 'Choose kinds' }).click();
  assert.equal(await page.locator('#choose-neighborhoods summary').innerText(), 'Neighborhoods: Old Town');
  await page.getByLabel('Your email address').first().fill('plain@rivermouth.example');
  await page.getByRole('button', { name: 'Sign up' }).first().click();
  assert.equal(await page.locator('h1').innerText(), 'This site sends no email yet');
});

test('a person signs up, confirms, sees their data, and unsubscribes; axe finds no violation', async (t) => {
  const address = 'ann@rivermouth.example';
  const page = await open(t);
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
});

test('on a phone, the results are visible after a search and after a tap, with and without scripts', async (t) => {
  const ways: Record<string, (page: Page) => Promise<unknown>> = {
    'a kind of business': (page) => page.locator('#kinds ~ .counted a').first().click(),
    'a neighborhood': (page) => page.locator('.counted a').first().click(),
    'the map': (page) => page.locator('.map a[data-place="Market Square"]').click(),
    async 'a search'(page) {
      await page.locator('#q').fill('studio');
      await page.keyboard.press('Enter');
    },
  };
  for (const javaScriptEnabled of [true, false]) {
    const viewport = { width: 390, height: 844 };
    const page = await open(t, '/', { viewport, reducedMotion: 'reduce', javaScriptEnabled });
    const placeOf = async (selector: string) => (await page.locator(selector).first().boundingBox())!;
    for (const [name, go] of Object.entries(ways)) {
      await page.goto('/');
      await go(page);
      await page.waitForURL(({ search }) => search !== '');
      await until(async () => {
        const [found, first] = [await placeOf('#found'), await placeOf('.ledger li')];
        return (found.y >= 0 && first.y + first.height <= 844) || undefined;
      }, `the results of ${name} in view`);
    }
  }
});

test('if the browser refuses to copy, the page selects the text and does not say that it was copied', async (t) => {
  const page = await open(t);
  const refusal = "() => Promise.reject(new DOMException('denied'))";
  await page.addInitScript(`navigator.clipboard.writeText = ${refusal}`);
  for (const path of ['/?q=coffee', '/?q=how+many+bakeries', '/changes']) {
    await page.goto(path);
    await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
    const buttons = await page.locator('[data-copy]').all();
    assert.ok(buttons.length > 0, path);
    for (const button of buttons) {
      if (!(await button.isVisible())) continue;
      const before = await button.textContent();
      const [id = ''] = (await button.getAttribute('data-copy'))!.split(' ');
      await button.evaluate((one) => one.click());
      const [text, selected] = (await page.evaluate(`(() => {
        const { value, innerText, selectionStart, selectionEnd } = document.getElementById('${id}');
        return value === undefined ? [innerText, getSelection().toString()] : [value, value.slice(selectionStart, selectionEnd)];
      })()`)) as [string, string];
      assert.ok(text.length > 10 && selected.trim().startsWith(text.trim()), `${path} ${id}: ${selected}`);
      assert.deepEqual([await button.textContent(), await page.locator('#said').innerText()], [before, '']);
    }
  }
});

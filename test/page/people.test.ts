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

/** The heading of the results, with the filters that only screen readers hear. */
const heading = async (page: Page) => (await page.locator('#found').textContent()) ?? '';
const names = (page: Page) => page.locator('.ledger .name').allInnerTexts();
const query = (page: Page) => new URL(page.url()).search;

test(
  'results follow the typing without a page load, and the address matches the results',
  LIMITS,
  async (t) => {
    const { page, loads } = await visit(t, sample.url);
    await page.goto('/');
    assert.match(await heading(page), HOME);
    await page.getByRole('searchbox').pressSequentially('coffee', { delay: 20 });
    await page.waitForURL('**/?q=coffee');
    await page
      .getByRole('heading', { name: /^\d+ businesses matching “coffee” registered since \d{4}$/ })
      .waitFor();
    assert.equal(await page.locator('#said').innerText(), await heading(page));
    assert.equal(await focused(page), 'q');
    await page.locator('html:not(.waits)').waitFor();
    assert.equal(loads(), 1);
  },
);

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
  const { page, loads } = await visit(t, sample.url);
  await page.goto('/');
  const first = await names(page);
  await page.locator('#filters summary').click();
  await page.locator('#filter-category').fill('Restaurants');
  await page.keyboard.press('Tab');
  await page.waitForURL('**/?category=Restaurants');
  await page.locator('#chosen').waitFor();
  const restaurants = await names(page);
  await page.getByRole('link', { name: 'Show 26 to 50' }).click();
  await page.waitForURL('**/?category=Restaurants&offset=25');
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
  await page.waitForURL((url) => url.search === '');
  assert.equal(loads(), 1);
});

test(
  'typing without a pause makes one history entry, even if several responses arrive',
  LIMITS,
  async (t) => {
    const { page } = await visit(t, sample.url);
    await page.goto('/?status=open');
    for (const typed of ['st', 'ud', 'io']) {
      await page.getByRole('searchbox').pressSequentially(typed);
      await page.waitForURL((url) => url.searchParams.get('q')?.endsWith(typed) === true);
    }
    await page.goBack();
    await page.waitForURL('**/?status=open');
  },
);

test('no filter is lost if people set filters faster than results arrive', LIMITS, async (t) => {
  const { page } = await visit(t, sample.url);
  await page.goto('/');
  await page.locator('#filters summary').click();
  await page.locator('#filter-status').selectOption('open');
  await page.waitForURL('**/?status=open');
  const held = Promise.withResolvers<void>();
  await page.route('**/?status=open&filed_from=2026-02-01', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.locator('#filter-filed_from').focus();
  await page.keyboard.type('02012026');
  await page.locator('#filter-filed_to').focus();
  await page.keyboard.type('0630');
  held.resolve();
  await page.locator('#chosen a', { hasText: 'since February 1, 2026' }).waitFor();
  await page.keyboard.type('2026'); // the year, the part of the field that comes next
  await page.waitForURL('**/?status=open&filed_from=2026-02-01&filed_to=2026-06-30');
  await page.locator('#chosen a', { hasText: 'June' }).waitFor();
  assert.equal(await focused(page), 'filter-filed_to');
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
  await page.waitForURL('**/?q=studio');
  await page.getByRole('heading', { name: /“studio”/, level: 1 }).waitFor();
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab');
    if (/^Show 26 to 50 of/.test((await focused(page)) ?? '')) break;
  }
  await page.keyboard.press('Enter');
  await page.waitForURL('**/?q=studio&offset=25');
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
        'a kind of business': () => page.locator('[data-key^="category:"]').first().click(),
        'a neighborhood': () => page.locator('.counted a').first().click(),
        'the map': () => page.locator('[data-key="area:Market Square"]').click(),
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
        await page.locator('html:not(.waits)').waitFor();
        const place = async (selector: string) => (await page.locator(selector).first().boundingBox())!;
        await until(async () => {
          const [found, first] = [await place('#found'), await place('.ledger li')];
          return (found.y >= 0 && first.y + first.height <= 844) || undefined;
        }, `the results of ${name} in view`);
      }
    }
  },
);

test('the back button restores the search box, even while it has the focus', LIMITS, async (t) => {
  const { page, loads } = await visit(t, sample.url);
  await page.goto('/?status=open');
  await page.getByRole('searchbox', { name: 'Name, kind, area or question' }).fill('studio');
  await page.waitForURL('**/?q=studio&status=open');
  assert.equal(await focused(page), 'q');
  await page.goBack();
  await page.waitForURL('**/?status=open');
  await page.getByRole('heading', { name: /“studio”/, level: 1 }).waitFor({ state: 'detached' });
  assert.equal(await page.locator('#q').inputValue(), '');
  await page.goForward();
  await page.getByRole('heading', { name: /“studio”/, level: 1 }).waitFor();
  assert.equal(await page.locator('#q').inputValue(), 'studio');
  assert.equal(loads(), 1);
});

test('the focus stays on the same control, or goes to the results', LIMITS, async (t) => {
  const { page } = await visit(t, sample.url);
  const key = () => page.evaluate('document.activeElement.dataset.key ?? document.activeElement.id');
  /** What has the focus once the press of a key has led to another search. */
  const after = async (selector: string, press = 'Enter'): Promise<unknown> => {
    const before = page.url();
    await page.locator(selector).first().focus();
    const shown = page.waitForResponse((response) => response.url() !== before);
    await page.keyboard.press(press);
    await shown;
    await until(
      async () => (page.url() !== before && (await page.locator('.waits').count()) === 0) || undefined,
      'the page',
    );
    return key();
  };
  await page.goto('/');
  const kind = '[data-key^="category:"]';
  assert.equal(await after(kind), await page.locator(`${kind}[aria-current]`).getAttribute('data-key'));
  assert.equal(await after('[data-key="area:Old Town"]'), 'area:Old Town');
  const place = await page.locator('.places .counted a:not([aria-current])').first().getAttribute('data-key');
  assert.equal(await after(`[data-key="${place}"]`), place);
  assert.equal(await after('[data-key="switch"]'), 'switch');
  assert.equal(await after('[data-key="sort:before"]'), 'sort:before');
  assert.equal(
    await after('.months a:not(.asked), .months a'),
    await page.locator('.months [aria-current]').getAttribute('data-key'),
  );
  await page.goto('/');
  await page.locator('#filters summary').click();
  assert.equal(await after('#filter-status', 'n'), 'filter-status');
  assert.equal(await after('#chosen a'), 'found');
  await page.locator('#filter-category').focus();
  await page.keyboard.type('restaurants');
  assert.equal(await after('#filter-category'), 'filter-category');
  assert.match(await heading(page), /^\d+ restaurants registered since \d{4}$/);
});

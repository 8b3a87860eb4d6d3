/** The page on a bad network, in a real browser: answers that are late, refused or none at all, and a browser that refuses to copy. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { aBrowser, noBrowser } from './a-browser.ts';
import { aSample } from './a-sample.ts';

const sample = aSample();
const visit = aBrowser();
const LIMITS = { skip: noBrowser };

const box = (page: Page) => page.getByRole('searchbox');
const isSettled = (page: Page) => page.locator('html:not(.waits)').waitFor();

test(
  'an answer that arrives after a newer one changes neither the page nor the address',
  LIMITS,
  async (t) => {
    const { page, loads } = await visit(t, sample.url);
    await page.goto('/');
    const late = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    await page.route('**/?q=coffee', async (route) => {
      const response = await route.fetch();
      await late.promise;
      await route.fulfill({ response }).catch(() => undefined); // the page may have given it up
      ended.resolve();
    });
    const asked = page.waitForRequest('**/?q=coffee');
    await box(page).fill('coffee');
    await asked;
    await box(page).fill('studio');
    await page.getByRole('heading', { level: 1, name: /“studio”/ }).waitFor();
    late.resolve();
    await ended.promise;
    await isSettled(page);
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
    assert.match((await page.locator('#found').textContent())!, /“studio”/);
    assert.deepEqual([new URL(page.url()).search, loads()], ['?q=studio', 1]);
    const title = await page.title();
    await page.reload();
    assert.equal(title, await page.title());
  },
);

test(
  'if a search fails, the page shows an error in place of results, and offers to search again',
  LIMITS,
  async (t) => {
    for (const status of [429, 503]) {
      const { page } = await visit(t, sample.url, { expected: /status of (429|503)/ });
      await page.goto('/');
      await page.route('**/?q=coffee', (route) =>
        route.fulfill({ status, contentType: 'text/html', body: `<h1>Refused with ${status}</h1>` }),
      );
      await box(page).fill('coffee');
      await page.getByRole('heading', { name: `Refused with ${status}` }).waitFor();
      assert.equal(new URL(page.url()).search, '?q=coffee');
      await page.unroute('**/?q=coffee');
      await page.reload();
      await page.getByRole('heading', { level: 1, name: /“coffee”/ }).waitFor();
    }
  },
);

test('without a network, the browser shows its own error at the requested address', LIMITS, async (t) => {
  const { page } = await visit(t, sample.url, { expected: /ERR_INTERNET_DISCONNECTED/ });
  await page.goto('/');
  await page.context().setOffline(true);
  const failed = page.waitForEvent('requestfailed', (request) => request.isNavigationRequest());
  await box(page).fill('coffee');
  assert.equal(new URL((await failed).url()).search, '?q=coffee');
  await page.context().setOffline(false);
  await page.goto('/?q=coffee');
  await page.getByRole('heading', { level: 1, name: /“coffee”/ }).waitFor();
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

/** A real Chromium, one for all test files of a process. Its pages report every request, error and blocked content. */

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test as anyTest, before, type TestContext } from 'node:test';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { atEnd } from '../at-end.ts';
import { openPatience, PATIENCE_MS } from '../patience.ts';

/** The first has no window to draw: it takes a third of the time of a processor. */
const PROGRAMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const CHROMIUM = PROGRAMS.find(existsSync);
const FLAGS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/** Why these tests cannot run here; never on CI, where a browser belongs to the machine. */
export const noBrowser: string | false =
  CHROMIUM !== undefined || process.env.CI !== undefined ? false : `there is no ${PROGRAMS.join(' or ')}`;

/** A test that needs a browser. */
export function test(name: string, work: (t: TestContext) => Promise<void>): void {
  anyTest(name, { skip: noBrowser }, work);
}

export type Visit = {
  page: Page;
  /** Hosts that were asked for anything. */
  hosts: Set<string>;
  /** Full loads of a document. */
  loads(): number;
};

type VisitOptions = BrowserContextOptions & {
  /** Errors in the console that belong to the test. */
  expected?: RegExp;
};

export type Visitor = (t: TestContext, origin: string, options?: VisitOptions) => Promise<Visit>;

let launched: Promise<Browser> | undefined;

async function launch(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS, timeout: PATIENCE_MS });
  atEnd(() => browser.close());
  return browser;
}

/** Opens fresh windows; each fails its test for any error of the page and any request that leaves the origin. */
export function aBrowser(): Visitor {
  let browser: Browser;
  before(async () => {
    if (noBrowser !== false) return;
    launched ??= launch();
    browser = await launched;
  });

  return async (t, origin, { expected = /status of (404|422|429)/, ...options } = {}) => {
    const context = await browser.newContext({ baseURL: origin, ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const hosts = new Set<string>();
    const wrong: string[] = [];
    let loads = 0;
    let isTooLong = openPatience();
    const clock = setInterval(() => {
      if (isTooLong()) void context.close({ reason: 'waited in vain since the last request of the page' });
    }, 1_000);
    page.on('request', (request) => {
      isTooLong = openPatience();
      hosts.add(new URL(request.url()).origin);
      if (request.isNavigationRequest()) loads++;
    });
    page.on('pageerror', (error) => wrong.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !expected.test(message.text())) wrong.push(message.text());
    });
    t.after(async () => {
      clearInterval(clock);
      await context.close();
      assert.deepEqual(wrong, [], 'errors of the page');
      assert.deepEqual(
        [...hosts].filter((host) => host !== origin),
        [],
        'requests that left the origin',
      );
    });
    return { page, hosts, loads: () => loads };
  };
}

/** What axe finds wrong with the page in light mode, and with its colors in dark mode: nothing else differs. */
export async function faultsInBothModes(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await faultsOf(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  return [...light, ...(await faultsOf(page, 'color-contrast')).map((problem) => `dark: ${problem}`)];
}

/** What axe finds wrong with the page as it stands, in sentences. */
export async function faultsOf(page: Page, rules: 'all' | 'color-contrast' = 'all'): Promise<string[]> {
  if (await page.evaluate('typeof axe === "undefined"')) await page.evaluate(axe.source);
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules !== 'all' && { runOnly: rules }) });
  const { violations } = (await page.evaluate(`axe.run(${options})`)) as axe.AxeResults;
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
  );
}

/** The id of what has the focus, else its text. */
export async function focused(page: Page): Promise<string> {
  return (await page.evaluate('document.activeElement.id || document.activeElement.textContent')) as string;
}

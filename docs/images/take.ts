/**
 * Takes the pictures of the README from the sample city: `npm run screenshots`. Needs Chromium at /usr/bin/chromium, or its path in `CHROMIUM`,
 * and `script` (a terminal without a screen).
 */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { chromium } from 'playwright-core';

const ROOT = join(import.meta.dirname, '../..');
const ENTRY = join(ROOT, 'bin/shingle.mjs');
const QUESTIONS = 9; // of `init` about the example: the name, the doubtful date and its column, the roles, and five facts

const folder = mkdtempSync(join(tmpdir(), 'shingle-pictures-'));
const env = { ...process.env, SHINGLE_CITY: 'sample', SHINGLE_DATA: join(folder, 'data'), PORT: '0' };
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
const service = spawn(process.execPath, [ENTRY, 'start'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const url = await findAddress(service);
  await take(url, { name: 'page', width: 1_280, height: 900 });
  await take(url, { name: 'phone', width: 390, height: 844 });
  const preview = [ENTRY, 'weekly', 'preview'];
  spawnSync(process.execPath, preview, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const [edition] = globSync(join(folder, 'data/preview/*.html'));
  await take(pathToFileURL(edition!).href, { name: 'weekly', width: 640, height: 844 });
  const terminal = `<style>body{margin:0;padding:20px;background:#14171d;color:#e8eaee;font:14px/1.45 monospace}pre{margin:0;white-space:pre-wrap}</style><pre>${await draft()}</pre>`;
  await take(`data:text/html;charset=utf-8,${encodeURIComponent(terminal)}`, {
    name: 'init',
    width: 1_160,
    height: 820,
  });
} finally {
  service.kill('SIGTERM');
  await once(service, 'exit');
  await browser.close();
  rmSync(folder, { recursive: true });
}

async function findAddress({ stdout }: ChildProcess): Promise<string> {
  let said = '';
  for await (const text of stdout!.setEncoding('utf8')) {
    said += text;
    const url = /open (http:\S+)/.exec(said)?.[1];
    if (url === undefined) continue;
    while (!(await fetch(`${url}api/health`)).ok) await setTimeout(100);
    return url;
  }
  throw new Error(`the service does not serve: ${said}`);
}

async function take(
  address: string,
  { name, ...viewport }: { name: string; width: number; height: number },
): Promise<void> {
  const context = await browser.newContext({ viewport, colorScheme: 'light', locale: 'en-US' });
  const page = await context.newPage();
  await page.goto(address);
  await page.screenshot({ path: join(import.meta.dirname, `${name}.png`) });
  await context.close();
}

/** What `init` shows in a terminal about the example of the docs, each question answered with Enter. */
async function draft(): Promise<string> {
  cpSync(join(ROOT, 'docs/example'), join(folder, 'example'), { recursive: true });
  const files = 'register.csv --boundaries neighborhoods.geojson --addresses addresses.csv';
  const command = `"${process.execPath}" "${ENTRY}" init ${files} --out my-town --no-install`;
  const terminal = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: join(folder, 'example'),
    env: { ...process.env, TERM: 'dumb' }, // questions line by line, as text
  });
  let said = '';
  let answered = 0;
  for await (const text of terminal.stdout.setEncoding('utf8')) {
    said += text;
    const asked = stripVTControlCharacters(said).match(/\]: /g)?.length ?? 0;
    for (; answered < Math.min(asked, QUESTIONS); answered++) terminal.stdin.write('\n');
    if (said.includes('npm start')) terminal.stdin.end();
  }
  const lines = stripVTControlCharacters(said).replaceAll('\r', '').trimEnd().split('\n');
  return ['$ npx shingle init register.csv --out my-town', ...lines].join('\n').replaceAll('<', '&lt;');
}

/** Runs Lighthouse on the default page, as on a phone. npm downloads it when needed, because it is larger than the whole project. */

import type { SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startChild } from './children.ts';
import { storeOf, workFolder } from './data.ts';
import { served } from './process.ts';
import { median, type Result } from './report.ts';

const LIGHTHOUSE = 'lighthouse@13.5.0';
const RUNS = 3;
const PORT = 3_971;
const FLAGS =
  '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking';
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

type Report = { categories: Record<(typeof CATEGORIES)[number], { score: number }> };

export async function benchLighthouse(listings: number): Promise<Result> {
  const { child, url } = await served(await storeOf(listings), PORT);
  try {
    const reports: Report[] = [];
    for (let i = 0; i < RUNS; i++)
      reports.push(await reportOn(`${url}/`, join(workFolder('lighthouse'), `${i}.json`)));
    const figures = Object.fromEntries(
      CATEGORIES.map((name) => [
        name,
        median(reports.map(({ categories }) => Math.round(categories[name].score * 100))),
      ]),
    );
    const rows = Object.entries(figures).map(([what, score]) => ({
      what,
      value: `${score} (median of ${RUNS})`,
    }));
    return { bench: 'lighthouse', listings, rows, figures };
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}

async function reportOn(url: string, path: string): Promise<Report> {
  const args = [url, '--quiet', '--output=json', `--output-path=${path}`, `--chrome-flags=${FLAGS}`];
  const options: SpawnOptions = {
    env: { ...process.env, CHROME_PATH: '/usr/bin/chromium' },
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 180_000,
  };
  const child = startChild('npx', ['--yes', LIGHTHOUSE, ...args], options, 'SIGINT'); // so that it ends its browser
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`Lighthouse ended with exit code ${code}`);
  return JSON.parse(readFileSync(path, 'utf8')) as Report;
}

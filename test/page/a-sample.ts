/** The sample city, ingested and served in this process on a free port, its emails as files. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import PostalMime from 'postal-mime';
import { openService } from '../../src/app/operations/service.ts';
import { serveCity } from '../../src/app/operations/serving.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { aFolder } from '../a-folder.ts';
import { atEnd } from '../at-end.ts';
import { until } from '../until.ts';
import { aBrowser, type Visitor } from './a-browser.ts';

export type Sample = {
  readonly url: string;
  readonly folder: string;
  /** An email to somebody, as text. */
  emailTo(address: string, holding?: RegExp): Promise<string>;
};

let opened: Promise<Sample> | undefined;

/** Without limits, ready before the first test of a file, and one for all files of a process. */
export function aSample(): Sample {
  let sample: Sample;
  before(async () => {
    opened ??= openSample();
    sample = await opened;
  });
  return {
    get url() {
      return sample.url;
    },
    get folder() {
      return sample.folder;
    },
    emailTo: (address, holding) => sample.emailTo(address, holding),
  };
}

/** Opens windows of their own, at a path of the sample. */
export function aSampleBrowser() {
  const [sample, visit] = [aSample(), aBrowser()];
  return async (t: TestContext, path?: string, options?: Parameters<Visitor>[2]): Promise<Page> => {
    const { page } = await visit(t, sample.url, options);
    if (path !== undefined) await page.goto(path);
    return page;
  };
}

async function openSample(): Promise<Sample> {
  const folder = aFolder();
  const service = await openService(configOf(folder, {}));
  atEnd(() => service.close());
  await service.ingest({});
  const serving = await serveCity(service, { warn: () => undefined, info: () => undefined });
  atEnd(() => serving.close());
  return {
    url: serving.url,
    folder,
    emailTo: (address, holding = /confirm/) =>
      until(() => emailTo(join(folder, 'mail'), address, holding), `an email to ${address}`),
  };
}

export function configOf(dataFolder: string, changes: Partial<Config>): Config {
  const config = readConfig({
    SHINGLE_CITY: 'sample',
    SHINGLE_DATA: dataFolder,
    PORT: '0',
    MIN_FREE_BYTES: '0',
    SHINGLE_LIMITS: 'off', // a machine that is slow just now must not give up on anything
    MAIL_FROM: 'Otterfall <news@otterfall.example>',
  });
  return { ...config, ...changes };
}

async function emailTo(folder: string, address: string, holding: RegExp): Promise<string | undefined> {
  if (!existsSync(folder)) return undefined;
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.eml'))) {
    const { to, text } = await PostalMime.parse(readFileSync(join(folder, name)));
    if (to?.some((one) => one.address === address) && text !== undefined && holding.test(text)) return text;
  }
  return undefined;
}

/** The sample city, ingested and served in this process on a free port, its emails as files. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from 'node:test';
import PostalMime from 'postal-mime';
import { openService, type Service } from '../../src/app/operations/service.ts';
import { type Serving, serveCity } from '../../src/app/operations/serving.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { aFolder } from '../a-folder.ts';
import { until } from '../until.ts';

export type Sample = {
  readonly url: string;
  readonly folder: string;
  /** An email to somebody, as text. */
  emailTo(address: string, holding?: RegExp): Promise<string>;
};

/** Ready before the first test of the file, closed after the last. Without limits unless said otherwise. */
export function aSample(changes: Partial<Config> = {}): Sample {
  const folder = aFolder();
  let service: Service;
  let serving: Serving;
  before(async () => {
    service = await openService(configOf(folder, changes));
    await service.ingest({});
    serving = await serveCity(service, { warn: () => undefined, info: () => undefined });
  });
  after(async () => {
    await serving?.close();
    await service?.close();
  });
  return {
    folder,
    get url() {
      return serving.url;
    },
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

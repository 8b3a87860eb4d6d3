/** Real filings for tests: next to the repository, never in it. Without the data a test is skipped, except on CI, where it fails. */

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = new URL('../../shared/data/', import.meta.url);

/** The path of a file or folder of real filings, and the option that skips a test where it is absent. */
export function realData(name: string): { path: string; skip: string | false } {
  const path = fileURLToPath(new URL(name, FOLDER));
  const absent = !existsSync(path) && process.env.CI === undefined;
  return { path, skip: absent && `needs real filings at ../shared/data/${name}` };
}

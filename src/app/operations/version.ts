/** The version of Shingle, as in its `package.json`. */

import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

export const VERSION = (
  JSON.parse(readFileSync(findPackageJSON(import.meta.url)!, 'utf8')) as { version: string }
).version;

/** The name and the version of Shingle, as in its `package.json`. City folders call the package `shingle`, whatever its name is. */

import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

export const { name: PACKAGE, version: VERSION } = JSON.parse(
  readFileSync(findPackageJSON(import.meta.url)!, 'utf8'),
) as { name: string; version: string };

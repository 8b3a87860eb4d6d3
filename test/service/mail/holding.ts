/** Finds the files of a folder that still contain a text. */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Files of a folder, and of those in it, that hold the text in whatever case. */
export function holding(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path).isFile())
    .filter((path) => readFileSync(path, 'latin1').toLowerCase().includes(text.toLowerCase()));
}

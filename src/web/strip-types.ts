/** TypeScript as JavaScript, for the script of the page. */

import { stripTypeScriptTypes } from 'node:module';

/** Strips types like Node does. Hides Node's warning about this API on every start: the operator can do nothing about it. */
export function stripTypes(text: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return stripTypeScriptTypes(text).replaceAll(/^ *\n/gm, '');
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** The list of variables in docs/reference.md. `node bin/node.mjs test/house/reference-list.ts` writes it; a test compares. */

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { VARIABLES } from '../../src/app/cli/config-command.ts';

const PAGE = fileURLToPath(new URL('../../docs/reference.md', import.meta.url));

function describeVariables(): string {
  const items = VARIABLES.map(({ names, meaning, standard, more }) => {
    const all = names.split(', ').map((name) => `\`${name}\``);
    const usual = standard === undefined || standard === 'none' ? '' : ` Default: ${standard}.`;
    return `- ${all.join(', ')}: ${meaning}.${more === undefined ? '' : ` ${more}`}${usual}\n`;
  });
  return items.join('');
}

/** The page as it is, and as it would be with its list written anew. */
export function readReferencePage(): { page: string; filled: string } {
  const page = readFileSync(PAGE, 'utf8');
  const filled = page.replace(/(<!-- variables -->\n)\n?(?:- .*\n)*/, `$1\n${describeVariables()}`);
  return { page, filled };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(PAGE, readReferencePage().filled);

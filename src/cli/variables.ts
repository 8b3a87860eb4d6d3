/** Describes the environment variables (`src/data/variables.json`) in `--help`, and warns about misspelled ones. */

import { takeUnknownVariables } from '../config.ts';
import FILE from '../data/variables.json' with { type: 'json' };
import { countEdits } from '../listings/edits.ts';

const MOST_EDITS = 4; // swapping two letters counts as two edits

export type Variable = {
  /** One name, or two related ones separated by a comma. */
  names: string;
  meaning: string;
  standard?: string;
  /** Additional Markdown for docs/configuration.md. */
  more?: string;
  isSecret?: boolean;
};

export const VARIABLES: readonly Variable[] = FILE;

export function formatVariables(): string {
  const width = Math.max(...VARIABLES.map(({ names }) => names.length));
  const lines = VARIABLES.map(({ names, meaning, standard }) => {
    const text = standard === undefined ? meaning : `${meaning} (default: ${standard})`;
    return `  ${names.padEnd(width)}  ${text.replaceAll('`', '')}`;
  });
  return `\nEnvironment variables, also read from a file .env in the current folder:\n${lines.join('\n')}\n`;
}

export function describeUnknownVariables(env?: NodeJS.ProcessEnv): string[] {
  const known = VARIABLES.flatMap(({ names }) => names.split(', '));
  return takeUnknownVariables(known, env).map((name) => {
    const edits = (other: string) => countEdits(name, other);
    const [nearest = ''] = known.toSorted((a, b) => edits(a) - edits(b));
    const hint = edits(nearest) > MOST_EDITS ? '' : `. Did you mean ${nearest}?`;
    return `${name} is not a variable of Shingle and is ignored${hint}`;
  });
}

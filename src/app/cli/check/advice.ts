/** Says what to write for a finding, and on which line of `city.yaml`. */

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { stringify } from 'yaml';
import type { ShownFinding } from '../../../register/findings/finding.ts';
import { readYaml } from '../../../register/profile/mapping/read-yaml.ts';
import { toTexts } from '../../../register/writing/write-city.ts';
import { isRecord } from '../../../shared/record.ts';

const LONGEST_LINE = 100;

/** What to look at, and the lines that end the finding if some were tried. */
export type Advice = { step: string; lines: readonly string[] };

export type Advise = (source: string, finding: ShownFinding) => Advice;

/** Opens the advice for a city. A profile that is a program gets no lines, because they are YAML. */
export function openAdvice(path: string): Advise {
  if (!/\.ya?ml$/.test(path)) return (_, { fix }) => ({ step: fix, lines: [] });
  const { value, locate } = readYaml(readFileSync(path, 'utf8'));
  const registers = isRecord(value) && Array.isArray(value.registers) ? value.registers : [];
  return (source, { fix, word, write = {} }) => {
    const at = registers.findIndex((register) => isRecord(register) && register.id === source);
    const lines = Object.entries(write).flatMap(formatWord);
    const [named = word] = Object.keys(write);
    const isThere = named !== undefined && at !== -1 && named in registers[at];
    if (!isThere && (lines.length === 0 || at === -1)) return { step: fix, lines };
    const { line } = locate(['registers', at, named ?? ''], true);
    return { step: `${basename(path)}:${line}: ${fix}`, lines };
  };
}

function formatWord([word, value]: [string, unknown]): string[] {
  const text = stringify(toTexts(value), {
    collectionStyle: 'flow',
    blockQuote: false,
    lineWidth: LONGEST_LINE,
  });
  return `${word}: ${text.trimEnd()}`.split('\n');
}

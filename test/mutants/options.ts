/** The options of `npm run test:mutants`. */

import { parseArgs } from 'node:util';

export const HELP = `npm run test:mutants -- [FILE...]

Plants small faults in the lines of src that a change touched, or in these files, and says which the tests notice.

  --all            in all of src
  --base REV       what a change is compared with (default: where this branch left main, else HEAD~1)
  --only FILE:LINE every fault of this line, as for a survivor that has a new test
  --without FILE   not in this file or folder; may be given more than once
  --count N        how many faults (default 20)
  --seed S         which faults (default 1)
  --patience S     no test file is started for a fault after this many seconds (default 240)
  --lanes N        how many faults are tried at a time (default 2)
  --list           only prints the faults
  --json           prints one JSON value as the last line
`;

export type Options = {
  /** Files and folders of src. */
  names: string[];
  all: boolean;
  base: string | undefined;
  /** One line of one file. */
  only: { file: string; line: number } | undefined;
  without: string[];
  count: number;
  seed: number;
  patienceMs: number;
  lanes: number;
  list: boolean;
  json: boolean;
  help: boolean;
};

/** Reads a command line. Throws an error for people where it makes no sense. */
export function readOptions(args: readonly string[]): Options {
  const flag = { type: 'boolean', default: false } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      ...{
        all: flag,
        list: flag,
        json: flag,
        help: flag,
        base: { type: 'string' },
        only: { type: 'string' },
      },
      without: { type: 'string', multiple: true, default: [] },
      count: { type: 'string', default: '20' },
      seed: { type: 'string', default: '1' },
      patience: { type: 'string', default: '240' },
      lanes: { type: 'string', default: '2' },
    },
  });
  const { all, list, json, help, base, without } = values;
  const only = values.only === undefined ? undefined : readPlace(values.only);
  const count = numberOf('count', values.count);
  const patienceMs = 1000 * numberOf('patience', values.patience);
  const [seed, lanes] = [numberOf('seed', values.seed), Math.max(1, numberOf('lanes', values.lanes))];
  const names = only === undefined ? positionals : [only.file];
  return { names, all, list, json, help, base, only, without, count, seed, patienceMs, lanes };
}

function readPlace(text: string): { file: string; line: number } {
  const [, file, line] = /^(.+):(\d{1,9})$/.exec(text) ?? [];
  if (file === undefined) throw new Error(`--only must be FILE:LINE, not "${text}"`);
  return { file, line: Number(line) };
}

function numberOf(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name} must be a whole number, not "${text}"`);
  return Number(text);
}

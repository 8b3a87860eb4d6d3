/**
 * Lists the environment variables (`src/data/variables.json`) in `--help`, and warns about misspelled names.
 * `shingle config` shows the settings in use, without secrets, and where each was set.
 */

import { readSettings, readVariable, takeUnknownVariables } from '../../config.ts';
import FILE from '../../data/variables.json' with { type: 'json' };
import { wrapText } from '../../page/email/email-layout.ts';
import { findNearest } from '../../shared/text/edits.ts';
import { EXIT } from '../exit-codes.ts';
import { loadConfiguredCity } from '../operations/configured-city.ts';
import type { Report } from './options.ts';

type Variable = {
  /** One name, or two related names separated by a comma. */
  names: string;
  meaning: string;
  standard?: string;
  /** Additional Markdown for docs/reference.md. */
  more?: string;
  isSecret?: boolean;
};

export const VARIABLES: readonly Variable[] = FILE;

type Setting = { name: string; value: string; from: string };

const WIDTH = 80;
const MOST_EDITS = 4;
const SURE_EDITS = 2;
const HIDDEN = '***';

export async function showConfig(): Promise<Report> {
  const { config, problems } = readSettings();
  const { city, path } = await loadConfiguredCity(config);
  const settings = VARIABLES.flatMap((variable) =>
    variable.names.split(', ').map((name, at) => describeSetting(variable, name, at)),
  ).map((one) => {
    if (one.name === 'SHINGLE_CITY') return { ...one, value: path };
    if (one.from !== 'default') return one;
    if (one.name === 'OPERATOR_NAME') return { ...one, value: city.operator.name, from: path };
    if (one.name === 'OPERATOR_CONTACT') return { ...one, value: city.operator.contact, from: path };
    return one;
  });
  for (const [name, value] of Object.entries({ weekly: city.weekly, limits: city.limits }))
    if (value !== undefined) settings.push({ name, value: JSON.stringify(value), from: path });
  const width = Math.max(...settings.map(({ name }) => name.length));
  const lines = settings.map(({ name, value, from }) => {
    const problem = problems.find((one) => one.name === name)?.problem;
    return `${name.padEnd(width)}  ${value}  (${from})${problem === undefined ? '' : `\n    ${name} ${problem}`}`;
  });
  const isSound = problems.length === 0;
  return {
    json: { settings, ...(!isSound && { problems }) },
    text: lines.join('\n'),
    code: isSound ? EXIT.done : EXIT.refused,
  };
}

function describeSetting({ standard = 'none', isSecret }: Variable, name: string, at: number): Setting {
  const { value, from } = readVariable(name);
  if (value !== undefined) return { name, value: isSecret ? hideSecret(value) : value, from };
  const plain = standard.replaceAll('`', '');
  return { name, value: name === 'HOST' || name === 'PORT' ? plain.split(', ')[at]! : plain, from };
}

/** Returns a URL without its user, password and parameters. Hides any other text completely. */
function hideSecret(value: string): string {
  const [, scheme = '', user, place] = /^([a-z]+:\/\/)(.*@)?([^?]*)/s.exec(value) ?? [];
  const isPlace = /^(\[[\da-f:.]+\]|[\w.-]+)(:\d+)?(,[\w.-]+(:\d+)?)*(\/[\w.-]*)?$/i.test(place ?? '');
  return isPlace ? `${scheme}${user === undefined ? '' : `${HIDDEN}@`}${place}` : HIDDEN;
}

/** Lists the variables, each with its meaning below it. */
export function formatVariables(): string {
  const entries = VARIABLES.map(({ names, meaning, standard }) => {
    const text = standard === undefined ? meaning : `${meaning} (default: ${standard})`;
    const lines = wrapText(text.replaceAll('`', ''), WIDTH - 4).split('\n');
    return [`  ${names}`, ...lines.map((line) => `    ${line}`)].join('\n');
  });
  return `Environment variables, also read from a file .env in the current folder:\n${entries.join('\n')}\n`;
}

export function describeUnknownVariables(env?: NodeJS.ProcessEnv): string[] {
  const known = VARIABLES.flatMap(({ names }) => names.split(', '));
  // short names are near the variables of many programs
  const isMisspelled = (name: string) =>
    !known.includes(name) &&
    (/^(SHINGLE|SMTP|MAIL|SIGNUP)_/.test(name) ||
      (/^\w{7,}$/.test(name) && name.includes('_') && findNearest(name, known, SURE_EDITS) !== undefined));
  return takeUnknownVariables(isMisspelled, env).map((name) => {
    const nearest = findNearest(name, known, MOST_EDITS);
    const hint = nearest === undefined ? '' : `. Did you mean ${nearest}?`;
    return `${name} is not a variable of Shingle and is ignored${hint}`;
  });
}

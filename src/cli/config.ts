/** `shingle config`: shows the settings in use, and where each was set, without secrets. */

import type { Command } from 'commander';
import { readConfig, readVariable } from '../config.ts';
import { loadConfiguredCity } from '../operations/service.ts';
import { addAction, type Report } from './options.ts';
import { VARIABLES, type Variable } from './variables.ts';

type Setting = { name: string; value: string; from: string };

const HIDDEN = '***';

export function configCommand(program: Command): void {
  const command = program
    .command('config')
    .description('show which settings are in force, and where each is from; secrets are hidden');
  addAction(command, showConfig);
}

async function showConfig(): Promise<Report> {
  const config = readConfig(); // throws an error that names an invalid value
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
  return { json: { settings }, text: formatSettings(settings) };
}

function describeSetting({ standard = 'none', isSecret }: Variable, name: string, at: number): Setting {
  const { value, from } = readVariable(name);
  if (value !== undefined) return { name, value: isSecret ? hideSecret(value) : value, from };
  const plain = standard.replaceAll('`', '');
  return { name, value: name === 'HOST' || name === 'PORT' ? plain.split(', ')[at]! : plain, from };
}

/** Returns the place of an address, without user, password and parameters. Hides any other text. */
function hideSecret(value: string): string {
  const [, scheme = '', user, place] = /^([a-z]+:\/\/)(.*@)?([^?]*)/s.exec(value) ?? [];
  const isPlace = /^(\[[\da-f:.]+\]|[\w.-]+)(:\d+)?(,[\w.-]+(:\d+)?)*(\/[\w.-]*)?$/i.test(place ?? '');
  return isPlace ? `${scheme}${user === undefined ? '' : `${HIDDEN}@`}${place}` : HIDDEN;
}

function formatSettings(settings: readonly Setting[]): string {
  const width = Math.max(...settings.map(({ name }) => name.length));
  return settings.map(({ name, value, from }) => `${name.padEnd(width)}  ${value}  (${from})`).join('\n');
}

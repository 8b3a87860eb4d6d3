/** `shingle config`: what is in force and where it is from, without secrets. */

import type { Command } from 'commander';
import { readConfig, readVariable } from '../config.ts';
import { loadConfiguredCity } from '../operations/service.ts';
import { JSON_OPTION } from './options.ts';
import { printJson, printLine } from './terminal.ts';
import { VARIABLES, type Variable } from './variables.ts';

type Setting = { name: string; value: string; from: string };

const HIDDEN = '***';

export function configCommand(program: Command): void {
  program
    .command('config')
    .description('show which settings are in force, and where each is from; secrets are hidden')
    .option(...JSON_OPTION)
    .action(async (options: { json?: boolean }) => {
      const settings = VARIABLES.flatMap((variable) =>
        variable.names.split(', ').map((name, at) => describeSetting(variable, name, at)),
      );
      const config = readConfig(); // a wrong value is an error that names it
      const { city, path } = await loadConfiguredCity(config);
      const inForce: Setting[] = settings.map((one) => {
        if (one.name === 'SHINGLE_CITY') return { ...one, value: path };
        if (one.from !== 'default') return one;
        if (one.name === 'OPERATOR_NAME') return { ...one, value: city.operator.name, from: path };
        if (one.name === 'OPERATOR_CONTACT') return { ...one, value: city.operator.contact, from: path };
        return one;
      });
      const profile = { weekly: city.weekly, limits: city.limits };
      for (const [name, value] of Object.entries(profile))
        if (value !== undefined) inForce.push({ name, value: JSON.stringify(value), from: path });
      if (options.json) printJson({ settings: inForce });
      else printLine(formatSettings(inForce));
    });
}

function describeSetting({ standard = 'none', isSecret }: Variable, name: string, at: number): Setting {
  const { value, from } = readVariable(name);
  if (value === undefined) {
    const plain = standard.replaceAll('`', '');
    return { name, value: name === 'HOST' || name === 'PORT' ? plain.split(', ')[at]! : plain, from };
  }
  return { name, value: isSecret ? hideSecret(value) : value, from };
}

/** Shows where an address leads, without user, password and parameters; of anything else, nothing. */
function hideSecret(value: string): string {
  const [, scheme = '', user, place] = /^([a-z]+:\/\/)(.*@)?([^?]*)/s.exec(value) ?? [];
  const isPlace = /^(\[[\da-f:.]+\]|[\w.-]+)(:\d+)?(,[\w.-]+(:\d+)?)*(\/[\w.-]*)?$/i.test(place ?? '');
  return isPlace ? `${scheme}${user === undefined ? '' : `${HIDDEN}@`}${place}` : HIDDEN;
}

function formatSettings(settings: readonly Setting[]): string {
  const width = Math.max(...settings.map(({ name }) => name.length));
  return settings.map(({ name, value, from }) => `${name.padEnd(width)}  ${value}  (${from})`).join('\n');
}

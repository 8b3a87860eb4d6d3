/** Defines `shingle init` and its options. `run-init.ts` does the work, and is loaded only for this command. */

import { type Command, Option } from 'commander';
import { readConfig } from '../../../config.ts';
import { CHOSEN_ROLES, type Choices, type ChosenRole } from '../../../register/survey/role-choices.ts';
import { ShingleError } from '../../../shared/errors.ts';
import { addCommand, limitTime, type Report } from '../options.ts';
import type { InitOptions } from './run-init.ts';

export function initCommand(program: Command): void {
  addCommand(program, 'init', initCity)
    .description('map a register in a folder of its own, and check what would be served')
    .argument('[place]', 'a file, folder, URL, Socrata data set, ArcGIS layer or register pack')
    .option('--list', 'list the register packs')
    .option('--town <name>', 'the town of a pack')
    .option('--from <url>', "a mirror of the pack's portal")
    .option('--name <name>', "the city's name (default: the town of most rows)")
    .option('--region <region>', 'the state or region of the city')
    .option('--time-zone <zone>', 'the time zone of the city, such as America/Chicago')
    .addOption(
      new Option(
        '--use <role=column>',
        `the column of a role, or none: ${CHOSEN_ROLES.join(', ')}. Repeat it for each role`,
      )
        .argParser(readChoice)
        .default({}, 'the columns that init finds'),
    )
    .option('--publisher <name>', 'who publishes the register')
    .option('--homepage <url>', 'the web address of the register')
    .option('--license <license>', 'the license of the register')
    .option('--out <folder>', 'the folder to create')
    .option('--boundaries <place>', 'the neighborhoods, as a GeoJSON file or URL')
    .option('--addresses <place>', 'the addresses with their coordinates, as a file, folder or URL')
    .option('--postal-codes', 'use postal codes in place of neighborhoods')
    .option('--no-install', 'do not run "npm install" in the folder');
}

async function initCity(place: string | undefined, options: InitOptions & { list?: true }): Promise<Report> {
  if (options.list) return (await import('./init-pack.ts')).listPacks();
  if (place === undefined) throw new ShingleError('usage', 'name a register or a pack (see --list)');
  const config = readConfig();
  const { runInit } = await import('./run-init.ts');
  return limitTime('init', config.ingest.timeoutMs, () => runInit(place, options, config));
}

function readChoice(text: string, before: Choices): Choices {
  const [, role = '', column = ''] = /^\s*([a-z-]+)\s*=\s*(.+?)\s*$/.exec(text) ?? [];
  if (!CHOSEN_ROLES.some((one) => one === role))
    throw new ShingleError(
      'usage',
      `--use must be ROLE=COLUMN, not "${text}". Roles: ${CHOSEN_ROLES.join(', ')}`,
    );
  return { ...before, [role as ChosenRole]: column };
}

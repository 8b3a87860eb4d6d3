/**
 * The tables of docs/commands.md and docs/configuration.md, made of the code that defines them.
 * `node bin/node.mjs test/house/reference-tables.ts` writes them; a test compares.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Command, Option } from 'commander';
import { commandLine } from '../../src/app/cli/cli.ts';
import { VARIABLES } from '../../src/app/cli/config-command.ts';

const MAKERS: Record<string, () => string> = {
  commands: describeCommands,
  options: describeSharedOptions,
  variables: describeVariables,
};

const ALL = await commandLine();

/** Every command that does something, with its names from the left. */
export function listCommands(): { names: string; command: Command }[] {
  const below = (command: Command, trail: readonly string[]): { names: string; command: Command }[] => {
    const own = [...trail, command.name()];
    const isGroup = command.commands.length > 0 && command.options.length === 0;
    const children = command.commands.flatMap((child) => below(child, own));
    return isGroup ? children : [{ names: own.join(' '), command }, ...children];
  };
  return ALL.commands.flatMap((command) => below(command, ['shingle']));
}

function describeCommands(): string {
  const shared = findSharedOptions();
  const isShared = (one: Option) => shared.some((other) => isSame(one, other));
  const rows = listCommands().map(({ names, command }) => {
    const places = command.registeredArguments.map((one) => {
      const name = one.name().toUpperCase();
      return one.required ? ` ${name}` : ` [${name}]`;
    });
    const own = command.options.filter((one) => !isShared(one)).map(describeOption);
    const isUsual = ({ long }: Option) => long === '--json' || long === '--now';
    const others = command.options.filter((one) => isShared(one) && !isUsual(one)).map(nameOption);
    const also = others.length === 0 ? [] : [others.join(', ')];
    return [`\`${names}${places.join('')}\``, [command.description(), ...own, ...also].join('<br>')];
  });
  return table(['command', 'what it does'], rows);
}

/** Options that mean the same for several commands: the page says so once. */
function findSharedOptions(): Option[] {
  const all = listCommands().flatMap(({ command }) => command.options);
  const shared = all.filter((one) => all.filter((other) => isSame(one, other)).length > 1);
  return shared.filter((one, at) => shared.findIndex((other) => isSame(one, other)) === at);
}

function isSame(one: Option, other: Option): boolean {
  return one.flags === other.flags && one.description === other.description;
}

function describeSharedOptions(): string {
  return table(
    ['option', 'meaning'],
    findSharedOptions().map((option) => [nameOption(option), option.description]),
  );
}

function describeOption(option: Option): string {
  return `${nameOption(option)}: ${option.description}`;
}

function nameOption({ flags }: Option): string {
  return `\`${flags.replace(/<(.*)>/, (_, place: string) => place.toUpperCase())}\``;
}

function describeVariables(): string {
  const rows = VARIABLES.map(({ names, meaning, standard = '', more }) => [
    names
      .split(', ')
      .map((name) => `\`${name}\``)
      .join(', '),
    more === undefined ? meaning : `${meaning}. ${more}`,
    standard,
  ]);
  return table(['variable', 'meaning', 'default'], rows);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows].map((cells) => `| ${cells.join(' | ')} |\n`);
  return [lines[0], `|${'---|'.repeat(head.length)}\n`, ...lines.slice(1)].join('');
}

/** A page of docs/ as it is, and as it would be with its table written anew. */
export function readReferencePage(name: keyof typeof PAGES): { page: string; filled: string } {
  const page = readFileSync(PAGES[name], 'utf8');
  const filled = page.replace(
    /(<!-- (\w+) -->\n)\n?(?:\|.*\n)*/g,
    (_, mark, what) => `${mark}\n${MAKERS[what]!()}`,
  );
  return { page, filled };
}

const PAGES = {
  commands: fileURLToPath(new URL('../../docs/commands.md', import.meta.url)),
  configuration: fileURLToPath(new URL('../../docs/configuration.md', import.meta.url)),
};

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [name, path] of Object.entries(PAGES))
    writeFileSync(path, readReferencePage(name as keyof typeof PAGES).filled);

/** `shingle subscribers show`: everything stored about an address, for a person who asks; and what erasing it would delete. */

import type { Command } from 'commander';
import { ShingleError } from '../../errors.ts';
import type { StoredData } from '../../subscribers/stored-data.ts';
import { JSON_OPTION, requireAddress, withService } from '../options.ts';
import { printJson, printLine } from '../terminal.ts';

export function addShowCommand(subscribers: Command): void {
  subscribers
    .command('show')
    .description('show everything stored about an address, with the words agreed to')
    .argument('<email>', 'the address')
    .option(...JSON_OPTION)
    .action(async (text: string, options: { json?: boolean }) => {
      const stored = await readPerson(requireAddress(text).identity);
      if (options.json) printJson(stored);
      else printLine(describeStored(stored));
    });
}

/** Says what erasing would delete. Throws `missing` if nothing is stored. */
export async function showErasure(identity: string, json: boolean): Promise<void> {
  const stored = await readPerson(identity);
  const counts = Object.entries(stored).map(([name, rows]) => [name, rows.length] as const);
  if (json) return printJson({ erased: false, dry_run: true, rows: Object.fromEntries(counts) });
  const parts = counts.filter(([, count]) => count > 0).map(([name, count]) => `${nameOf(name)}: ${count}`);
  printLine(`would be deleted: ${parts.join(', ')}; nothing was deleted`);
}

async function readPerson(identity: string): Promise<StoredData> {
  const stored = await withService(({ store }) => store.subscribers.readStored(identity));
  if (stored === undefined) throw new ShingleError('missing', 'no subscriber has this address');
  return stored;
}

/** A paragraph for each row, with a line for each column that has a value. */
function describeStored(stored: StoredData): string {
  const paragraphs = Object.entries(stored).flatMap(([name, rows]) =>
    rows.map((row) => {
      const facts = Object.entries(row).filter(([, value]) => value !== null);
      return [nameOf(name), ...facts.map(([column, value]) => `  ${nameOf(column)}: ${value}`)].join('\n');
    }),
  );
  return paragraphs.join('\n');
}

function nameOf(column: string): string {
  return column.replaceAll('_', ' ');
}

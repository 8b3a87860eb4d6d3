/** Emails that were written as files because there is no mail server. They are kept as long as the record of their message. */

import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** As the file transport names them. Other files of the folder, such as test emails, are left alone. */
const NAME = /-(?:confirmation|announcement|weekly-\d{4}-\d\d-\d\d)-([0-9a-f]{32})\.eml(?:\.part)?$/;

/** The folder for emails within a data folder. */
export function findMailFolder(dataFolder: string): string {
  return join(dataFolder, 'mail');
}

/** Deletes emails whose message has no record any more: their person was erased, or the record is too old. */
export async function pruneMailFiles(
  folder: string,
  findRecords: (messages: readonly string[]) => Promise<Set<string>>,
): Promise<void> {
  const names = await readdir(folder).catch(() => []); // most installations have no such folder
  const emails = names.flatMap((name) => {
    const message = NAME.exec(name)?.[1];
    return message === undefined ? [] : [{ name, message }];
  });
  const recorded = await findRecords(emails.map(({ message }) => message));
  for (const { name, message } of emails)
    if (!recorded.has(message)) await rm(join(folder, name), { force: true });
}

/** Writes emails as files, for a service without a mail server. Each file is deleted with the record of its message. */

import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { MailTransport } from './smtp.ts';
import { composeMessage } from './smtp.ts';

/** Matches file names of `openFileTransport`. Other files in the folder, such as test emails, are never deleted. */
const NAME = /-(?:confirmation|announcement|weekly-\d{4}-\d\d-\d\d)-([0-9a-f]{32})\.eml(?:\.part)?$/;

export function findMailFolder(dataFolder: string): string {
  return join(dataFolder, 'mail');
}

/** Opens a transport that writes each message to an `.eml` file, completely or not at all. Retries replace the file. */
export function openFileTransport(folder: string): MailTransport {
  return {
    async send(_connection, outgoing, isWanted) {
      if (!(await isWanted())) return { end: 'canceled' };
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const time = outgoing.madeAt.slice(0, 19).replaceAll(':', '');
      const path = join(folder, `${time}-${outgoing.what}-${outgoing.message}.eml`);
      const part = `${path}.part`;
      try {
        // passed as bytes, because `flush` works only for them
        writeFileSync(part, await composeMessage(outgoing), { mode: 0o600, flush: true });
        renameSync(part, path);
      } catch {
        rmSync(part, { force: true });
        return { end: 'failure', of: 'everybody', code: 'no file can be written' };
      }
      return { end: 'sent', code: null };
    },
    close: () => undefined,
  };
}

/** Deletes emails whose message has no record, because the person was erased or the record has expired. */
export async function pruneMailFiles(
  folder: string,
  hasRecord: (message: string) => Promise<boolean>,
): Promise<void> {
  const names = await readdir(folder).catch(() => []); // the folder usually does not exist
  for (const name of names) {
    const [, message] = NAME.exec(name) ?? [];
    if (message !== undefined && !(await hasRecord(message))) await rm(join(folder, name), { force: true });
  }
}

/** One PostgreSQL server for all test files of a run, with a database of all tables to copy (`--test-global-setup`). */

import { makeTemplate, startServer } from './a-postgres.ts';

let stop: () => Promise<void> = async () => undefined;

export async function globalSetup(): Promise<void> {
  const { primary, pid, end } = await startServer();
  stop = end;
  await makeTemplate(primary.url);
  process.env.TEST_POSTGRES_PID = String(pid); // for test/patience.ts
  process.env.TEST_POSTGRES_PORT = String(primary.port);
}

export const globalTeardown = (): Promise<void> => stop();

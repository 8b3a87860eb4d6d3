/** Judges the files of a configured city, and stores nothing. */

import { existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { openStoreToCompare } from '../../service/data/store.ts';
import { isSameCity, nameCity } from '../../service/data/stored-city.ts';
import { sweepDead } from '../../service/database/data-folder.ts';
import type { DryRunReport } from '../ingest/dry-run.ts';
import type { IngestOrder } from '../ingest/ingest-sources.ts';
import { readClock } from './clock.ts';
import { loadConfiguredCity, makePullContext } from './configured-city.ts';

/**
 * Judges files as an import would, and stores nothing. A draft is judged without the data of the folder, and so is a file of another
 * city than the stored one, which a sentence to `say` explains.
 */
export async function dryRunCity(
  config: Config & { isDraft?: boolean },
  order: Partial<IngestOrder>,
  say: (text: string) => void = () => undefined,
): Promise<DryRunReport[]> {
  const { dryRun } = await import('../ingest/dry-run.ts');
  const loaded = await loadConfiguredCity(config);
  sweepDead(config.dataFolder, /^(?:check|init)-(\d+)$/); // left by downloads that were interrupted
  const folder = existsSync(config.dataFolder) ? config.dataFolder : tmpdir();
  const context = { ...makePullContext(config, loaded), tempFolder: join(folder, `check-${process.pid}`) };
  const stored = config.isDraft ? undefined : await openStoreToCompare(config);
  try {
    const other = await stored?.city.read();
    const isOther = other !== undefined && !isSameCity(other, loaded.city);
    if (isOther)
      say(
        `the stored data is of ${nameCity(other)}, so the file is checked as a first import of ${nameCity(loaded.city)}. If the city has only a new name, run "npx shingle rename"`,
      );
    return await dryRun({
      ...context,
      kept: isOther ? undefined : stored?.filings,
      progress: () => undefined,
      now: readClock,
      ...order,
    });
  } finally {
    await stored?.close();
    rmSync(context.tempFolder, { recursive: true, force: true });
  }
}

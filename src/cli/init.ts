/** `shingle init`: reads an unknown export, writes a draft of its `city.ts`, and checks the draft. */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { tidyName } from '../city/names.ts';
import { readConfig } from '../config.ts';
import { draftProfile } from '../draft/draft.ts';
import { guessColumns } from '../draft/guess.ts';
import { ShingleError } from '../errors.ts';
import { removeQuery } from '../ingest/sources/place.ts';
import { dryRunCity, VERSION } from '../service/service.ts';
import { dryRunJson } from './check.ts';
import { formatDryRun } from './dry-run-report.ts';
import { JSON_OPTION } from './options.ts';
import { printJson, printLine } from './terminal.ts';
import { limitTime } from './time-limit.ts';

const ZONE = 'America/New_York';

type InitOptions = { name?: string; out?: string; json?: boolean };

export function initCommand(program: Command): void {
  program
    .command('init')
    .description(
      'draft a city profile from a file or data set, with the evidence for each guess, and check it',
    )
    .argument('<place>', 'a file, folder, URL, Socrata data set or ArcGIS layer')
    .option('--name <name>', "the city's name (default: guessed)")
    .option('--out <folder>', 'where to; a folder named after the city without it')
    .option(...JSON_OPTION)
    .action(async (place: string, options: InitOptions) => {
      const config = readConfig();
      limitTime('init', config.ingest.timeoutMs);
      const tempFolder = join(config.dataFolder, `init-${process.pid}`);
      const { profileExport } = await import('../draft/profile-export.ts');
      const found = await profileExport(place, {
        tempFolder,
        userAgent: `Shingle/${VERSION}`,
        timeZone: ZONE,
      });
      if (found.rows.length === 0) throw new ShingleError('source', `${place} has no rows`);
      const guesses = guessColumns(found);
      const name = options.name ?? (guesses.town && tidyName(guesses.town.value)) ?? 'Unnamed';
      const path = writeDraft(options.out ?? slugOf(name), {
        ...{ name, guesses, from: found.from, uses: found.uses, rows: found.rows.length },
        ...{ place: removeQuery(place), region: 'Fill in the region', timeZone: ZONE },
      });
      const [report] = await dryRunCity({ ...config, city: path }, { from: found.place });
      if (options.json) printJson({ city: path, runs: report ? [dryRunJson(report)] : [] });
      else {
        printLine(`${path}: draft profile, with the evidence for each guess. Check result:`);
        if (report !== undefined) printLine(formatDryRun([report]));
        printLine(
          `Edit the profile, then run: SHINGLE_CITY=${path} npx shingle check${found.place ? ` --from ${place}` : ''}`,
        );
      }
    });
}

function writeDraft(folder: string, facts: Parameters<typeof draftProfile>[0]): string {
  const path = join(resolve(folder), 'city.ts');
  if (existsSync(path)) throw new ShingleError('refused', `${path} already exists and is not overwritten`);
  mkdirSync(resolve(folder), { recursive: true });
  writeFileSync(path, draftProfile(facts));
  return path;
}

function slugOf(name: string): string {
  const words = name
    .normalize('NFD')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return words?.join('-') ?? 'city';
}

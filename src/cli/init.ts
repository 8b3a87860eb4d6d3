/** `shingle init`: looks at an unknown export, writes a draft of its `city.ts`, and says what would come of it. */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { tidyName } from '../city/names.ts';
import { readConfig } from '../config.ts';
import { draft } from '../draft/draft.ts';
import { guess } from '../draft/guess.ts';
import { ShingleError } from '../errors.ts';
import { withoutQuery } from '../ingest/sources/place.ts';
import { rehearseCity, VERSION } from '../service/service.ts';
import { rehearsalLines, rehearsalReport } from './check.ts';
import { JSON_OPTION } from './options.ts';
import { say, sayJson } from './terminal.ts';

const ZONE = 'America/New_York';

type Options = { name?: string; out?: string; json?: boolean };

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
    .action(async (place: string, options: Options) => {
      const config = readConfig();
      const tempFolder = join(config.dataFolder, `init-${process.pid}`);
      const { survey } = await import('../draft/survey.ts');
      const found = await survey(place, { tempFolder, userAgent: `Shingle/${VERSION}`, timeZone: ZONE });
      if (found.rows.length === 0) throw new ShingleError('source', `${place} has no rows`);
      const guesses = guess(found);
      const name = options.name ?? (guesses.town && tidyName(guesses.town.value)) ?? 'Unnamed';
      const path = writeDraft(options.out ?? slugOf(name), {
        ...{ name, guesses, from: found.from, uses: found.uses, rows: found.rows.length },
        ...{ place: withoutQuery(place), region: 'Fill in the region', timeZone: ZONE },
      });
      const [rehearsal] = await rehearseCity({ ...config, city: path }, { from: found.place });
      if (options.json) sayJson({ city: path, runs: rehearsal ? [rehearsalReport(rehearsal)] : [] });
      else {
        say(`${path}: draft profile, with the evidence for each guess. Check result:`);
        if (rehearsal !== undefined) say(rehearsalLines(rehearsal));
        say(
          `Edit the profile, then run: SHINGLE_CITY=${path} npx shingle check${found.place ? ` --from ${place}` : ''}`,
        );
      }
    });
}

function writeDraft(folder: string, facts: Parameters<typeof draft>[0]): string {
  const path = join(resolve(folder), 'city.ts');
  if (existsSync(path)) throw new ShingleError('refused', `${path} already exists and is not overwritten`);
  mkdirSync(resolve(folder), { recursive: true });
  writeFileSync(path, draft(facts));
  return path;
}

function slugOf(name: string): string {
  const words = name
    .normalize('NFD')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return words?.join('-') ?? 'city';
}

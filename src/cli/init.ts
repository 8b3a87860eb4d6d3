/** `shingle init`: looks at an unknown export, asks what it cannot know, writes a draft of its `city.ts`, and says what would come of it. */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import type { Command } from 'commander';
import { tidyName } from '../city/names.ts';
import { readTown } from '../city/place-text.ts';
import { type Config, readConfig } from '../config.ts';
import { guessBoundaries } from '../draft/boundaries-file.ts';
import { type DraftFacts, draftProfile } from '../draft/draft.ts';
import { formatText } from '../draft/draft-text.ts';
import { type Guesses, guessColumns } from '../draft/guess.ts';
import type { ExportProfile } from '../draft/profile-export.ts';
import { type DraftAnswers, listQuestions } from '../draft/questions.ts';
import { findNearestState } from '../draft/zones.ts';
import { ShingleError } from '../errors.ts';
import type { DryRunReport } from '../ingest/dry-run.ts';
import { listFiles, removeQuery } from '../ingest/sources/place.ts';
import { dryRunCity, VERSION } from '../service/service.ts';
import { dryRunJson } from './check.ts';
import { formatDryRun } from './dry-run-report.ts';
import { JSON_OPTION } from './options.ts';
import { askQuestions, isInteractive } from './prompt.ts';
import { openProgressLine, openRemainingTime, printJson, printLine } from './terminal.ts';
import { limitTime } from './time-limit.ts';

type InitOptions = { name?: string; out?: string; boundaries?: string; json?: boolean };

/** The boundaries as text, and what was found in them. */
type Boundaries = { text: string } & ReturnType<typeof guessBoundaries>;

export function initCommand(program: Command): void {
  program
    .command('init')
    .description(
      'draft a city profile from a file or data set, with the evidence for each guess, and check it',
    )
    .argument('<place>', 'a file, folder, URL, Socrata data set or ArcGIS layer')
    .option('--name <name>', "the city's name (default: guessed)")
    .option('--out <folder>', 'where to; a folder named after the city without it')
    .option('--boundaries <place>', 'a GeoJSON file or URL of neighborhoods, copied into the folder')
    .option(...JSON_OPTION)
    .action(runInit);
}

async function runInit(place: string, options: InitOptions): Promise<void> {
  const config = readConfig();
  limitTime('init', config.ingest.timeoutMs);
  const access = {
    tempFolder: join(config.dataFolder, `init-${process.pid}`),
    userAgent: `Shingle/${VERSION}`,
  };
  const found = await readExport(place, access);
  const given =
    options.boundaries === undefined ? undefined : await readBoundariesAt(options.boundaries, access);
  const guesses = guessColumns(found.table);
  const answers: DraftAnswers = {
    name: options.name ?? guessCityName(guesses) ?? 'Unnamed',
    timeZone: guesses.timeZone ?? (given && findNearestState(given.middle)?.timeZone),
    boundaries: options.boundaries,
    guesses,
  };
  if (isInteractive() && !options.json) {
    const questions = listQuestions(answers, options.name !== undefined);
    await askQuestions(questions.map((one) => ({ ...one, take: (answer) => one.take(answer, answers) })));
  }
  const asked =
    answers.boundaries === options.boundaries ? given : await readBoundariesAt(answers.boundaries!, access);
  const folder = resolve(options.out ?? slugOf(answers.name));
  const path = writeDraft(folder, draftFacts(answers, { found, place, folder, boundaries: asked }), asked);
  const reports = await checkDraft({ ...config, city: path }, found);
  if (options.json) printJson({ city: path, runs: reports.map(dryRunJson) });
  else printReports(path, reports);
}

/** The town most rows are in, else the county. */
function guessCityName({ town, county }: Guesses): string | undefined {
  if (town !== undefined) return tidyName(readTown(town.names[0]!));
  return county === undefined ? undefined : `${tidyName(county).replace(/ County$/, '')} County`;
}

/** Reads all rows, with progress on a terminal. */
async function readExport(
  place: string,
  access: { tempFolder: string; userAgent: string },
): Promise<ExportProfile> {
  const { profileExport } = await import('../draft/profile-export.ts');
  const line = openProgressLine();
  const remaining = openRemainingTime();
  const progress = (name: string, share: number) =>
    line.show(() => `${basename(removeQuery(name))}: ${remaining.format(share)}`);
  const found = await profileExport(place, { ...access, timeZone: 'Etc/UTC', progress }).finally(line.clear);
  if (found.table.rows === 0) throw new ShingleError('source', `${place} has no rows`);
  return found;
}

async function readBoundariesAt(
  place: string,
  access: { tempFolder: string; userAgent: string },
): Promise<Boundaries> {
  for await (const file of listFiles(place, access)) {
    const text = await readFile(file.path, 'utf8');
    return { text, ...guessBoundaries(text) };
  }
  throw new ShingleError('source', `no boundaries at ${place}`);
}

function draftFacts(
  { name, timeZone, guesses }: DraftAnswers,
  at: { found: ExportProfile; place: string; folder: string; boundaries: Boundaries | undefined },
): DraftFacts {
  const { uses, options } = at.found.from;
  const given =
    uses === 'socrata' || uses === 'arcgis' ? options : { ...options, ...describePlace(at.place, at.folder) };
  const text = Object.entries(given).map(([key, value]) => `${key}: ${formatText(value)}`);
  return {
    name,
    region: guesses.state?.name,
    timeZone,
    guesses,
    from: `${uses}(${text.length === 0 ? '' : `{ ${text.join(', ')} }`})`,
    uses,
    delivers: at.found.files > 1 && guesses.key.repeats < 0.3 ? 'changes' : 'snapshot',
    boundaries: at.boundaries?.property,
    place: removeQuery(at.place),
  };
}

/** A file beside the draft or its folder as a relative path, any other as an absolute one; an address, unless it may hold a secret. */
function describePlace(place: string, folder: string): { file?: string; url?: string } {
  if (!/^https?:/i.test(place)) {
    const near = relative(folder, resolve(place)).split(sep).join('/');
    return { file: near.startsWith('../../') ? resolve(place) : near };
  }
  const { username, password, searchParams } = new URL(place);
  const isSecret = [...searchParams.keys()].some((name) => /token|key|secret|sig|auth|pass/i.test(name));
  return isSecret || username !== '' || password !== '' ? {} : { url: place };
}

function writeDraft(folder: string, facts: DraftFacts, boundaries: Boundaries | undefined): string {
  const path = join(folder, 'city.ts');
  if (existsSync(path)) throw new ShingleError('refused', `${path} already exists and is not overwritten`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, draftProfile(facts));
  if (boundaries !== undefined) writeFileSync(join(folder, 'boundaries.geojson'), boundaries.text);
  return path;
}

async function checkDraft(config: Config, { table, files, place }: ExportProfile): Promise<DryRunReport[]> {
  const line = openProgressLine();
  const remaining = openRemainingTime();
  return dryRunCity(config, {
    from: place,
    progress: ({ rows }) =>
      line.show(
        () =>
          `check: ${files === 1 ? remaining.format(rows / table.rows) : `${rows.toLocaleString('en')} rows`}`,
      ),
  }).finally(line.clear);
}

function printReports(path: string, reports: readonly DryRunReport[]): void {
  printLine(`${path}: draft profile, with the evidence for each guess. Check result:`);
  printLine(formatDryRun(reports));
  printLine(`Confirm the lines marked CHECK, then run: SHINGLE_CITY=${path} npx shingle check`);
}

function slugOf(name: string): string {
  const words = name
    .normalize('NFD')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return words?.join('-') ?? 'city';
}

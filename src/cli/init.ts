/**
 * `shingle init`: looks at an unknown export, asks what it cannot know, drafts its city in a folder of its own, and says what would come of
 * it.
 */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import type { MappedFormat } from '../city/mapping/mapping.ts';
import { tidyName } from '../city/names.ts';
import { readTown } from '../city/place-text.ts';
import { UNNAMED_CITY } from '../city/placeholders.ts';
import { type Config, readConfig } from '../config.ts';
import { describeAddressSources, findAddressSources } from '../draft/address-sources.ts';
import { guessBoundaries } from '../draft/boundaries-file.ts';
import { type DraftFacts, draftProfile } from '../draft/draft.ts';
import { formatText } from '../draft/draft-text.ts';
import { type Guesses, guessColumns } from '../draft/guess.ts';
import { type DraftAnswers, listQuestions } from '../draft/questions.ts';
import { ShingleError } from '../errors.ts';
import { ADDRESSES } from '../ingest/city-map.ts';
import type { DryRunReport } from '../ingest/dry-run.ts';
import { isSecretAddress, listFiles, removeQuery } from '../ingest/sources/place.ts';
import type { ReadTable } from '../registers/read-table.ts';
import { findNearestState } from '../registers/zones.ts';
import { dryRunCity, VERSION } from '../service/service.ts';
import { dryRunJson } from './check.ts';
import { copyIntoFolder, installDependencies, writeCityFolder } from './city-folder.ts';
import { formatDryRun } from './dry-run-report.ts';
import { JSON_OPTION } from './options.ts';
import { askQuestions, isInteractive } from './prompt.ts';
import {
  type Done,
  EXIT,
  openProgressLine,
  openRemainingTime,
  printError,
  printJson,
  printLine,
} from './terminal.ts';
import { limitTime } from './time-limit.ts';

type InitOptions = {
  name?: string;
  out?: string;
  boundaries?: string;
  addresses?: string;
  json?: boolean;
  install: boolean;
};

/** The boundaries as text, and what was found in them. */
type Boundaries = { text: string } & ReturnType<typeof guessBoundaries>;

export function initCommand(program: Command, done: Done): void {
  program
    .command('init')
    .description('draft a city in a folder of its own from a file or data set, and check it')
    .argument('<place>', 'a file, folder, URL, Socrata data set or ArcGIS layer')
    .option('--name <name>', "the city's name (default: guessed)")
    .option('--out <folder>', 'the folder to create (default: named after the city)')
    .option('--boundaries <place>', 'a GeoJSON file or URL of neighborhoods, copied into the folder')
    .option(
      '--addresses <place>',
      'addresses with their coordinates: a file, folder or URL of OpenAddresses, the city or the Census Bureau',
    )
    .option('--no-install', 'do not run "npm install" in the folder')
    .option(...JSON_OPTION)
    .action(async (place: string, options: InitOptions) => {
      const config = readConfig();
      done(await limitTime('init', config.ingest.timeoutMs, () => runInit(place, options, config)));
    });
}

async function runInit(place: string, options: InitOptions, config: Config): Promise<number> {
  const access = {
    tempFolder: join(config.dataFolder, `init-${process.pid}`),
    userAgent: `Shingle/${VERSION}`,
  };
  if (options.addresses !== undefined && options.boundaries === undefined)
    throw new ShingleError(
      'usage',
      '--addresses requires --boundaries, because addresses are placed in the neighborhoods of that file',
    );
  const found = await readExport(place, access);
  const given =
    options.boundaries === undefined ? undefined : await readBoundariesAt(options.boundaries, access);
  const guesses = guessColumns(found.table);
  const answers: DraftAnswers = {
    name: options.name ?? guessCityName(guesses) ?? UNNAMED_CITY,
    timeZone: guesses.timeZone ?? (given && findNearestState(given.middle)?.timeZone),
    boundaries: options.boundaries,
    addresses: options.addresses,
    showsZips: false,
    guesses,
  };
  if (isInteractive() && !options.json) {
    const questions = listQuestions(answers, options.name !== undefined);
    await askQuestions(questions.map((one) => ({ ...one, take: (answer) => one.take(answer, answers) })));
  }
  const asked =
    answers.boundaries === options.boundaries ? given : await readBoundariesAt(answers.boundaries!, access);
  const folder = resolve(options.out ?? slugOf(answers.name));
  const path = refuseExisting(join(folder, 'city.ts'));
  const filings = /^https?:/i.test(place)
    ? undefined
    : await copyIntoFolder(place, { folder, into: 'filings' }, access);
  const { addresses } = answers;
  const copied =
    addresses === undefined || /^https?:/i.test(addresses)
      ? undefined
      : await copyIntoFolder(addresses, { folder, into: 'addresses' }, access);
  const facts = draftFacts(answers, { found, place, filings, addresses: copied, boundaries: asked });
  writeDraft(path, facts, asked);
  await writeCityFolder(folder, { name: answers.name, slug: slugOf(answers.name), filings });
  const reports = await checkDraft({ ...config, city: path }, found);
  const sources = answers.addresses === undefined ? findAddressSources(guesses) : undefined;
  if (!options.json) for (const note of found.notes) printLine(`Note: ${note}.`);
  if (!options.json) printReports(reports, sources && describeAddressSources(sources, guesses));
  const installed = options.install && (await installWithNotice(folder));
  if (options.json) {
    const runs = reports.map(dryRunJson);
    printJson({ city: path, installed, runs, ...(sources && { address_sources: sources }) });
  } else printNextSteps(folder, installed);
  if (installed || !options.install) return EXIT.done;
  printError(`the draft is complete, but "npm install" failed. Run it in ${folder}`);
  return EXIT.failed;
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
): Promise<ReadTable> {
  const { readTable } = await import('../registers/read-table.ts');
  const line = openProgressLine();
  const remaining = openRemainingTime();
  const progress = (name: string, share: number) =>
    line.show(() => `${basename(removeQuery(name))}: ${remaining.format(share)}`);
  return await readTable(place, { ...access, timeZone: 'Etc/UTC', progress }).finally(line.clear);
}

async function readBoundariesAt(
  place: string,
  access: { tempFolder: string; userAgent: string },
): Promise<Boundaries> {
  for await (const file of listFiles(place, access)) {
    const text = await readFile(file.path, 'utf8');
    return { text, ...guessBoundaries(text) };
  }
  throw new ShingleError('source', `no boundaries file found at ${place}`);
}

function draftFacts(
  { name, timeZone, guesses, addresses, showsZips }: DraftAnswers,
  at: {
    found: ReadTable;
    place: string;
    filings: string | undefined;
    addresses: string | undefined;
    boundaries: Boundaries | undefined;
  },
): DraftFacts {
  const { uses, options } = listFormatOptions(at.found.from);
  const given =
    uses === 'socrata' || uses === 'arcgis'
      ? options
      : { ...options, ...describePlace(at.place, at.filings) };
  const text = Object.entries(given).map(([key, value]) => `${key}: ${formatOption(value)}`);
  return {
    name,
    region: guesses.state?.name,
    timeZone,
    guesses,
    from: `${uses}(${text.length === 0 ? '' : `{ ${text.join(', ')} }`})`,
    uses,
    delivers: at.found.files > 1 && guesses.key.repeats < 0.3 ? 'changes' : 'snapshot',
    boundaries: at.boundaries?.property,
    addresses: addresses && formatPlace(describePlace(addresses, at.addresses)),
    showsZips,
    place: removeQuery(at.place),
  };
}

/** The constructor that a profile uses for a format, and what it is given besides the place. */
function listFormatOptions(from: MappedFormat): { uses: string; options: Record<string, unknown> } {
  if ('socrata' in from) return { uses: 'socrata', options: from.socrata };
  if ('arcgis' in from) return { uses: 'arcgis', options: { url: from.arcgis } };
  const [uses = 'csv'] = Object.keys(from);
  return { uses, options: Object.fromEntries(Object.entries(from).filter(([key]) => key !== uses)) };
}

function formatOption(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatOption).join(', ')}]`;
  return typeof value === 'number' ? String(value) : formatText(String(value));
}

/** Nothing for a URL that may hold a secret. */
function formatPlace(place: { file?: string; url?: string }): string | undefined {
  if (Object.keys(place).length === 0) return undefined;
  const text = Object.entries(place).map(([key, value]) => `${key}: ${formatText(value)}`);
  return `{ ${text.join(', ')} }`;
}

/** A file by its path; a URL, unless it may hold a secret. */
function describePlace(place: string, file: string | undefined): { file?: string; url?: string } {
  if (file !== undefined) return { file };
  return isSecretAddress(place) ? {} : { url: place };
}

function refuseExisting(path: string): string {
  if (existsSync(path))
    throw new ShingleError(
      'refused',
      `${path} already exists and is not overwritten. Choose another folder with --out`,
    );
  return path;
}

function writeDraft(path: string, facts: DraftFacts, boundaries: Boundaries | undefined): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, draftProfile(facts));
  if (boundaries !== undefined) writeFileSync(join(dirname(path), 'boundaries.geojson'), boundaries.text);
}

async function checkDraft(config: Config, { table, files, place }: ReadTable): Promise<DryRunReport[]> {
  const line = openProgressLine();
  const remaining = openRemainingTime();
  return dryRunCity(config, {
    from: place,
    progress: ({ source, rows, share }) =>
      line.show(() => {
        if (source === ADDRESSES) return `addresses: ${remaining.format(share ?? 0)}`;
        return `check: ${files === 1 ? remaining.format(rows / table.total) : `${rows.toLocaleString('en')} rows`}`;
      }),
  }).finally(line.clear);
}

function printReports(reports: readonly DryRunReport[], hints: readonly string[] = []): void {
  printLine(formatDryRun(reports));
  if (hints.length > 0) printLine(`\n${hints.join('\n')}`);
}

async function installWithNotice(folder: string): Promise<boolean> {
  if (process.stderr.isTTY)
    process.stderr.write('\nInstalling Shingle in the new folder ("npm install") ...\n');
  return installDependencies(folder);
}

function printNextSteps(folder: string, isInstalled: boolean): void {
  const below = relative('', folder) || '.';
  const near = below.startsWith('..') ? folder : below;
  printLine(`
Your city is in ${near}. city.ts is the draft, with the evidence for each guess. Check the lines marked CHECK. To serve it:

  cd ${near}${isInstalled ? '' : '\n  npm install'}
  npm start`);
}

function slugOf(name: string): string {
  const words = name
    .normalize('NFD')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return words?.join('-') ?? 'city';
}

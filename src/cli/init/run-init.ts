/**
 * Surveys an unknown register, has its roles confirmed on a terminal, writes the mapping in a folder of its own, and says what would come of
 * it.
 */

import { existsSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { tidyName } from '../../city/people/names.ts';
import { UNKNOWN_HOMEPAGE, UNNAMED_CITY } from '../../city/placeholders.ts';
import { readTown } from '../../city/places/place-text.ts';
import type { Config } from '../../config.ts';
import { ShingleError } from '../../errors.ts';
import { ADDRESSES } from '../../import/city-map.ts';
import type { DryRunReport } from '../../import/dry-run.ts';
import { listFiles, type PlaceOptions, removeQuery } from '../../import/readers/place.ts';
import type { ReadTable } from '../../import/tables/read-table.ts';
import { foldWords } from '../../listings/words.ts';
import { dryRunCity, VERSION } from '../../operations/service.ts';
import { describeAddressSources, findAddressSources } from '../../registers/address-sources.ts';
import { guessBoundaries } from '../../registers/boundaries-file.ts';
import type { Choices } from '../../registers/chosen-roles.ts';
import type { Pack } from '../../registers/packs.ts';
import { explainMissing } from '../../registers/role-table.ts';
import { findRoles, listUnknownChoices, type Roles } from '../../registers/roles.ts';
import { type Survey, surveyTable } from '../../registers/survey.ts';
import { type DraftedRegister, draftMapping } from '../../registers/writing/draft-mapping.ts';
import { openCityFile } from '../../registers/writing/repair.ts';
import { findNearestState } from '../../registers/zones.ts';
import { dryRunJson } from '../check/check.ts';
import { formatDryRun } from '../check/dry-run-report.ts';
import { EXIT, openProgressLine, openRemainingTime, printError, printJson, printLine } from '../terminal.ts';
import { countFileRows, installDependencies, writeMappedFolder, writePackFolder } from './city-folder.ts';
import { checkPackOptions, fillTown, findPack } from './init-pack.ts';
import { askFacts, type CityFacts, confirmRoles, isTimeZone } from './init-screen.ts';
import { isInteractive, openPrompts } from './prompt.ts';

export type InitOptions = {
  town?: string;
  from?: string;
  name?: string;
  region?: string;
  timeZone?: string;
  publisher?: string;
  homepage?: string;
  license?: string;
  use: Choices;
  out?: string;
  boundaries?: string;
  addresses?: string;
  postalCodes?: true;
  json?: boolean;
  install: boolean;
};

/** The boundaries as text, and what was found in them. */
type BoundariesText = { text: string } & ReturnType<typeof guessBoundaries>;
type Access = Pick<PlaceOptions, 'tempFolder' | 'userAgent'>;

const UNKNOWN = {
  region: 'Fill in the region',
  publisher: 'Fill in the publisher',
  license: 'Fill in the license',
};

/** Returns the exit code. Throws `usage`, `source`, `city` or `refused`, and then removes the folder that it made. */
export async function runInit(place: string, options: InitOptions, config: Config): Promise<number> {
  checkOptions(options);
  const access = {
    tempFolder: join(config.dataFolder, `init-${process.pid}`),
    userAgent: `Shingle/${VERSION}`,
  };
  const made: { folder?: string } = {};
  try {
    const pack = findPack(place);
    checkPackOptions(place, pack, options);
    const mapped =
      pack === undefined
        ? await mapRegister(place, options, { access, made })
        : await openPack(pack, options, { access, made });
    if (mapped === undefined) return EXIT.held;
    const reports = await checkDraft({ ...config, city: mapped.folder }, mapped);
    return await finish(mapped, options, reports);
  } catch (error) {
    if (made.folder !== undefined) rmSync(made.folder, { recursive: true, force: true });
    throw error;
  }
}

/** What is left of a survey once the city is written: not the table, which is large. */
type Mapped = Pick<ReadTable, 'notes' | 'files' | 'place'> & {
  folder: string;
  rows: number;
  /** What is in the files of the city. */
  says: string;
  /** Says where to get the addresses, for people and for programs. */
  sources: { told: readonly string[]; listed: ReturnType<typeof findAddressSources> } | undefined;
};

/** Surveys the register and writes its city. `undefined` if the name or the date is unknown. Puts the folder that it makes into `made`. */
async function mapRegister(
  place: string,
  options: InitOptions,
  { access, made }: { access: Access; made: { folder?: string } },
): Promise<Mapped | undefined> {
  const found = await readExport(place, access);
  const survey = surveyTable(found.table);
  const boundaries =
    options.boundaries === undefined ? undefined : await readBoundariesAt(options.boundaries, access);
  const { roles, facts } = await settle(place, survey, { options, found, boundaries });
  const delivers = found.files > 1 && roles.key.repeats < 0.3 ? 'changes' : 'snapshot';
  const drafted = draftMapping(roles, { ...facts, from: found.from, delivers });
  if (drafted.mapping === undefined) {
    reportMissing(roles, drafted, options);
    return undefined;
  }
  const asked =
    facts.boundaries === options.boundaries ? boundaries : await readBoundariesAt(facts.boundaries!, access);
  const folder = resolve(options.out ?? slugOf(facts.name));
  refuseExisting(folder);
  if (!existsSync(folder)) made.folder = folder;
  const slug = slugOf(facts.name);
  await writeMappedFolder(folder, { place, facts, slug, drafted, found, boundaries: asked, access });
  const listed = facts.addresses === undefined ? findAddressSources(roles) : undefined;
  const { notes, files, place: from } = found;
  return {
    notes,
    files,
    place: from,
    folder,
    says: 'city.yaml says what the columns mean, with the evidence for each line, and categories.csv what the types are.',
    rows: countFileRows(found),
    sources: listed && { listed, told: describeAddressSources(listed, roles) },
  };
}

/** Writes the city of a pack. Puts the folder that it makes into `made`. */
async function openPack(
  pack: Pack,
  options: InitOptions,
  { access, made }: { access: Access; made: { folder?: string } },
): Promise<Mapped> {
  const { name, texts, place } = await fillTown(pack, options, access);
  const folder = resolve(options.out ?? slugOf(name));
  refuseExisting(folder);
  if (!existsSync(folder)) made.folder = folder;
  await writePackFolder(folder, { name, slug: slugOf(name), texts });
  return {
    notes: [`from the pack "${pack.name}": ${pack.certainty}`],
    files: 0,
    place,
    folder,
    says: 'city.yaml says what the columns mean, with remarks on the register.',
    rows: 0,
    sources: undefined,
  };
}

function checkOptions({ addresses, boundaries, timeZone }: InitOptions): void {
  if (addresses !== undefined && boundaries === undefined)
    throw new ShingleError(
      'usage',
      '--addresses requires --boundaries, because addresses are placed in the neighborhoods of that file',
    );
  if (timeZone !== undefined && !isTimeZone(timeZone))
    throw new ShingleError(
      'usage',
      `--time-zone must be an IANA time zone such as America/Chicago, not "${timeZone}"`,
    );
}

type Found = { options: InitOptions; found: ReadTable; boundaries: BoundariesText | undefined };

/** The roles and facts of the options and the guesses, confirmed on a terminal. */
async function settle(
  place: string,
  survey: Survey,
  { options, found, boundaries }: Found,
): Promise<{ roles: Roles; facts: CityFacts }> {
  const unknown = listUnknownChoices(survey, options.use);
  if (unknown.length > 0)
    throw new ShingleError(
      'usage',
      `the file has no column ${unknown.map((name) => `"${name}"`).join(', ')}. It has: ${survey.columns.map(({ name }) => name).join(', ')}`,
    );
  const today = new Date().toISOString().slice(0, 10);
  const find = (choices: Choices, cityName = options.name) => findRoles(survey, { today, choices, cityName });
  const roles = find(options.use);
  const facts = collectFacts(options, roles, boundaries);
  if (!isInteractive() || options.json) return { roles, facts };
  const prompts = await openPrompts();
  try {
    for (const note of found.notes) prompts.say(note);
    const name =
      options.name ?? (await prompts.askText({ text: 'Name of the city or county', standard: facts.name }));
    const file = basename(removeQuery(place));
    const named = (choices: Choices) => find(choices, name);
    const asked = { choices: options.use, file, find: named };
    const confirmed = await confirmRoles(prompts, named(options.use), asked);
    const more = { ...collectFacts(options, confirmed, boundaries), name };
    return { roles: confirmed, facts: await askFacts(prompts, more, options, confirmed) };
  } finally {
    prompts.close();
  }
}

function collectFacts(options: InitOptions, roles: Roles, boundaries: BoundariesText | undefined): CityFacts {
  return {
    name: options.name ?? guessCityName(roles) ?? UNNAMED_CITY,
    region: options.region ?? roles.state?.name ?? UNKNOWN.region,
    timeZone:
      options.timeZone ?? roles.timeZone ?? (boundaries && findNearestState(boundaries.middle)?.timeZone),
    publisher: options.publisher ?? UNKNOWN.publisher,
    homepage: options.homepage ?? UNKNOWN_HOMEPAGE,
    license: options.license ?? UNKNOWN.license,
    boundaries: options.boundaries,
    addresses: options.addresses,
    showsPostalCodes: options.postalCodes === true,
  };
}

/** The town most rows are in, else the county. */
function guessCityName({ town, county }: Roles): string | undefined {
  const [name] = town?.keep ?? [];
  if (name !== undefined) return tidyName(readTown(name));
  return county === undefined ? undefined : `${tidyName(county).replace(/ County$/, '')} County`;
}

/** Nobody is there to say which column it is: the candidates, and the line that says it. */
function reportMissing(roles: Roles, { missing }: DraftedRegister, { json }: InitOptions): void {
  const lines = explainMissing(roles, missing);
  const [role = 'name'] = missing;
  const columns = roles.survey.columns.map(({ name }) => name);
  if (json) printJson({ city: null, missing, columns });
  const isHopeless = missing.includes('filed') && roles.days.all.length === 0;
  const next = isHopeless ? '' : `\nSay which column it is: --use ${role}="COLUMN".`;
  printError(`${lines.join('\n')}${next}\nNothing was written`);
}

/** Reads all rows, with progress on a terminal. */
async function readExport(place: string, access: Access): Promise<ReadTable> {
  const { readTable } = await import('../../import/tables/read-table.ts');
  const line = openProgressLine();
  const remaining = openRemainingTime();
  const progress = (name: string, share: number) =>
    line.show(() => `${basename(removeQuery(name))}: ${remaining.format(share)}`);
  return readTable(place, { ...access, timeZone: 'Etc/UTC', progress }).finally(line.clear);
}

async function readBoundariesAt(place: string, access: Access): Promise<BoundariesText> {
  for await (const { path } of listFiles(place, access)) {
    const text = await readFile(path, 'utf8');
    return { text, ...guessBoundaries(text) };
  }
  throw new ShingleError('source', `no boundaries at ${place}`);
}

function refuseExisting(folder: string): void {
  for (const name of ['city.yaml', 'city.ts'])
    if (existsSync(join(folder, name)))
      throw new ShingleError(
        'refused',
        `${join(folder, name)} already exists and is not overwritten. Choose another folder with --out`,
      );
}

async function checkDraft(config: Config, { rows: total, files, place }: Mapped): Promise<DryRunReport[]> {
  const line = openProgressLine();
  const remaining = openRemainingTime();
  return dryRunCity(config, {
    from: place,
    progress: ({ source, rows, share }) =>
      line.show(() => {
        if (source === ADDRESSES) return `addresses: ${remaining.format(share ?? 0)}`;
        return `check: ${files === 1 ? remaining.format(rows / total) : `${rows.toLocaleString('en')} rows`}`;
      }),
  }).finally(line.clear);
}

async function finish(
  { folder, notes, says, sources }: Mapped,
  options: InitOptions,
  reports: DryRunReport[],
): Promise<number> {
  if (!options.json) {
    if (!isInteractive()) for (const note of notes) printLine(note);
    printLine(formatDryRun(reports, openCityFile({ path: join(folder, 'city.yaml') })));
    if (sources !== undefined) printLine(`\n${sources.told.join('\n')}`);
  }
  const installed = options.install && (await installWithNotice(folder));
  if (options.json)
    printJson({
      city: join(folder, 'city.yaml'),
      installed,
      notes,
      runs: reports.map(dryRunJson),
      ...(sources && { address_sources: sources.listed }),
    });
  else printNextSteps(folder, { says, isInstalled: installed });
  if (installed || !options.install) return EXIT.done;
  printError(`the draft is complete, but "npm install" failed. Run it in ${folder}`);
  return EXIT.failed;
}

async function installWithNotice(folder: string): Promise<boolean> {
  if (process.stderr.isTTY)
    process.stderr.write('\nInstalling Shingle in the new folder ("npm install") ...\n');
  return installDependencies(folder);
}

function printNextSteps(folder: string, { says, isInstalled }: { says: string; isInstalled: boolean }): void {
  const below = relative('', folder) || '.';
  const near = below.startsWith('..') ? folder : below;
  printLine(`
Your city is in ${near}: ${says}
To serve it:

  cd ${near}${isInstalled ? '' : '\n  npm install'}
  npm start`);
}

function slugOf(name: string): string {
  const words = foldWords(name).match(/[a-z0-9]+/g);
  return words?.join('-') ?? 'city';
}

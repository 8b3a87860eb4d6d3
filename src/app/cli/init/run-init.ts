/** Surveys an unknown register, asks a person to confirm its roles, writes the mapping into a folder, and checks it. */

import { existsSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { type Config, readConfig } from '../../../config.ts';
import { guessBoundaries } from '../../../register/profile/places/boundary-shapes.ts';
import { isTimeZone } from '../../../register/profile/schema/check-value.ts';
import { listFiles, type PlaceOptions, removeQuery } from '../../../register/readers/place.ts';
import { describeColumns } from '../../../register/survey/columns.ts';
import type { ReadTable } from '../../../register/survey/read-table.ts';
import { CHOSEN_ROLES, type Choices, listUnknownChoices } from '../../../register/survey/role-choices.ts';
import { explainMissing, isHopeless, listRoleLines } from '../../../register/survey/role-table.ts';
import { findRoles, type Roles } from '../../../register/survey/survey.ts';
import { type DraftedRegister, draftMapping } from '../../../register/writing/draft-mapping.ts';
import type { Pack } from '../../../register/writing/fill-pack.ts';
import { refusedError, sourceError, usageError } from '../../../shared/errors.ts';
import { formatNumber } from '../../../shared/text/numbers.ts';
import { EXIT } from '../../exit-codes.ts';
import type { DryRunReport } from '../../ingest/dry-run.ts';
import { dryRunCity } from '../../operations/dry-run-city.ts';
import { VERSION } from '../../operations/version.ts';
import { openAdvice } from '../check/advice.ts';
import { formatDryRun } from '../check/dry-run-report.ts';
import { limitTime, type Report, withIngestOrder } from '../options.ts';
import { openProgressLine, printError, printLine } from '../terminal.ts';
import { describeAddressSources } from './address-sources.ts';
import { installDependencies, makeSlug, writeCityFolder, writeMappedFolder } from './city-folder.ts';
import { checkPackOptions, fillTown, findPack, listPacks } from './init-pack.ts';
import {
  askFacts,
  confirmRoles,
  formatGuesses,
  formatRoles,
  type GuessedFacts,
  guessFacts,
} from './init-screen.ts';
import { isInteractive, printNote, withPrompts } from './prompt.ts';

type TextOption =
  | ('town' | 'from' | 'out')
  | ('name' | 'region' | 'timeZone' | 'publisher' | 'homepage' | 'license' | 'boundaries' | 'addresses');

type InitOptions = Partial<Record<TextOption, string>> & {
  list?: true;
  use?: readonly string[];
  postalCodes?: true;
  json?: boolean;
  install: boolean;
};

type BoundariesText = { text: string } & ReturnType<typeof guessBoundaries>;
type Access = Pick<PlaceOptions, 'tempFolder' | 'userAgent'>;

export async function initCity(place: string | undefined, options: InitOptions): Promise<Report> {
  if (options.list) return listPacks();
  if (place === undefined) throw usageError('name a register or a pack (see --list)');
  return limitTime('init', () => runInit(place, options, readConfig()));
}

/** Creates the folder of a city, checks the city and reports. Removes the folder after an error. */
async function runInit(place: string, options: InitOptions, config: Config): Promise<Report> {
  checkOptions(options);
  const pack = findPack(place);
  checkPackOptions(place, pack, options);
  const tempFolder = join(config.dataFolder, `init-${process.pid}`);
  const access = { tempFolder, userAgent: `Shingle/${VERSION}` };
  using undo = new DisposableStack();
  const chooseFolder = (name: string) => {
    const folder = findFreeFolder(options, name);
    if (!existsSync(folder)) undo.defer(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
  };
  const drafted =
    pack === undefined
      ? await mapRegister(place, options, access, chooseFolder)
      : await openPack(pack, options, access, chooseFolder);
  if ('text' in drafted) return drafted;
  const draft = { ...config, city: drafted.folder, isDraft: true };
  const reports = await withIngestOrder({ from: drafted.place }, (order) => dryRunCity(draft, order));
  const report = await finish(drafted, options, reports);
  undo.move(); // the folder is complete, so it stays
  return report;
}

/** Returns the folder of a new city. Throws `refused` if it has a city, which is never overwritten. */
function findFreeFolder({ out }: InitOptions, cityName: string): string {
  const folder = resolve(out ?? makeSlug(cityName));
  const existing = ['city.yaml', 'city.ts'].map((file) => join(folder, file)).find(existsSync);
  if (existing === undefined) return folder;
  const text = `${existing} already exists and is not overwritten. Choose another folder with --out`;
  throw refusedError(text);
}

type ChooseFolder = (cityName: string) => string;

/** A draft that was written to its folder, without the large table that it was made from. */
type Drafted = {
  folder: string;
  /** Where `check` reads the register, if not at the place in `city.yaml`. */
  place: string | undefined;
  notes: readonly string[];
  says: string;
  sources?: ReturnType<typeof describeAddressSources>;
};

async function mapRegister(
  place: string,
  options: InitOptions,
  access: Access,
  chooseFolder: ChooseFolder,
): Promise<Drafted | Report> {
  if (options.out !== undefined) findFreeFolder(options, options.out); // before anything is read or asked
  const found = await readExport(place, access);
  const boundaries = await readAnyBoundaries(options.boundaries, access);
  const { roles, facts } = await settleRoles(place, options, found, boundaries);
  const delivers = found.files > 1 && roles.key.repeats < 0.3 ? 'changes' : 'snapshot';
  const drafted = draftMapping(roles, { ...facts, from: found.from, delivers });
  if (drafted.mapping === undefined) return reportMissing(roles, drafted, found);
  const isAsked = facts.boundaries !== options.boundaries;
  const shown = isAsked ? await readAnyBoundaries(facts.boundaries, access) : boundaries;
  const folder = chooseFolder(facts.name);
  await writeMappedFolder(folder, place, { facts, drafted, found, boundaries: shown }, access);
  return {
    folder,
    place: found.place,
    notes: found.notes,
    says: 'city.yaml says what the columns mean, with the evidence for each line, and categories.csv what the types are.',
    sources: facts.addresses === undefined ? describeAddressSources(roles) : undefined,
  };
}

async function openPack(
  pack: Pack,
  options: InitOptions,
  access: Access,
  chooseFolder: ChooseFolder,
): Promise<Drafted> {
  const { name, texts, place } = await fillTown(pack, options, access);
  const folder = chooseFolder(name);
  await writeCityFolder(folder, name, texts);
  return {
    folder,
    place,
    notes: [`from the pack "${pack.name}": ${pack.certainty}`],
    says: 'city.yaml says what the columns mean, with remarks on the register.',
  };
}

function checkOptions({ use, addresses, boundaries, timeZone }: InitOptions): void {
  readChoices(use);
  if (addresses !== undefined && boundaries === undefined)
    throw usageError(
      '--addresses requires --boundaries, because addresses are placed in the neighborhoods of that file',
    );
  if (timeZone !== undefined && !isTimeZone(timeZone))
    throw usageError(`--time-zone must be an IANA time zone such as America/Chicago, not "${timeZone}"`);
}

/** Reads columns of roles, such as `filed=START DATE`. */
function readChoices(given: readonly string[] = []): Choices {
  const choices = given.map((text) => {
    const [, role = '', column = ''] = /^\s*([a-z-]+)\s*=\s*(.+?)\s*$/.exec(text) ?? [];
    if (CHOSEN_ROLES.some((one) => one === role)) return [role, column];
    throw usageError(`--use must be ROLE=COLUMN, not "${text}". Roles: ${CHOSEN_ROLES.join(', ')}`);
  });
  return Object.fromEntries(choices);
}

async function settleRoles(
  place: string,
  options: InitOptions,
  { notes, table }: ReadTable,
  boundaries: BoundariesText | undefined,
): Promise<{ roles: Roles; facts: GuessedFacts }> {
  const survey = describeColumns(table);
  const choices = readChoices(options.use);
  const unknown = listUnknownChoices(survey, choices);
  if (unknown.length > 0)
    throw usageError(
      `the file has no column ${unknown.map((name) => `"${name}"`).join(', ')}. It has: ${survey.map(({ name }) => name).join(', ')}`,
    );
  const today = new Date().toISOString().slice(0, 10);
  const find = (choices: Choices, cityName = options.name) => findRoles(survey, { today, choices, cityName });
  const roles = find(choices);
  const { postalCodes: showsPostalCodes, ...given } = options;
  const guess = (found: Roles) => guessFacts(found, boundaries?.middle);
  const complete = (found: Roles) =>
    ({
      ...Object.fromEntries(Object.entries(guess(found)).map(([fact, [value]]) => [fact, value])),
      ...given,
      showsPostalCodes: showsPostalCodes === true,
    }) as GuessedFacts;
  const file = basename(removeQuery(place));
  if (isHopeless(roles) || !isInteractive() || options.json) {
    if (!options.json) {
      printLine(
        'Without a terminal, init asks nothing. "?" marks a doubtful guess; options correct it (--help).',
      );
      printLine(formatRoles(file, listRoleLines(roles)));
      if (!isHopeless(roles)) printLine(formatGuesses(guess(roles), given));
    }
    return { roles, facts: complete(roles) };
  }
  return withPrompts(async (prompts) => {
    for (const note of notes) printNote(note);
    const town = listRoleLines(roles).find(({ role }) => role === 'town');
    if (town?.isUncertain) printNote(`${town.column}: ${town.remark}`);
    const question = { text: 'Name of the city or county', standard: complete(roles).name };
    const name = options.name ?? (await prompts.askText(question));
    findFreeFolder(options, name);
    const named = (choices: Choices) => find(choices, name);
    const confirmed = await confirmRoles(prompts, file, choices, named);
    return {
      roles: confirmed,
      facts: await askFacts(prompts, { ...complete(confirmed), name }, given, confirmed),
    };
  });
}

function reportMissing(roles: Roles, { missing }: DraftedRegister, { damaged, table }: ReadTable): Report {
  const [[problem, rows] = ['', 0]] = [...damaged].sort((a, b) => b[1] - a[1]);
  const lost = `${formatNumber(rows)} rows are damaged (${problem}), and ${formatNumber(table.total)} are read.`;
  const lines = [...(rows > table.total ? [lost] : []), ...explainMissing(roles, missing)];
  const [role = 'name'] = missing;
  const columns = roles.columns.map(({ name }) => name);
  const next = isHopeless(roles) ? '' : `\nSay which column it is: --use ${role}="COLUMN".`;
  return {
    json: { city: null, missing, columns },
    text: `${lines.join('\n')}${next}\nNothing was written`,
    isError: true,
    code: EXIT.held,
  };
}

async function readExport(place: string, access: Access): Promise<ReadTable> {
  const { readTable } = await import('../../../register/survey/read-table.ts');
  const line = openProgressLine();
  const progress = (name: string, rows: number) =>
    line.show(() => `${basename(removeQuery(name))}: ${formatNumber(rows)} rows`);
  return readTable(place, { ...access, timeZone: 'Etc/UTC', progress }).finally(line.clear);
}

async function readAnyBoundaries(
  place: string | undefined,
  access: Access,
): Promise<BoundariesText | undefined> {
  if (place === undefined) return undefined;
  for await (const { path } of listFiles(place, access)) {
    const text = await readFile(path, 'utf8');
    return { text, ...guessBoundaries(text) };
  }
  throw sourceError(`no boundaries at ${place}`);
}

async function finish(
  { folder, notes, says, sources }: Drafted,
  { json, install }: InitOptions,
  reports: DryRunReport[],
): Promise<Report> {
  const city = join(folder, 'city.yaml');
  if (!json) {
    if (!isInteractive()) for (const note of notes) printLine(note);
    printLine(formatDryRun(reports, openAdvice(city)));
    if (sources !== undefined) printLine(`\n${sources.join('\n')}`);
  }
  if (install && process.stderr.isTTY)
    process.stderr.write('\nInstalling Shingle in the new folder ("npm install") ...\n');
  const installed = install && (await installDependencies(folder));
  const hasFailed = install && !installed;
  if (hasFailed) printError(`the draft is complete, but "npm install" failed. Run it in ${folder}`);
  const below = relative('', folder) || '.';
  const near = below.startsWith('..') ? folder : below;
  return {
    json: { city, installed, notes, runs: reports },
    text: `
Your city is in ${near}: ${says}
To serve it:

  cd ${near}${installed ? '' : '\n  npm install'}
  npm start`,
    code: hasFailed ? EXIT.failed : EXIT.done,
  };
}

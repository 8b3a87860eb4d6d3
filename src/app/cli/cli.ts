/** Combines all commands into the command line of Shingle, and reports wrong usage. */

import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { readDataFolder } from '../../config.ts';
import COMMANDS from '../../data/commands.json' with { type: 'json' };
import { findFileError } from '../../service/database/data-folder.ts';
import { findFullDiskError } from '../../service/database/disk-room.ts';
import type { Instant } from '../../shared/day.ts';
import { usageError } from '../../shared/errors.ts';
import { EXIT } from '../exit-codes.ts';
import { VERSION } from '../operations/version.ts';
import { describeUnknownVariables, formatVariables, showConfig } from './config-command.ts';
import { type Report, withService } from './options.ts';
import { chooseErrorExitCode, printError, printLine } from './terminal.ts';

type Spec = {
  /** The words of the command. */
  name: string;
  about: string;
  arguments?: Record<string, string>;
  options?: Record<string, string>;
  /** The options that must be given. */
  required?: Record<string, string>;
  /** Whether it gets the stored data of the city, before its arguments. Default: false. */
  data?: boolean;
  /** Whether it takes `--json` and then prints the value of its report. Default: true. */
  json?: boolean;
};

/** Gets the arguments and options of the command in `data/commands.json`. Returns its report, if it has one. */
type Work = (...args: never[]) => Promise<unknown>;

/** What each command does. Loads only the modules of the command that runs. */
const WORK: Readonly<Record<string, () => Promise<Work>>> = {
  start: async () => (await import('./serve.ts')).start,
  serve: async () => (await import('./serve.ts')).serve,
  ingest: async () => (await import('./ingest.ts')).importSources,
  check: async () => (await import('./check/check.ts')).checkCity,
  init: async () => (await import('./init/run-init.ts')).initCity,
  config: async () => showConfig,
  'weekly preview': async () => (await import('./weekly.ts')).previewEdition,
  'weekly send': async () => (await import('./weekly.ts')).sendEdition,
  'waitlist announce': async () => (await import('./people/waitlist.ts')).announceTo,
  'mail bounced': async () => (await import('./mail.ts')).handleBounced,
  'mail test': async () => (await import('./mail.ts')).sendTest,
  backup: async () => (await import('./data.ts')).backUp,
  restore: async () => (await import('./data.ts')).restore,
  rename: async () => (await import('./data.ts')).renameCity,
  move: async () => (await import('./data.ts')).moveData,
  help: async () => showHelp,
  status: async () => (await import('./status.ts')).showStatus,
  desk: async () => (await import('./desk/desk-server.ts')).serveDesk,
  runs: async () => (await import('./ingest.ts')).listRuns,
  'runs refuse': async () => (await import('./ingest.ts')).refuseRun,
  'runs show': async () => (await import('./ingest.ts')).showRun,
  'suppress add': async () => (await import('./people/listings.ts')).suppress,
  'suppress remove': async () => (await import('./people/listings.ts')).serveAgain,
  'suppress list': async () => (await import('./people/listings.ts')).listSuppressions,
  correct: async () => (await import('./people/listings.ts')).correct,
  'correct remove': async () => (await import('./people/listings.ts')).removeCorrection,
  'correct list': async () => (await import('./people/listings.ts')).listCorrections,
  'weekly introduce': async () => (await import('./desk/edition-review.ts')).introduceEdition,
  'weekly leave-out': async () => (await import('./desk/edition-review.ts')).leaveOut,
  'weekly approve': async () => (await import('./desk/edition-review.ts')).approveEdition,
  'subscribers list': async () => (await import('./people/subscribers.ts')).listSubscribers,
  'subscribers show': async () => (await import('./people/subscribers.ts')).showPerson,
  'subscribers erase': async () => (await import('./people/subscribers.ts')).erasePerson,
  'subscribers add': async () => (await import('./people/subscribers.ts')).addPerson,
};

type Parse = (text: string, before: unknown) => unknown;

/** How the text of an argument or option with this placeholder is read. */
const PARSERS: Readonly<Record<string, Parse>> = {
  '<run>': parseRunNumber,
  '<instant>': parseInstant,
  '<port>': parsePort,
  '<role=column>': (text, before = []) => [...(before as string[]), text],
};
const asItIs: Parse = (text) => text;

/** The commands that serve until they are stopped. Their messages are a log. */
export const SERVING: readonly string[] = ['start', 'serve'];

/** The code of the error that passes on the exit code of a report. */
const REPORTED = 'shingle.reported';

const MORE_HELP = `
For example:
  npx shingle start                    serve this folder's city, or the sample
  npx shingle init licenses.csv        map the register of your town
  npx shingle help variables           the settings, as environment variables
  npx shingle help ingest              the options of a command
`;

/** Returns the command line, as `data/commands.json` describes it. */
export function commandLine(): Command {
  const program = new Command('shingle')
    .exitOverride() // throws errors instead of exiting, in all commands
    .description('Tells the people of one city which businesses are new, from public filings.')
    .version(VERSION)
    .showHelpAfterError('(use --help to list commands and options)')
    .helpCommand(false)
    .addHelpText('after', MORE_HELP);
  const groups = new Map<string, Command>();
  for (const spec of COMMANDS as readonly Spec[]) {
    const [, group = '', word = ''] = /^(?:(.*) )?(.*)$/.exec(spec.name)!;
    groups.set(spec.name, define((groups.get(group) ?? program).command(word), spec));
  }
  return program;
}

function define(command: Command, { name, about, data = false, json = true, ...spec }: Spec): Command {
  command.description(about);
  for (const [place, text] of Object.entries(spec.arguments ?? {}))
    command.argument(place, text, PARSERS[place] ?? asItIs);
  for (const [flags, text] of Object.entries(spec.options ?? {}))
    command.option(flags, text, PARSERS[flags.split(' ')[1] ?? ''] ?? asItIs);
  for (const [flags, text] of Object.entries(spec.required ?? {})) command.requiredOption(flags, text);
  const load = WORK[name];
  if (load === undefined) return command; // it only groups others
  if (json) command.option('--json', 'print one JSON value as the last line of stdout');
  return command.action(async (...args) => {
    const work = (await load()) as (...args: unknown[]) => Promise<Report | undefined>;
    const { now, json: wantsJson } = command.optsWithGlobals();
    const withData = () => withService((service) => work(service, ...args), { now });
    const report = await (data ? withData() : work(...args));
    if (report) print(report, wantsJson);
  });
}

/** Prints a report, and throws its exit code. */
function print({ json, text, isError = false, code = EXIT.done }: Report, wantsJson: boolean): void {
  const isJson = json !== undefined && wantsJson;
  if (isJson) printLine(JSON.stringify(json));
  if (isError) printError(text);
  else if (!isJson) printLine(text);
  if (code !== EXIT.done) throw new CommanderError(code, REPORTED, text);
}

/** Parses a run number. Throws an error that commander reports as wrong usage, like the other parsers. */
function parseRunNumber(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('use the number of the run.');
  return Number(text);
}

/** Parses an instant with its time zone into a clock that always shows this instant. */
function parseInstant(text: string): () => Instant {
  const time = Date.parse(text);
  if (Number.isNaN(time) || !/T.*(Z|[+-]\d\d:\d\d)$/.test(text)) {
    throw new InvalidArgumentError('use a date, a time and a zone, such as 2026-11-20T09:00:00Z.');
  }
  return () => new Date(time).toISOString();
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('use a number up to 65535.');
  return port;
}

/** Shows the variables, or the help of a command or of all. Throws `usage` for an unknown topic. */
async function showHelp(topic = '', subcommand = ''): Promise<void> {
  if (topic === 'variables') return printLine(formatVariables().trimEnd());
  const words = [topic, subcommand].filter((word) => word !== '');
  if (topic !== '' && COMMANDS.every(({ name }) => name !== topic))
    throw usageError(`"${topic}" is not a command (use --help to list the commands)`);
  await commandLine().parseAsync([...words, '--help'], { from: 'user' });
}

/** Runs one command line (without the program's name) and returns its exit code. Never throws. */
export async function runCommand(argv: string[]): Promise<number> {
  const [named = ''] = argv;
  const log = SERVING.includes(named) ? (await import('./serve.ts')).log : undefined;
  for (const sentence of describeUnknownVariables()) (log?.warn ?? printError)(sentence);
  try {
    await commandLine().parseAsync(argv, { from: 'user' });
    return EXIT.done;
  } catch (error) {
    if (!(error instanceof CommanderError))
      return chooseErrorExitCode(
        findFullDiskError(error, readDataFolder()) ?? findFileError(error) ?? error,
        log?.error,
      );
    return error.code === REPORTED || error.exitCode === EXIT.done ? error.exitCode : EXIT.usage;
  }
}

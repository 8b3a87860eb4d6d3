/** Combines all commands into the command line of Shingle, and reports wrong usage. */

import { Command, CommanderError } from 'commander';
import { readDataFolder } from '../../config.ts';
import { findFileError } from '../../service/database/data-folder.ts';
import { findFullDiskError } from '../../service/database/disk-room.ts';
import { ShingleError } from '../../shared/errors.ts';
import { VERSION } from '../operations/version.ts';
import { describeUnknownVariables, formatVariables } from './config-command.ts';
import { addJsonOptions, REPORTED } from './options.ts';
import { chooseErrorExitCode, EXIT, printError, printLine } from './terminal.ts';

/** Loads each command, in the order of the help. A command that is named loads only its own modules. */
const COMMANDS: Record<string, () => Promise<(program: Command) => void>> = {
  start: async () => (await import('./serve.ts')).startCommand,
  serve: async () => (await import('./serve.ts')).serveCommand,
  ingest: async () => (await import('./ingest.ts')).ingestCommand,
  check: async () => (await import('./check/check.ts')).checkCommand,
  init: async () => (await import('./init/init.ts')).initCommand,
  status: async () => (await import('./status.ts')).statusCommand,
  desk: async () => (await import('./desk.ts')).deskCommand,
  config: async () => (await import('./config-command.ts')).configCommand,
  runs: async () => (await import('./ingest.ts')).runsCommand,
  suppress: async () => (await import('./people/listings.ts')).suppressCommand,
  correct: async () => (await import('./people/listings.ts')).correctCommand,
  weekly: async () => (await import('./weekly.ts')).weeklyCommand,
  subscribers: async () => (await import('./people/subscribers.ts')).subscribersCommand,
  waitlist: async () => (await import('./people/waitlist.ts')).waitlistCommand,
  mail: async () => (await import('./mail.ts')).mailCommand,
  backup: async () => (await import('./data.ts')).backupCommand,
  restore: async () => (await import('./data.ts')).restoreCommand,
  rename: async () => (await import('./data.ts')).renameCommand,
  move: async () => (await import('./data.ts')).moveCommand,
  help: async () => helpCommand,
};

/** The commands that serve until they are stopped. Their messages are a log. */
export const SERVING: readonly string[] = ['start', 'serve'];

const MORE_HELP = `
For example:
  npx shingle start                    serve this folder's city, or the sample
  npx shingle init licenses.csv        map the register of your town
  npx shingle help variables           the settings, as environment variables
  npx shingle help ingest              the options of a command
`;

/** Returns the command line with only the named command or, without a name, with all commands, as help needs them. */
export async function commandLine(named = ''): Promise<Command> {
  const program = new Command('shingle')
    .exitOverride() // throws errors instead of exiting, in all commands
    .description('Tells the people of one city which businesses are new, from public filings.')
    .version(VERSION)
    .showHelpAfterError('(use --help to list commands and options)')
    .helpCommand(false)
    .addHelpText('after', MORE_HELP);
  const loaders = Object.hasOwn(COMMANDS, named) ? [COMMANDS[named]!] : Object.values(COMMANDS);
  for (const load of loaders) (await load())(program);
  addJsonOptions(program);
  return program;
}

function helpCommand(program: Command): void {
  program
    .command('help')
    .argument('[topic]', 'a command, or "variables"')
    .argument('[subcommand]', 'a command of this command')
    .description('show help')
    .action(showHelp);
}

/** Shows the variables, or the help of a command or of all. Throws `usage` for an unknown topic. */
async function showHelp(topic?: string, subcommand?: string): Promise<void> {
  if (topic === 'variables') {
    printLine(formatVariables().trimEnd());
    return;
  }
  if (topic !== undefined && !Object.hasOwn(COMMANDS, topic))
    throw new ShingleError('usage', `"${topic}" is not a command (use --help to list the commands)`);
  const program = await commandLine(topic);
  const words = [topic, subcommand].filter((word) => word !== undefined);
  await program.parseAsync([...words, '--help'], { from: 'user' });
}

/** Runs one command line (without the program's name) and returns its exit code. Never throws. */
export async function runCommand(argv: string[]): Promise<number> {
  const [named = ''] = argv;
  const log = SERVING.includes(named) ? (await import('./serve.ts')).log : undefined;
  for (const sentence of describeUnknownVariables()) (log?.warn ?? printError)(sentence);
  try {
    await (await commandLine(named)).parseAsync(argv, { from: 'user' });
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

/** Combines all commands into the command line of Shingle, and reports wrong usage. */

import { Command, CommanderError } from 'commander';
import { readDataFolder } from '../config.ts';
import { findFullDiskError, VERSION } from '../operations/service.ts';
import { checkCommand } from './check/check.ts';
import { configCommand, describeUnknownVariables, formatVariables } from './config.ts';
import { backupCommand, moveCommand, restoreCommand } from './data.ts';
import { ingestCommand, runsCommand } from './ingest.ts';
import { initCommand } from './init/init.ts';
import { mailCommand } from './mail.ts';
import { REPORTED } from './options.ts';
import { correctCommand, suppressCommand } from './people/listings.ts';
import { subscribersCommand } from './people/subscribers.ts';
import { waitlistCommand } from './people/waitlist.ts';
import { log, serveCommand, startCommand } from './serve.ts';
import { statusCommand } from './status.ts';
import { chooseErrorExitCode, EXIT, printError } from './terminal.ts';
import { weeklyCommand } from './weekly.ts';

/** Returns the complete command line. The program and the test of the docs use it. */
export function commandLine(): Command {
  const program = new Command('shingle')
    .exitOverride() // throws errors instead of exiting, also in all commands
    .description('New-business listings for one city, from public filings.')
    .version(VERSION)
    .showHelpAfterError('(use --help to list commands and options)')
    .helpCommand(false)
    .addHelpText('after', formatVariables());
  for (const add of [
    startCommand,
    serveCommand,
    ingestCommand,
    checkCommand,
    initCommand,
    statusCommand,
    configCommand,
    runsCommand,
    suppressCommand,
    correctCommand,
    weeklyCommand,
    subscribersCommand,
    waitlistCommand,
    mailCommand,
    backupCommand,
    restoreCommand,
    moveCommand,
  ]) {
    add(program);
  }
  return program;
}

/** Runs one command line (without the program's name) and returns its exit code. Never throws. */
export async function runCommand(argv: string[]): Promise<number> {
  const warn = ['start', 'serve'].includes(argv[0]!) ? log.warn : printError;
  for (const sentence of describeUnknownVariables()) warn(sentence);
  try {
    await commandLine().parseAsync(argv, { from: 'user' });
    return EXIT.done;
  } catch (error) {
    if (!(error instanceof CommanderError))
      return chooseErrorExitCode(findFullDiskError(error, readDataFolder()) ?? error);
    return error.code === REPORTED || error.exitCode === EXIT.done ? error.exitCode : EXIT.usage;
  }
}

/** The command line: collects all commands, and reports wrong usage. */

import { Command, CommanderError } from 'commander';
import { readDataFolder } from '../config.ts';
import { findFullDiskError, VERSION } from '../operations/service.ts';
import { backupCommand, restoreCommand } from './backup.ts';
import { checkCommand } from './check/check.ts';
import { configCommand } from './config.ts';
import { ingestCommand } from './ingest.ts';
import { initCommand } from './init/init.ts';
import { mailCommand } from './mail.ts';
import { moveCommand } from './move.ts';
import { correctCommand } from './people/correct.ts';
import { subscribersCommand } from './people/subscribers.ts';
import { suppressCommand } from './people/suppress.ts';
import { waitlistCommand } from './people/waitlist.ts';
import { runsCommand } from './runs.ts';
import { log, serveCommand, startCommand } from './serve.ts';
import { statusCommand } from './status.ts';
import { chooseErrorExitCode, type Done, EXIT, printError } from './terminal.ts';
import { describeUnknownVariables, formatVariables } from './variables.ts';
import { weeklyCommand } from './weekly.ts';

/** Makes the whole command line, for the program and for the test of the docs. */
export function commandLine(done: Done): Command {
  const program = new Command('shingle')
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
    add(program, done);
  }
  return program;
}

/** Runs one command line (without the program's name) and returns its exit code. Never throws. */
export async function runCommand(argv: string[]): Promise<number> {
  let code: number = EXIT.done;
  const program = commandLine((given) => {
    code = given;
  });
  throwInsteadOfExiting(program);
  const warn = ['start', 'serve'].includes(argv[0]!) ? log.warn : printError;
  for (const sentence of describeUnknownVariables()) warn(sentence);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    return chooseErrorExitCode(findFullDiskError(error, readDataFolder()) ?? error);
  }
}

function throwInsteadOfExiting(command: Command): void {
  command.exitOverride();
  for (const child of command.commands) throwInsteadOfExiting(child);
}

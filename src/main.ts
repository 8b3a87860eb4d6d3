/** Runs the command line and sets the exit code. */

import { runCommand } from './cli/cli.ts';
import { ignoreClosedPipe } from './cli/terminal.ts';

ignoreClosedPipe();
process.exitCode = await runCommand(process.argv.slice(2));

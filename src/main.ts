/** Runs the command line and sets the exit code. */

import { runCommand, SERVING } from './app/cli/cli.ts';
import { handleOutputErrors } from './app/cli/terminal.ts';

const argv = process.argv.slice(2);
handleOutputErrors(SERVING.includes(argv[0] ?? ''));
process.exitCode = await runCommand(argv);

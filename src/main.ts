/** argv -> command -> exit code. Nothing else happens here. */

import { runCommand } from './cli/cli.ts';

process.exitCode = await runCommand(process.argv.slice(2));

/** argv -> command -> exit code. Nothing else happens here. */

import { runCommand } from './cli/cli.ts';
import { ignoreClosedPipe } from './cli/terminal.ts';

ignoreClosedPipe();
process.exitCode = await runCommand(process.argv.slice(2));

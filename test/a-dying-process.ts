/** The program, killed by itself the n-th time it comes to a named point: `node a-dying-process.ts POINT N COMMAND...` */

import { runCommand } from '../src/cli/cli.ts';
import { installProbe } from '../src/listings/probe.ts';

const [point, times, ...argv] = process.argv.slice(2);
let left = Number(times);
installProbe((name) => {
  if (name === point && --left === 0) process.kill(process.pid, 'SIGKILL');
});
process.exitCode = await runCommand(argv);

/** The program, which kills itself when it reaches a named point for the n-th time: `node a-dying-process.ts POINT N COMMAND...` */

import { runCommand } from '../src/app/cli/cli.ts';
import { installProbe } from '../src/shared/probe.ts';

const [point, times, ...argv] = process.argv.slice(2);
let left = Number(times);
installProbe((name) => {
  if (name === point && --left === 0) process.kill(process.pid, 'SIGKILL');
});
process.exitCode = await runCommand(argv);

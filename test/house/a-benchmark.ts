/** A benchmark that starts a program which never ends, says its number, and then fails where `FAILS` says so. */

import { exitOnSignals, startChild } from '../../bench/children.ts';

exitOnSignals();
const { pid } = startChild(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
process.stdout.write(`${pid}\n`);
if (process.env.FAILS !== undefined) throw new Error('it fails');

/**
 * A service whose Object.prototype nobody can write to, as a process: whatever tries to, fails. Frozen once everything is
 * loaded, because a dependency writes `toString` over its own prototypes while it loads. Ingests argv[2] after that.
 * No way to run a service: Node 26 itself then dies of a header named `constructor`.
 */

import { readConfig } from '../../src/config.ts';
import { openService } from '../../src/service.ts';
import { serve } from '../../src/serving.ts';

const complain = (sentence: string) => process.stderr.write(`${sentence}\n`);
const service = await openService(readConfig());
const serving = await serve(service, { warn: complain, info: complain });
await fetch(`${serving.url}/mcp`, { method: 'POST', body: '{}' });
Object.freeze(Object.prototype);
for (const run of await service.ingest({ from: process.argv[2]! })) process.stdout.write(`${run.state}\n`);
process.stdout.write(`open ${serving.url}/\n`);
process.on('SIGTERM', async () => {
  await serving.close();
  await service.close();
});

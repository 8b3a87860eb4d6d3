/**
 * A service whose Object.prototype is frozen before anything is loaded, so that writing to it fails. Objects can still have their
 * own properties called `constructor` or `toString`, which plain freezing would forbid: Node itself would crash on a header with
 * such a name. Ingests argv[2], then serves.
 */

for (const [name, given] of Object.entries(Object.getOwnPropertyDescriptors(Object.prototype))) {
  if (!('value' in given)) continue;
  Object.defineProperty(Object.prototype, name, {
    get: () => given.value,
    set(this: object, value: unknown) {
      if (this === Object.prototype) throw new TypeError(`${name} of everything is written to`);
      Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true });
    },
  });
}
Object.freeze(Object.prototype);

const { readConfig } = await import('../../src/config.ts');
const { openService } = await import('../../src/app/operations/service.ts');
const { serveCity } = await import('../../src/app/operations/serving.ts');

const complain = (sentence: string) => void process.stderr.write(`${sentence}\n`);
const service = await openService(readConfig());
for (const run of await service.ingest({ from: process.argv[2]! })) process.stdout.write(`${run.state}\n`);
const serving = await serveCity(service, { warn: complain, info: complain });
process.stdout.write(`open ${serving.url}/\n`);
process.on('SIGTERM', async () => {
  await serving.close();
  await service.close();
});

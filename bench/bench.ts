/** `npm run bench -- NAME [--listings N] [--beside FOLDER] [--json]`: runs one benchmark. */

import { parseArgs } from 'node:util';
import { benchAddresses } from './addresses.ts';
import { exitOnSignals } from './children.ts';
import { benchCounts } from './counts.ts';
import { listMissingFiles, ROWS } from './data.ts';
import { benchDelivery } from './delivery.ts';
import { benchIngest } from './ingest.ts';
import { benchInstances } from './instances.ts';
import { benchKinds } from './kinds.ts';
import { benchMemory } from './memory.ts';
import { benchOverload } from './overload.ts';
import { benchPage } from './page.ts';
import { benchPages } from './pages.ts';
import { benchPlaces } from './places.ts';
import { benchQuestions } from './question-grades.ts';
import { report } from './report.ts';
import { benchScale } from './scale.ts';
import { benchSearch } from './search.ts';
import { benchSignup } from './signup.ts';
import { benchSpelling } from './spelling.ts';
import { benchStart } from './start.ts';
import { benchSwap } from './swap.ts';
import { benchWorst } from './worst.ts';

const BENCHES = {
  search: benchSearch,
  ingest: benchIngest,
  swap: benchSwap,
  scale: benchScale,
  memory: benchMemory,
  signup: benchSignup,
  delivery: benchDelivery,
  places: benchPlaces,
  kinds: benchKinds,
  page: benchPage,
  pages: benchPages,
  instances: benchInstances,
  overload: benchOverload,
  start: benchStart,
  worst: benchWorst,
  spelling: benchSpelling,
  questions: benchQuestions,
  counts: benchCounts,
  addresses: benchAddresses,
};

exitOnSignals();
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    listings: { type: 'string' },
    beside: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const [name = ''] = positionals;
const bench = BENCHES[name as keyof typeof BENCHES];
const listings = Number(values.listings ?? ROWS);
if (bench === undefined || !Number.isInteger(listings) || listings < 1) {
  process.stderr.write(
    `usage: npm run bench -- ${Object.keys(BENCHES).join('|')} [--listings N] [--beside FOLDER] [--json]\n`,
  );
  process.exitCode = 2;
} else if (listMissingFiles(name).length > 0) {
  const files = listMissingFiles(name).map((file) => `  ${file}\n`);
  process.stderr.write(
    `${name} needs files that are not in the repository, because they hold names and addresses of people:\n${files.join('')}` +
      'CONTRIBUTING.md says which benchmarks run without them.\n',
  );
  process.exitCode = 1;
} else {
  report(await bench(listings, values.beside), values.json);
}

/** `npm run test:mutants`: makes small errors (mutants) in src and shows which of them the tests notice. */

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changedLines, type Lines } from './changed.ts';
import { measureReach, type Reach } from './coverage.ts';
import { stringUnions } from './operators.ts';
import { HELP, type Options, readOptions } from './options.ts';
import { orderTests } from './order.ts';
import { countVerdicts, lineFor, summaryOf } from './report.ts';
import { makeScratch, ROOT, type Scratch } from './scratch.ts';
import { listMutants, type Mutant, pickMutants, type Site, sitesIn } from './sites.ts';
import { tryMutant, type Verdict } from './try-mutant.ts';

const texts = new Map<string, string>();
const aborter = new AbortController();

function textOf(file: string): string {
  const text = texts.get(file) ?? readFileSync(join(ROOT, file), 'utf8');
  texts.set(file, text);
  return text;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The sites in what was asked for. */
function findSites({ names, all, base, without }: Options): Site[] {
  const every = globSync('src/**/*.ts', { cwd: ROOT }).toSorted();
  const unions = every.flatMap((file) => stringUnions(textOf(file)));
  const lines: Lines | undefined = all || names.length > 0 ? undefined : changedLines(base);
  const isAskedFor = (file: string) => all || (lines?.has(file) ?? names.some((name) => isUnder(file, name)));
  return every
    .filter((file) => isAskedFor(file) && !without.some((name) => isUnder(file, name)))
    .flatMap((file) => sitesIn(file, textOf(file), unions))
    .filter(({ file, line }) => lines?.get(file)?.has(line) ?? true);
}

const isUnder = (file: string, name: string): boolean =>
  file === name || file.startsWith(`${name.replace(/\/$/, '')}/`);

async function tryAll(
  mutants: readonly Mutant[],
  lanes: readonly Scratch[],
  { reaches, patienceMs }: { reaches: readonly Reach[]; patienceMs: number },
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  const queue = [...mutants];
  const options = { patienceMs, signal: aborter.signal };
  await Promise.all(
    lanes.map(async (scratch) => {
      for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
        const verdict = await tryMutant(scratch, mutant, orderTests(mutant, reaches, textOf), options);
        if (aborter.signal.aborted) return;
        verdicts.push(verdict);
        say(`${verdicts.length}/${mutants.length}  ${lineFor(verdict, textOf)}`);
      }
    }),
  );
  return verdicts;
}

function reportAll(verdicts: readonly Verdict[], reaches: readonly Reach[], { seed, json }: Options): void {
  for (const line of summaryOf(verdicts, textOf)) say(line);
  const failing = reaches.filter(({ passes }) => !passes).map(({ test }) => test);
  if (failing.length > 0) say(`\nnot used, because they fail without a fault: ${failing.join(', ')}`);
  if (json) say(JSON.stringify({ seed, ...countVerdicts(verdicts), failing, verdicts }));
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options.help) return say(HELP);
  const sites = findSites(options);
  const { only } = options;
  const mutants = only === undefined ? pickMutants(sites, textOf, options) : listMutants(sites, textOf, only);
  say(`${mutants.length} faults of ${sites.length} places, seed ${options.seed}`);
  if (options.list) {
    for (const { file, line, edit } of mutants)
      say(`${file}:${line}  ${textOf(file).slice(edit.start, edit.end)} -> ${edit.text}`);
    return;
  }
  if (mutants.length === 0) return reportAll([], [], options);
  const lanes = Array.from({ length: options.lanes }, makeScratch);
  process.on('exit', () => {
    for (const scratch of lanes) scratch.remove();
  });
  const reaches = await measureReach(lanes, aborter.signal, say);
  const verdicts = await tryAll(mutants, lanes, { reaches, patienceMs: options.patienceMs });
  if (!aborter.signal.aborted) reportAll(verdicts, reaches, options);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    process.exitCode = 130;
    aborter.abort();
  });
try {
  await main();
} catch (error) {
  process.stderr.write(`cannot run: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}

/**
 * The fingerprints of the steps of the tables that a release has: those never change. `node bin/node.mjs test/service/database/released-steps.ts`
 * writes them for the newest version of CHANGELOG.md; before the first one there are none.
 */

import { hash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FILE = fileURLToPath(new URL('./released-steps.json', import.meta.url));

export type Released = { version: string | null; steps: Record<string, string> };

export const readReleased = (): Released => JSON.parse(readFileSync(FILE, 'utf8'));

/** The steps of this checkout, by the names of their files. */
export function fingerprintSteps(folder = `${ROOT}src/service/database`): Released['steps'] {
  const files = globSync(`${folder}/step-*.sql`).toSorted();
  return Object.fromEntries(
    files.map((file) => [basename(file), hash('sha256', readFileSync(file, 'utf8'))]),
  );
}

/** The newest released version of a changelog. */
export function newestVersion(changelog = readFileSync(`${ROOT}CHANGELOG.md`, 'utf8')): string | null {
  return /^## (\d+\.\d+\.\d+)/m.exec(changelog)?.[1] ?? null;
}

/** What is wrong with the steps, after those that were released. */
export function findStepProblems(
  released: Released,
  version: string | null,
  steps: Released['steps'],
): string[] {
  const changed = Object.keys(released.steps).filter((name) => released.steps[name] !== steps[name]);
  return [
    ...changed.map((name) => `${name} has been released, and must stay as it was: add another step`),
    ...(released.version === version
      ? []
      : [`write the steps of ${version} with test/service/database/released-steps.ts`]),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [released, steps] = [readReleased(), fingerprintSteps()];
  const problems = findStepProblems(released, released.version, steps);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  writeFileSync(FILE, `${JSON.stringify({ version: newestVersion(), steps }, null, 2)}\n`);
}

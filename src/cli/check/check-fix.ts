/** `shingle check --fix`: shows what would fix each finding, asks, changes `city.yaml`, and checks again. */

import { chownSync, lstatSync, statSync } from 'node:fs';
import { type LoadedCity, loadCity } from '../../city/load.ts';
import { messageOf, ShingleError } from '../../errors.ts';
import type { DryRunReport } from '../../import/dry-run.ts';
import type { ShownFinding } from '../../registers/invariants/finding.ts';
import { type Edit, findEditFault, openCityFile, planRepair } from '../../registers/writing/repair.ts';
import { removeInvisibles } from '../../text/visible-text.ts';
import { type Prompts, printNote, withPrompts } from '../init/prompt.ts';
import { replaceFile } from './replace-file.ts';

const MOST_ROUNDS = 10;

type Case = { source: string; finding: ShownFinding };
/** The corrections proposed so far and the words they change. No finding may revert another finding's correction. */
type Proposed = { cases: Set<string>; words: Map<string, string> };

/** Fixes findings. With `isSure`, makes all changes without asking. Throws `usage` if the city cannot be changed. */
export async function fixFindings(
  judge: () => Promise<DryRunReport[]>,
  named: string,
  isSure: boolean,
): Promise<DryRunReport[]> {
  const loaded = await loadCity(named);
  requireEditable(loaded);
  const proposed: Proposed = { cases: new Set(), words: new Map() };
  let reports = await judge();
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const cases = listCases(loaded, reports, proposed);
    if (cases.length === 0) break;
    const wanted = isSure
      ? cases.map(() => true)
      : await withPrompts((prompts) => Array.fromAsync(cases, (one) => isWanted(prompts, loaded, one)));
    let changes = 0;
    for (const [i, one] of cases.entries()) if (wanted[i] && (await repair(loaded, one))) changes++;
    if (changes === 0) break;
    reports = await judge();
  }
  return reports;
}

function requireEditable(loaded: LoadedCity): void {
  const { isMapping, isShipped } = openCityFile(loaded);
  if (!isMapping)
    throw new ShingleError(
      'usage',
      `--fix changes a city.yaml. ${loaded.path} is a program: change it by hand, as check says`,
    );
  if (isShipped)
    throw new ShingleError(
      'usage',
      `${loaded.path} comes with Shingle, and updates replace it. Copy its folder and set SHINGLE_CITY to the copy`,
    );
}

function listCases({ path }: LoadedCity, reports: readonly DryRunReport[], proposed: Proposed): Case[] {
  const last = new Map(reports.map((report) => [report.source, report]));
  const all = [...last.values()].flatMap(({ source, findings }) =>
    findings.map((finding): Case => ({ source, finding })),
  );
  return all.filter(({ source, finding }) => {
    const { code, accepted, repair } = finding;
    if (accepted !== undefined || planRepair({ path, source }, finding) === undefined) return false;
    const words = Object.keys(repair ?? {}).filter((word) => word !== 'skip');
    const isSetBack = words.some((word) => (proposed.words.get(`${source} ${word}`) ?? code) !== code);
    const id = JSON.stringify([source, code, repair]);
    if (isSetBack || proposed.cases.has(id)) return false;
    proposed.cases.add(id);
    for (const word of words) proposed.words.set(`${source} ${word}`, code);
    return true;
  });
}

async function isWanted(prompts: Prompts, loaded: LoadedCity, { source, finding }: Case): Promise<boolean> {
  const { code, severity, detail, examples } = finding;
  const shown = examples.slice(0, 5).map((example) => `    ${example}`);
  const changes = openCityFile(loaded).listChanges(source, finding);
  printNote(['', `${severity} ${code}: ${detail}`, ...shown, ...changes].map(removeInvisibles).join('\n'));
  const answer = await prompts.askChoice({
    text: 'Change it?',
    options: [
      { value: 'no', label: 'no, leave it as it is' },
      { value: 'yes', label: 'yes, change it' },
    ],
  });
  return answer === 'yes';
}

async function repair(loaded: LoadedCity, { source, finding }: Case): Promise<boolean> {
  const edit = planRepair({ path: loaded.path, source }, finding);
  if (edit === undefined) return false;
  try {
    await writeEdit(loaded, edit);
  } catch (error) {
    printNote(`${finding.code}: nothing was changed. ${messageOf(error)}`);
    return false;
  }
  printNote([`${finding.code}: changed`, ...edit.lines].map(removeInvisibles).join('\n'));
  return true;
}

/** Writes a changed mapping. The file keeps its owner and permissions. Throws `city` if the city would not load. */
export async function writeEdit({ path }: Pick<LoadedCity, 'path'>, edit: Edit): Promise<void> {
  const fault = findEditFault(edit);
  if (fault !== undefined) throw new ShingleError('city', `the city would not load: ${fault}`);
  if (lstatSync(edit.path).isSymbolicLink())
    throw new ShingleError('city', `${edit.path} is a link. Change the file that it points to`);
  const { mode, uid, gid } = statSync(edit.path);
  const check = async (part: string) => {
    if (process.getuid?.() === 0) chownSync(part, uid, gid);
    if (edit.path === path) await loadCity(part);
  };
  await replaceFile(edit.path, edit.text, { mode: mode & 0o777, check });
}

/** Finds the places for mutants in a source, and makes the source with one of them. */

import { changesOf } from './operators.ts';
import { applyEdits, type Edit, isFunction, lineAt, MODULE, parses, readProgram, visit } from './syntax.ts';

/** One place in a source and the ways to change it. */
export type Site = {
  file: string;
  line: number;
  /** Where the innermost function around it starts. */
  inFunction: number;
  edits: Edit[];
};

export type Mutant = { file: string; line: number; inFunction: number; edit: Edit };

export function sitesIn(file: string, text: string, unions: readonly string[][]): Site[] {
  const program = readProgram(text);
  const sites: Site[] = [];
  visit(program.root, (node, around) => {
    const edits = changesOf(node, program, unions).filter((edit) => !isSame(text, edit));
    const inFunction = around.findLast(isFunction)?.start ?? MODULE;
    if (edits.length > 0) sites.push({ file, line: lineAt(text, edits[0]!.start), inFunction, edits });
  });
  return sites;
}

const isSame = (text: string, { start, end, text: put }: Edit): boolean => text.slice(start, end) === put;

/** Replaces what a mutant replaces. */
export function plant(text: string, { edit }: Mutant): string {
  return applyEdits(text, [edit]);
}

/** The line of a mutant before and after, as far as it fits on one. */
export function linesOf(text: string, mutant: Mutant): { before: string; after: string } {
  const { start, end, text: put } = mutant.edit;
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const to = text.indexOf('\n', end) < 0 ? text.length : text.indexOf('\n', end);
  const oneLine = (piece: string) => piece.trim().replaceAll(/\s*\n\s*/g, ' ');
  const after = text.slice(from, start) + put + text.slice(end, to);
  return { before: oneLine(text.slice(from, to)), after: oneLine(after) };
}

/** Picks mutants: each site is as likely as any other, so a file counts by its size. */
export function pickMutants(
  sites: readonly Site[],
  textOf: (file: string) => string,
  { count, seed }: { count: number; seed: number },
): Mutant[] {
  const random = randomOf(seed);
  const left = [...sites];
  const picked: Mutant[] = [];
  while (picked.length < count && left.length > 0) {
    const [site] = left.splice(Math.floor(random() * left.length), 1) as [Site];
    const edit = site.edits[Math.floor(random() * site.edits.length)]!;
    const mutant = { file: site.file, line: site.line, inFunction: site.inFunction, edit };
    if (parses(plant(textOf(site.file), mutant))) picked.push(mutant);
  }
  return picked;
}

/** Every mutant of one line. */
export function listMutants(
  sites: readonly Site[],
  textOf: (file: string) => string,
  { file, line }: { file: string; line: number },
): Mutant[] {
  return sites
    .filter((site) => site.file === file && site.line === line)
    .flatMap(({ edits, ...site }) => edits.map((edit) => ({ ...site, edit })))
    .filter((mutant) => parses(plant(textOf(file), mutant)));
}

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

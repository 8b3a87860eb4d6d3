/** The commands of a page of the docs, as somebody copies them: its indented blocks, in order. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

export type Block = {
  /** The nearest heading above it. */
  heading: string;
  text: string;
};

/** Blocks of lists are indented by six. JSON and other output in such blocks has to be told apart by whoever asks. */
export function blocksOf(page: string): Block[] {
  const blocks: Block[] = [];
  let heading = '';
  let open: string[] | undefined;
  let isFenced = false;
  const close = () => {
    if (open !== undefined) blocks.push({ heading, text: undent(open) });
    open = undefined;
  };
  for (const line of ['', ...readFileSync(join(ROOT, page), 'utf8').split('\n'), '']) {
    if (line.startsWith('```')) isFenced = !isFenced;
    if (isFenced || line.startsWith('```')) continue;
    if (/^ {4}/.test(line)) open?.push(line);
    else if (line === '') open?.push(line);
    else {
      close();
      heading = /^#+ (.*)$/.exec(line)?.[1] ?? heading;
    }
    if (line === '' && open === undefined) open = [];
  }
  close();
  return blocks.filter(({ text }) => text !== '');
}

function undent(lines: readonly string[]): string {
  const text = lines.join('\n').replace(/^\n+|\s+$/g, '');
  const indent = /^ */.exec(text)![0].length;
  return text.replaceAll(new RegExp(`^ {${indent}}`, 'gm'), '');
}

/** The block with this in it; there is exactly one. */
export function blockWith(page: string, piece: string): string {
  const found = blocksOf(page).filter(({ text }) => text.includes(piece));
  assert.equal(found.length, 1, `${page} has ${found.length} blocks with ${piece}`);
  return found[0]!.text;
}

/** What a test says in place of what only an operator knows; each piece must be there. */
export function instead(text: string, pieces: Record<string, string>): string {
  let changed = text;
  for (const [piece, other] of Object.entries(pieces)) {
    assert.ok(changed.includes(piece), `no ${piece} in ${text}`);
    changed = changed.replaceAll(piece, () => other);
  }
  return changed;
}

/** Asks questions on a terminal. Writes to stderr, so that stdout holds reports alone. */

import { createInterface } from 'node:readline/promises';

/** Whether somebody is there to answer. */
export function isInteractive(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

export type Prompt = { text: string; standard: string; take(answer: string): string | undefined };

/** Asks each question until its answer is taken; an empty answer is the default. The end of input answers all the others so. */
export async function askQuestions(questions: readonly Prompt[]): Promise<void> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new AbortController();
  lines.on('close', () => ended.abort());
  try {
    for (const { text, standard, take } of questions) {
      for (;;) {
        const typed = await askLine(
          lines,
          `${text}${standard === '' ? '' : ` [${standard}]`}: `,
          ended.signal,
        );
        const answer = typed?.trim() || standard;
        const fault = typed === undefined ? undefined : take(answer);
        if (fault === undefined) break;
        process.stderr.write(`${fault}\n`);
      }
    }
  } finally {
    lines.close();
  }
}

async function askLine(
  lines: ReturnType<typeof createInterface>,
  text: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (signal.aborted) return undefined;
  return lines.question(text, { signal }).catch(() => undefined);
}

/** Asks questions on a terminal. Writes to stderr, so that stdout holds reports alone. */

import { createInterface, type Interface } from 'node:readline';

/** Whether somebody is there to answer. */
export function isInteractive(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

export type Prompt = { text: string; standard: string; take(answer: string): string | undefined };

/**
 * Asks each question until its answer is taken. An empty answer is the default, and so are all answers after the end of input.
 */
export async function askQuestions(questions: readonly Prompt[]): Promise<void> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const next = openLines(lines);
  try {
    for (const { text, standard, take } of questions) {
      for (let isTaken = false; !isTaken; ) {
        lines.setPrompt(`${text}${standard === '' ? '' : ` [${standard}]`}: `);
        lines.prompt();
        const line = await next();
        const fault = line === undefined ? undefined : take(line.trim() || standard);
        if (fault !== undefined) process.stderr.write(`${fault}\n`);
        isTaken = fault === undefined;
      }
    }
  } finally {
    lines.close();
  }
}

/** Lines in the order in which they are typed, also those typed ahead; `undefined` after the last. */
function openLines(lines: Interface): () => Promise<string | undefined> {
  const typed: string[] = [];
  let isClosed = false;
  let wake = () => {};
  lines.on('line', (line) => {
    typed.push(line);
    wake();
  });
  lines.on('close', () => {
    isClosed = true;
    wake();
  });
  return async () => {
    while (typed.length === 0 && !isClosed) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return typed.shift();
  };
}

/** Asks questions on a terminal, line by line, as screen readers and every terminal can show them. Writes to stderr. */

import { createInterface, type Interface } from 'node:readline';
import { usageError } from '../../../shared/errors.ts';
import { showControls } from '../terminal.ts';

export function isInteractive(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

type TextQuestion = {
  text: string;
  standard: string;
  /** The answer to `?`. */
  help?: string | undefined;
  findProblem?(answer: string): string | undefined;
};

type ChoiceQuestion<Value extends string> = {
  text: string;
  options: readonly { value: Value; label: string; hint?: string }[];
};

export type Prompts = {
  askText(question: TextQuestion): Promise<string>;
  askChoice<Value extends string>(question: ChoiceQuestion<Value>): Promise<Value>;
};

export function printNote(text: string): void {
  process.stderr.write(`${showControls(text)}\n`);
}

export async function withPrompts<T>(work: (prompts: Prompts) => Promise<T>): Promise<T> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await work(makePrompts(lines));
  } finally {
    lines.close();
  }
}

function makePrompts(lines: Interface): Prompts {
  const typed = lines[Symbol.asyncIterator](); // includes lines typed before their question appears
  const ask = async ({ text, standard, help, findProblem }: TextQuestion): Promise<string> => {
    for (;;) {
      lines.setPrompt(`${text}${standard === '' ? '' : ` [${standard}]`}: `);
      lines.prompt();
      const { done, value: line } = await typed.next();
      if (done) throw usageError('canceled'); // Ctrl-C and Ctrl-D end the input
      const answer = line.trim() || standard;
      const problem = answer === standard ? undefined : findProblem?.(answer);
      if (answer === '?') {
        const usual = standard === '' ? '' : ` Press Enter for ${standard}.`;
        printNote(`${help ?? problem ?? 'Type your answer.'}${usual}`);
      } else if (problem === undefined) return answer;
      else printNote(problem);
    }
  };
  return {
    askText: ask,
    async askChoice({ text, options }) {
      for (const [i, { label, hint }] of options.entries())
        printNote(`  ${i + 1}. ${label}${hint === undefined ? '' : ` (${hint})`}`);
      const isNumber = (answer: string) =>
        options[Number(answer) - 1] === undefined ? `Type a number from 1 to ${options.length}.` : undefined;
      return options[Number(await ask({ text, standard: '1', findProblem: isNumber })) - 1]!.value;
    },
  };
}

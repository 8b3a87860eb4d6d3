/** Asks questions on a terminal: with arrow keys if it has cursor control, otherwise line by line. Writes to stderr. */

import { createInterface, type Interface } from 'node:readline';
import { hasCursorControl } from '../../../config.ts';
import { ShingleError } from '../../../shared/errors.ts';
import { showControls } from '../terminal.ts';

export function isInteractive(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

type TextQuestion = {
  text: string;
  standard: string;
  findFault?(answer: string): string | undefined;
};

type ChoiceQuestion<Value extends string> = {
  text: string;
  options: readonly { value: Value; label: string; hint?: string }[];
};

export type Prompts = {
  askText(question: TextQuestion): Promise<string>;
  askChoice<Value extends string>(question: ChoiceQuestion<Value>): Promise<Value>;
};

const NARROWEST = 30; // in columns

export function printNote(text: string): void {
  process.stderr.write(`${showControls(text)}\n`);
}

export async function withPrompts<T>(work: (prompts: Prompts) => Promise<T>): Promise<T> {
  const isWide = (process.stderr.columns ?? 0) >= NARROWEST; // some terminals report a width of 0
  if (hasCursorControl() && isWide) return work(await openArrowPrompts());
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await work(makeLinePrompts(lines));
  } finally {
    lines.close();
  }
}

async function openArrowPrompts(): Promise<Prompts> {
  // loaded only here, because few commands ask questions
  const { isCancel, select, text } = await import('@clack/prompts');
  const output = process.stderr;
  const requireAnswer = (answer: unknown): string => {
    if (isCancel(answer)) throw new ShingleError('usage', 'canceled');
    return String(answer ?? '');
  };
  return {
    async askText({ text: message, standard, findFault }) {
      const answer = await text({
        message,
        output,
        placeholder: standard,
        defaultValue: standard,
        validate: (typed) => (typed ? findFault?.(typed.trim()) : undefined),
      });
      return requireAnswer(answer).trim();
    },
    async askChoice<Value extends string>({ text: message, options }: ChoiceQuestion<Value>) {
      const answer = await select<string>({ message, output, options: [...options], maxItems: 14 });
      return requireAnswer(answer) as Value;
    },
  };
}

function makeLinePrompts(lines: Interface): Prompts {
  const typed = lines[Symbol.asyncIterator](); // includes lines typed before their question appears
  const ask = async ({ text, standard, findFault }: TextQuestion): Promise<string> => {
    for (;;) {
      lines.setPrompt(`${text}${standard === '' ? '' : ` [${standard}]`}: `);
      lines.prompt();
      const { done, value: line } = await typed.next();
      if (done) return standard;
      const answer = line.trim() || standard;
      const fault = answer === standard ? undefined : findFault?.(answer);
      if (fault === undefined) return answer;
      printNote(fault);
    }
  };
  return {
    askText: ask,
    async askChoice({ text, options }) {
      for (const [i, { label, hint }] of options.entries())
        printNote(`  ${i + 1}. ${label}${hint === undefined ? '' : ` (${hint})`}`);
      const isNumber = (answer: string) =>
        options[Number(answer) - 1] === undefined ? `Type a number from 1 to ${options.length}.` : undefined;
      return options[Number(await ask({ text, standard: '1', findFault: isNumber })) - 1]!.value;
    },
  };
}

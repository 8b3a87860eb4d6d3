/** Asks questions on a terminal: with arrow keys where it has cursor control, else line by line. Writes to stderr; stdout holds reports alone. */

import { createInterface, type Interface } from 'node:readline';
import { hasCursorControl } from '../../config.ts';
import { ShingleError } from '../../errors.ts';

/** Whether somebody is there to answer. */
export function isInteractive(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

export type TextQuestion = {
  text: string;
  /** What Enter means. */
  standard: string;
  /** What the end of input means; the same as Enter unless it is given. */
  atEnd?: string;
  /** What is wrong with an answer. */
  findFault?(answer: string): string | undefined;
};

export type ChoiceQuestion<Value extends string> = {
  text: string;
  /** The first is what Enter means. */
  options: readonly { value: Value; label: string; hint?: string }[];
};

export type Prompts = {
  say(text: string): void;
  askText(question: TextQuestion): Promise<string>;
  askChoice<Value extends string>(question: ChoiceQuestion<Value>): Promise<Value>;
  close(): void;
};

const NARROWEST = 30; // columns

/** Throws `usage` from a question that is cancelled with Ctrl+C. */
export async function openPrompts(): Promise<Prompts> {
  const isWide = (process.stderr.columns ?? 0) >= NARROWEST; // some terminals say that they have no width
  return hasCursorControl() && isWide ? openArrowPrompts() : openLinePrompts();
}

async function openArrowPrompts(): Promise<Prompts> {
  const { isCancel, select, text } = await import('@clack/prompts'); // only where somebody is asked
  const output = process.stderr;
  const answered = (answer: unknown): string => {
    if (isCancel(answer)) throw new ShingleError('usage', 'canceled');
    return String(answer ?? '');
  };
  return {
    say: (line) => process.stderr.write(`${line}\n`),
    async askText({ text: message, standard, findFault }) {
      const answer = await text({
        message,
        output,
        placeholder: standard,
        defaultValue: standard,
        validate: (typed) => (typed ? findFault?.(typed.trim()) : undefined),
      });
      return answered(answer).trim();
    },
    async askChoice<Value extends string>({ text: message, options }: ChoiceQuestion<Value>) {
      const all = options.map(({ value, label, hint }) => ({
        value,
        label,
        ...(hint !== undefined && { hint }),
      }));
      return answered(await select<string>({ message, output, options: all, maxItems: 14 })) as Value;
    },
    close: () => undefined,
  };
}

/** An empty answer is the default, and so are all answers after the end of input. */
function openLinePrompts(): Prompts {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const next = openLines(lines);
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const ask = async ({ text, standard, atEnd, findFault }: TextQuestion): Promise<string> => {
    for (;;) {
      lines.setPrompt(`${text}${standard === '' ? '' : ` [${standard}]`}: `);
      lines.prompt();
      const line = await next();
      if (line === undefined) return atEnd ?? standard;
      const answer = line.trim() || standard;
      const fault = answer === standard ? undefined : findFault?.(answer);
      if (fault === undefined) return answer;
      say(fault);
    }
  };
  return {
    say,
    askText: ask,
    async askChoice({ text, options }) {
      for (const [i, { label, hint }] of options.entries())
        say(`  ${i + 1}. ${label}${hint === undefined ? '' : ` (${hint})`}`);
      const isNumber = (answer: string) =>
        options[Number(answer) - 1] === undefined ? `Type a number from 1 to ${options.length}.` : undefined;
      return options[Number(await ask({ text, standard: '1', findFault: isNumber })) - 1]!.value;
    },
    close: () => lines.close(),
  };
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

/** An operator's introduction to an edition: up to 500 characters of plain text, in which URLs become links. */

import { usageError } from '../errors.ts';

export const MOST_INTRODUCTION = 500;

/** A piece of a paragraph: its text, and where it links to. */
export type Piece = { text: string; href?: string };

/** Returns the text as it is stored, or `null` for an empty one. Throws `usage` for one that is too long or not plain text. */
export function parseIntroduction(given: string): string | null {
  const text = given.replaceAll(/\r\n?/g, '\n').trim().normalize();
  const length = [...text].length;
  if (length > MOST_INTRODUCTION)
    throw usageError(
      `an introduction has at most ${MOST_INTRODUCTION} characters, and this one has ${length}`,
    );
  const strange = /[^\P{C}\n\u200c\u200d]/u.exec(text)?.[0];
  if (strange !== undefined) {
    const code = strange.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
    throw usageError(`an introduction is plain text, and this one has the character U+${code}`);
  }
  return text === '' ? null : text;
}

/** Splits an introduction into paragraphs at empty lines, and each of them into pieces. */
export function splitIntroduction(text: string): Piece[][] {
  return text.split(/\n{2,}/).map((paragraph) => {
    const parts = paragraph.split(/(https?:\/\/[^\s<>"]*[^\s<>"'.,;:!?)\]}])/);
    return parts.flatMap((part, at) =>
      part === '' ? [] : at % 2 === 1 && URL.canParse(part) ? [{ text: part, href: part }] : [{ text: part }],
    );
  });
}

/**
 * How rows are read and judged. Raise it by one when the same row of a register, under the same profile and the same word lists,
 * would be judged otherwise: then the next import judges all rows again. Words of pages and emails have nothing to do with it.
 * `test/cities/reading-version.test.ts` compares it with the verdicts of the golden cases.
 */
export const READING_VERSION = 2;

/**
 * The version of the rules for reading rows. Raise it by one when the same row, under the same profile and word lists,
 * would get another verdict: the next import then judges all rows again. Texts of pages and emails do not affect it.
 * `test/register/cities/reading-version.test.ts` compares it with the verdicts of the golden cases.
 */
export const READING_VERSION = 15;

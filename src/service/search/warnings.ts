/** Formats warnings for programs: a code, a sentence, and the complete query that was probably meant. */

import UNUSED_WORDS from '../../data/unused-words.json' with { type: 'json' };
import { isException } from '../../shared/listing.ts';
import {
  EVERYTHING,
  formatAddress,
  formatQuestion,
  type Question,
  VALUE_FILTERS,
  type Warning,
  type WarningCode,
} from '../../shared/question.ts';
import type { Reading, ReadWord, Why } from '../../shared/reading.ts';
import type { ListingIndex } from './index/open.ts';

/** Why words were not used: the code of the warning, and the beginning of its sentence. The first reason of a question decides. */
const UNUSED = UNUSED_WORDS as Readonly<Record<Why, { code: WarningCode; says: string }>>;
const REASONS = Object.keys(UNUSED) as Why[];

/**
 * Adds how the words are read, if that is another query, and the query with a suggestion in place of each unknown value that
 * has one, if it finds something.
 */
export function completeWarnings(
  index: ListingIndex,
  question: Question,
  { found, total }: { found: readonly Warning[]; total: number },
): readonly Warning[] {
  const read = warnOfReading(index, question, total);
  if (!found.some(isCorrectable)) return [...found, ...read];
  const corrected: Question = { ...question, offset: 0 };
  for (const filter of VALUE_FILTERS)
    corrected[filter] = question[filter].map((value) => {
      const isMeant = ({ parameter, word }: Warning) => parameter === filter && word === value.trim();
      return found.find((one) => isCorrectable(one) && isMeant(one))?.didYouMean ?? value;
    });
  const isFound = index.count(corrected) > 0;
  const complete = (one: Warning) => (isFound && isCorrectable(one) ? { ...one, meant: corrected } : one);
  return [...found.map(complete), ...read];
}

function isCorrectable({ code, didYouMean }: Warning): boolean {
  return code === 'unknown-value' && didYouMean !== undefined;
}

/** Formats warnings as fields of an answer. Their links lead to `path` and repeat the `other` parameters. */
export function formatWarnings(warnings: readonly Warning[], path: string, other = '') {
  return warnings.map(({ code, parameter, detail, didYouMean, notUsed, meant }) => ({
    code,
    parameter,
    detail,
    did_you_mean: didYouMean,
    not_used: notUsed,
    href: meant && formatAddress(path, meant, other),
  }));
}

const NONE: readonly Warning[] = [];

/** Says how the words of `q` are read, if that is another query than the one that was answered. */
function warnOfReading(index: ListingIndex, question: Question, total: number): readonly Warning[] {
  if (question.q === '') return NONE;
  const reading = index.read(question);
  const { search, words, offer } = reading;
  const isSame = search === question || formatQuestion(search) === formatQuestion(question);
  const unused = words.filter(({ fate }) => fate === 'not-used').map(({ text }) => text);
  const mean = (meant: Question) => ({ didYouMean: describeSearch(question, meant), meant });
  const offered: Warning[] = offer
    ? [
        {
          code: 'misspelled',
          parameter: 'q',
          detail: `Few or no listings match "${offer.word}".`,
          ...mean(offer.search),
        },
      ]
    : [];
  if (isSame && unused.length === 0) {
    if (offered.length > 0) return offered;
    return total === 0 ? [describeNothing(question)] : warnOfSynonyms(reading);
  }
  const isFound = !isSame && index.count(search) > 0;
  return [
    {
      code: codeOf(words),
      parameter: 'q',
      detail: describeWords(reading),
      ...(unused.length > 0 && { notUsed: unused }),
      ...(isFound && mean(search)),
    },
    ...offered,
  ];
}

function describeNothing({ q }: Question): Warning {
  return {
    code: 'no-match',
    parameter: 'q',
    detail: `No listing has ${/\s/.test(q.trim()) ? 'all of these words' : `the word "${q.trim()}"`}.`,
  };
}

function warnOfSynonyms({ words }: Reading): readonly Warning[] {
  const details = words.flatMap(({ text, fate, mixed }) => [
    ...(fate === 'synonym' ? [`No listing has the word "${text}". These have other words for it.`] : []),
    ...(mixed === undefined ? [] : [describeMixed(text, mixed)]),
  ]);
  return details.length === 0 ? NONE : [{ code: 'other-words', parameter: 'q', detail: details.join(' ') }];
}

function describeMixed(text: string, mixed: string): string {
  return `"${text}" matches names only. Search for ${JSON.stringify(mixed)} in quotation marks to get all of this type.`;
}

function codeOf(words: readonly ReadWord[]): WarningCode {
  if (words.some(({ fate }) => fate === 'corrected')) return 'misspelled';
  const why = REASONS.find((reason) => words.some((word) => word.why === reason));
  return why === undefined ? 'filter-words' : UNUSED[why].code;
}

/** Describes for programs what became of words that were corrected or not used, or mean the usual order. */
function describeWords({ words, search, answer, countedFrom, isUnion, against, ages }: Reading): string {
  const quote = (text: string) => `"${text}"`;
  const sentences = words.flatMap(({ text, fate, to, why, mixed }) => {
    if (fate === 'kind' && to !== undefined)
      return [`${quote(text)} is not told apart here: this is all of ${to}.`];
    if (fate === 'place' && to !== undefined) return [`${quote(text)} is read as the neighborhood ${to}.`];
    if (fate === 'excluded') return [`Only names and kinds that say ${quote(text)} are left out.`];
    const ofMixed = mixed === undefined ? [] : [describeMixed(to ?? text, mixed)];
    if (fate === 'corrected') return [`Few or no listings match ${quote(text)}.`, ...ofMixed];
    if (fate === 'newest') return [`${quote(text)} means newest first, which is the order of all listings.`];
    return why === undefined ? ofMixed : [`${UNUSED[why].says} ${quote(text)}.`];
  });
  const days = words.filter(({ fate }) => fate === 'days').map(({ text }) => text);
  const counted =
    countedFrom === undefined || days.length === 0
      ? []
      : [`${quote(days.join(' '))} is counted back from the end of the data, ${countedFrom}.`];
  const kind = ages
    ? ['The words ask which is older: the earliest filing_date of each name tells.']
    : isUnion && against
      ? [`The words mean two searches: this one, and ${describeSearch(EVERYTHING, against)}.`]
      : answer === 'compare' || answer === 'rank'
        ? ['The words ask for a comparison, which the page at / and by of /api/stats answer.']
        : [];
  const isClosed = days.length > 0 && search.status.some(isException);
  const closed = isClosed ? ['The days are those of filings: no listing says when it closed.'] : [];
  const all = [...sentences, ...counted, ...closed, ...kind];
  return all.length > 0 ? all.join(' ') : 'Words of q mean filters.';
}

/** Writes a search as another spelling of its words or, with filters, as a query. */
function describeSearch(asked: Question, search: Question): string {
  const isWords = formatQuestion({ ...asked, q: '' }) === formatQuestion({ ...search, q: '' });
  return isWords && search.q !== '' ? search.q : decodeURIComponent(formatQuestion(search)) || 'All listings';
}

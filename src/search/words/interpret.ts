/** Decides what a page shows for a query: its filters instead of its words, or the answer to a question. */

import type { Interpretation, WordNotes } from '../listing-index.ts';
import { asksAnything, type Question } from '../parameters.ts';
import type { Understood } from './understand.ts';

type InterpretationSources = {
  understand(question: Question): Understood | undefined;
  countMatches(question: Question): number;
};

/**
 * Minimum share of the listings with the words that the filters must find. Unless several words are filters, the words
 * must also find this share of what the filters find. Names of values, such as `downtown`, always are filters.
 */
const NEARLY_ALL = 0.95;

/** Returns the probable meaning of a query that finds `total`, or `undefined` to search for its words. */
export function interpret(
  sources: InterpretationSources,
  question: Question,
  total: number,
): Interpretation | undefined {
  if (question.q === '') return undefined;
  const understood = sources.understand(question);
  if (understood?.compared !== undefined)
    return { meant: understood.question, notes: understood.notes, asked: understood.compared };
  const named = findAskedBusiness(sources, question);
  if (named !== undefined) return { meant: named, asked: 'status' };
  if (!understood?.isWhole || !isFiltered(question, understood)) return undefined;
  for (const reading of listReadings(question, understood)) {
    const count = sources.countMatches(reading.meant);
    const isClose = count >= total * NEARLY_ALL && (understood.isSure || total >= count * NEARLY_ALL);
    if (count > 0 && (understood.isNamed || isClose)) return reading;
  }
  return undefined;
}

/**
 * Returns whether the words became filters, rather than fewer words. They never add a neighborhood to a chosen one: links
 * to a business have its neighborhood and its name, which may name another one.
 */
function isFiltered(asked: Question, { question }: Understood): boolean {
  const chosen = asked.neighborhood.length;
  if (chosen > 0 && question.neighborhood.length > chosen) return false;
  return asksAnything({ ...question, q: '', offset: 0 }) && question.q !== asked.q;
}

/** Lists what understood words mean: with their dates and, because people often guess dates wrong, without them. */
export function listReadings(
  { filed_from, filed_to }: Question,
  { question, notes }: Understood,
): { meant: Question; notes: WordNotes }[] {
  const dated = { meant: question, notes: { ...notes, dates: '' } };
  return notes.dates === '' ? [dated] : [dated, { meant: { ...question, filed_from, filed_to }, notes }];
}

const ASKS = /^(?:is|are|has|have|did|est-ce que)\s/i;
const TIMES = ['now', 'yet', 'today'];
const STATUSES =
  'open|closed|closed down|shut|active|in business|out of business|ouvert|ouverte|fermé|fermée'.split('|');
const BEFORE = 'still|now|already|permanently|is|has|have|toujours|encore|déjà|est|est-il|est-elle'.split(
  '|',
);

/** Finds the business of a question such as `is Joe's Diner still open?`. Kinds and places are filters, not businesses. */
function findAskedBusiness(
  { understand, countMatches }: InterpretationSources,
  asked: Question,
): Question | undefined {
  const text = asked.q.replaceAll('?', ' ').trim();
  if (text === asked.q.trim() && !ASKS.test(text)) return undefined;
  const timed = cutEnd(text, TIMES);
  const named = cutEnd(timed, STATUSES);
  if (named === timed) return undefined;
  const q = cutEnd(cutEnd(named, BEFORE), BEFORE).replace(ASKS, '').trim();
  const meant = { ...asked, q, offset: 0 };
  const isName = q !== '' && !understand(meant)?.isWhole;
  return isName && countMatches(meant) > 0 ? meant : undefined;
}

/** Cuts the longest of these phrases that ends a text, and the space before it. */
function cutEnd(text: string, phrases: readonly string[]): string {
  const folded = ` ${text.toLowerCase()}`;
  const ends = phrases.filter((phrase) => folded.endsWith(` ${phrase}`)).map(({ length }) => length);
  return ends.length === 0 ? text : text.slice(0, -Math.max(...ends)).trim();
}

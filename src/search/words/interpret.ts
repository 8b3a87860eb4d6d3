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

const ASKS = /^(?:is|are|has|have|did|est-ce que)\s+/i;
const STATUS =
  /[\s-]+(?:is |has |have |est |t-il |il |elle )?(?:still |now |already |permanently |toujours |encore |déjà )*(?:open|closed|shut|active|in business|out of business|closed down|ouverte?|fermée?)(?: now| yet| today)?\s*(\?)?$/i;

/** Finds the business of a question such as `is Joe's Diner still open?`. Kinds and places are filters, not businesses. */
function findAskedBusiness(
  { understand, countMatches }: InterpretationSources,
  asked: Question,
): Question | undefined {
  const [end, mark] = STATUS.exec(asked.q) ?? [];
  if (end === undefined || (mark === undefined && !ASKS.test(asked.q))) return undefined;
  const q = asked.q.slice(0, -end.length).replace(ASKS, '').trim();
  const meant = { ...asked, q, offset: 0 };
  const isName = q !== '' && !understand(meant)?.isWhole;
  return isName && countMatches(meant) > 0 ? meant : undefined;
}

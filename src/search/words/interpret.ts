/** Decides how a page interprets a query: as words to search for, as filters, or as a question to answer. */

import type { Interpretation, WordNotes } from '../listing-index.ts';
import { asksAnything, type Question } from '../parameters.ts';
import type { Understood } from './understand.ts';

type InterpretationSources = {
  understand(question: Question): Understood | undefined;
  countMatches(question: Question): number;
};

/**
 * Words become filters if the filters find this share of the listings with the words. Unless the meaning
 * is sure (`isSure`), the reverse must also hold. Names of values, such as `downtown`, always become filters.
 */
const NEARLY_ALL = 0.95;

/** Returns the probable meaning of a query that finds `total` listings, or `undefined` to search for its words. */
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
 * Returns whether words became filters. Rejects a second neighborhood: links to a business have its neighborhood and
 * its name, and the name may contain another neighborhood.
 */
function isFiltered(asked: Question, { question }: Understood): boolean {
  const chosen = asked.neighborhood.length;
  if (chosen > 0 && question.neighborhood.length > chosen) return false;
  return asksAnything({ ...question, q: '', offset: 0 }) && question.q !== asked.q;
}

/** Lists the meanings of a query: with its dates and, because people often guess dates wrong, without them. */
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

/** Finds the business in a question such as `is Joe's Diner still open?`. Categories and places are not businesses. */
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

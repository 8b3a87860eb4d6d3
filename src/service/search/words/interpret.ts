/** Decides how a page interprets a query: as words to search for, as filters, or as a question to answer. */

import { asksAnything, type Question, SEARCHED_FILTERS, type WordNotes } from '../../../shared/question.ts';
import type { Interpretation } from '../listing-index.ts';
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

const NO_NOTES: WordNotes = { newest: '', dates: '', unused: '', near: '' };

/** Returns the probable meaning of a query that finds `total` listings, or `undefined` to search for its words. */
export function interpret(
  { understand, countMatches }: InterpretationSources,
  asked: Question,
  total: number,
): Interpretation | undefined {
  const understood = asked.q === '' ? undefined : understand(asked);
  if (understood === undefined) return undefined;
  const { question, nameWithStatus, placeOfBusiness, compared, notes, isNamed, isSure } = understood;
  if (understood.isAboutAll) return { meant: question, notes };
  if (understood.isAboutHomes) return { meant: question, notes, asked: 'home' };
  if (compared !== undefined) return { meant: question, notes, asked: compared };
  const { status, filed_from, filed_to } = asked;
  // a name before a status is also a question if nothing is found otherwise
  const isFound = total > 0 || countMatches(question) > 0;
  const business = understood.business || (isFound ? '' : nameWithStatus);
  const withoutStatus = { ...question, status, filed_from, filed_to };
  const named = [{ ...asked, q: business, offset: 0 }, withoutStatus].find(
    (meant) => business !== '' && countMatches(meant) > 0,
  );
  if (named !== undefined) return { meant: named, asked: 'status' };
  // listings have no addresses
  const elsewhere = {
    ...withoutStatus,
    q: business.slice(0, business.length - placeOfBusiness.length).trim(),
  };
  if (business !== '' && placeOfBusiness !== '' && countMatches(elsewhere) > 0)
    return { meant: elsewhere, notes: { ...NO_NOTES, unused: placeOfBusiness }, asked: 'status' };
  // the status without the name would be an answer about other businesses
  if (understood.business !== '') {
    const isPlaced = SEARCHED_FILTERS.some((filter) => question[filter].length > asked[filter].length);
    return { meant: isPlaced ? withoutStatus : { ...withoutStatus, q: business }, asked: 'status' };
  }
  if (!isFiltered(asked, understood)) return undefined;
  const readings = listReadings(asked, understood);
  const found = readings.find(({ meant }) => {
    const count = countMatches(meant);
    const isClose = count >= total * NEARLY_ALL && (isSure || total >= count * NEARLY_ALL);
    return count > 0 && (isNamed || isClose);
  });
  // filters that find nothing explain more than words that find nothing
  return found ?? (isSure && total === 0 ? readings[0] : undefined);
}

/**
 * Returns whether all words are understood, and some became filters. Rejects a second neighborhood: links to a business
 * have its neighborhood and its name, and the name may contain another neighborhood.
 */
function isFiltered(asked: Question, { question, isWhole }: Understood): boolean {
  const chosen = asked.neighborhood.length;
  if (!isWhole || (chosen > 0 && question.neighborhood.length > chosen)) return false;
  return asksAnything({ ...question, q: '' }) && question.q !== asked.q;
}

/** Lists the meanings of a query: with its dates and, because people often guess dates wrong, without them. */
export function listReadings(
  { filed_from, filed_to }: Question,
  { question, notes }: Understood,
): { meant: Question; notes: WordNotes }[] {
  const { counted, ...others } = notes;
  const dated = { meant: question, notes: { ...notes, dates: '' } };
  return notes.dates === ''
    ? [dated]
    : [dated, { meant: { ...question, filed_from, filed_to }, notes: others }];
}

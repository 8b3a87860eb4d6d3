/** Reads questions about businesses that they name: whether one is open, and which of two is older. */

import type { Question } from '../../../shared/question.ts';
import type { Reading, ReadWord, Why } from '../../../shared/reading.ts';
import { findAddresses } from './addresses.ts';
import { compose } from './composing/compose.ts';
import { listItems } from './composing/items.ts';
import {
  COMPARING,
  hasRole,
  isClosing,
  isRole,
  isWhether,
  isWord,
  join,
  joinUnused,
  type Step,
  type Steps,
  type Term,
  textOf,
  wordsOf,
} from './draft.ts';
import { hasContent } from './language.ts';
import type { ReadingSources } from './sources.ts';

/** Of businesses with more branches, it cannot be told which one is older. */
const MOST_BRANCHES = 2;

/** Reads which of two businesses is older: `is Blaze Pizza older than Joe's Diner`, `did the Anchor open before Joe's`. */
export function readAges(sources: ReadingSources, steps: Steps, asked: Question): Reading | undefined {
  const { countMatches, findName } = sources;
  const isAsked = steps[0]!.meaning.role === 'ask';
  const isEdge = ({ meaning: { role } }: Step) => role === 'unread';
  // `did the Anchor close before Joe's` is no question of age, and no filing tells it
  const isTold = (step: Step) => isRole(step, 'ask', 'filler', 'unread', 'name', 'trade', 'value');
  const isOpening = isAsked && steps.some(isEdge) && steps.every(isTold);
  if (!hasRole(steps, 'elder') && !isOpening) return undefined;
  const closings = isOpening ? steps.filter(({ meaning }) => meaning.filter === 'status') : [];
  const told = steps.filter((step) => !closings.includes(step));
  const names = listItems(told, asked).map((item) => item.steps);
  const isNamed = (some: Steps) => {
    const count = countMatches({ ...asked, q: textOf(some) });
    const isFew = count <= MOST_BRANCHES || (closings.length > 0 && findName(wordsOf(some)) === 'whole');
    return some.every((step) => isRole(step, 'name', 'trade', 'value')) && count > 0 && isFew;
  };
  if (names.length !== 2 || !names.every(isNamed)) return undefined;
  const q = names.map((some) => textOf(some, '-')).join(' OR ');
  const isUntold = closings.length > 0;
  const words = steps.map((step): ReadWord => {
    const isOfClosing = isUntold && (isEdge(step) || closings.includes(step));
    const text = textOf([step]);
    return isOfClosing ? { text, fate: 'not-used', why: 'closings' } : { text, fate: 'left-out' };
  });
  const how = isUntold ? { answer: 'list' as const } : { answer: 'status' as const, isAge: true };
  return { search: { ...asked, q }, ...how, words: joinUnused(words, steps) };
}

/** Reads a question about the status of a business: `is Joe's Diner on Main Street still open`. */
export function readBusiness(sources: ReadingSources, steps: Steps, asked: Question): Reading | undefined {
  const { countMatches } = sources;
  const isNaming = ({ meaning: { role, filter } }: Step) =>
    isWord(role) || (role === 'value' && filter !== 'status');
  // `did lone wolf move to pine`: where to is no part of its name
  const moved = steps.findIndex(({ meaning }) => meaning.role === 'unused' && meaning.extent === 'question');
  const asking = steps.slice(0, moved < 0 ? steps.length : moved);
  const [from, to] = [asking.findIndex(isNaming), asking.findLastIndex(isNaming)];
  const named = steps.slice(from, to + 1);
  // `did anything open on Pine Street`
  const said = steps.slice(0, Math.max(from, 0)).findLast((step) => !isRole(step, 'filler'));
  const isPlaced = isRole(said, 'in', 'at', 'close');
  const role = steps[0]!.meaning.role;
  const isIdleOrDays = (step: Step) => isRole(step, 'filler', 'in', 'at', 'days');
  const isOf = ({ meaning }: Step) => meaning.filter === 'status' || meaning.extent === 'question';
  // `when did X open`, `is X new`: the day is part of the answer
  const isOfDay = ({ meaning }: Step) => meaning.extent === 'verb' || meaning.role === 'newest';
  // `is X open today`, `was X open in 1960`: its status, of which no filing has the days
  const behind = steps.slice(to + 1);
  const isTimed = !steps[0]!.meaning.isVerb && behind.some(isOfDay) && behind.every(isIdleOrDays);
  const isDay = role === 'ask' && isOfDay(steps.at(-1)!) && !hasRole(steps, ...COMPARING);
  const isAbout = role === 'about' || isDay || (role === 'ask' && isTimed) || behind.some(isOf);
  if (from < 0 || isPlaced || !isAbout || !hasRole(named, 'name', 'street')) return undefined;
  const isAsked = role === 'ask' || role === 'about' || asked.q.includes('?');
  const placed = findAddresses(sources, named, asked);
  const rest = { ...join(compose(sources, named, asked, placed)), status: asked.status };
  // `is SLO Brew open`: the town may be part of the name
  const isTown = (step: Step | undefined) => step?.meaning.extent === 'town';
  const whole = steps.slice(from - Number(isTown(steps[from - 1])), to + 1 + Number(isTown(steps[to + 1])));
  const ways = [...[whole, named].map((some) => ({ ...asked, q: textOf(some), offset: 0 })), rest];
  const found = ways.find((search) => countMatches(search) > 0);
  const isOther = () => countMatches(join(compose(sources, steps, asked))) > 0;
  if (isDay ? found === undefined : !isAsked && (found === undefined || isOther())) return undefined;
  const hasPlace = rest.neighborhood.length > asked.neighborhood.length;
  const search = found ?? (hasPlace ? rest : ways[0]!);
  const whyOf = (step: Step): Why | undefined => {
    const { role: one, extent } = step.meaning;
    if (moved >= 0 && steps.indexOf(step) > moved && isNaming(step)) return 'address';
    if (one === 'unused' || extent === 'hours') return 'filings';
    if (one === 'days' && !named.includes(step)) return 'closings';
    return search === rest ? placed.get(step) : undefined;
  };
  const words = steps.map((step): ReadWord => {
    const [text, why] = [textOf([step]), whyOf(step)];
    if (why) return { text, fate: 'not-used', why };
    const fate = step.meaning.filter === 'status' ? 'status' : 'left-out';
    const isNamed = isNaming(step) || (search === ways[0] && whole.includes(step));
    return { text, fate: isNamed ? 'name' : fate };
  });
  const claimed = isDay || isTimed ? undefined : behind.find(({ meaning }) => meaning.filter === 'status');
  const claim = claimed && isWhether(asked.q) ? (isClosing(claimed) ? 'closed' : 'open') : undefined;
  return { search, answer: 'status', ...(claim && { claim }), words: joinUnused(words, steps) };
}

/** Finds the business that a question begins with and that it names: what is behind it may be its street, as in `tim hortons davie`. */
export function findHead({ findName, isOrdinary }: ReadingSources, terms: readonly Term[]): readonly Term[] {
  const ends = [...terms.keys()].slice(1).reverse();
  const end = ends.find((to) => {
    const words = wordsOf(terms.slice(0, to).flatMap((term) => term.steps));
    const found = findName(words);
    const isSure = found === 'whole' || (found === 'beginning' && !words.every(isOrdinary));
    return isSure && words.some((word) => word.length > 2) && hasContent(words.join(' '));
  });
  return terms.slice(0, end ?? 0);
}

/** Returns whether a word tells more than a trade beside it, because it is a whole name: `boeing` of `boeing plant`. */
export function isSurelyNamed({ countWord, findName, isOrdinary }: ReadingSources, word: string): boolean {
  return countWord(word) > 0 && !isOrdinary(word) && findName([word]) === 'whole';
}

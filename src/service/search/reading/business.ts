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
  isKnownWord,
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

/** Reads which of two businesses is older: `is Blaze Pizza older than Joe's Diner`, `did the Anchor open before Joe's`. */
export function readAges(sources: ReadingSources, steps: Steps, asked: Question): Reading | undefined {
  const { countMatches, findName } = sources;
  const isAsked = steps[0]!.meaning.role === 'ask';
  const isEdge = ({ meaning: { role } }: Step) => role === 'unread';
  // `did the Anchor close before Joe's` is no question of age, and no filing tells it
  const isTold = (step: Step) => isRole(step, 'ask', 'filler', 'unread', 'name', 'trade', 'value');
  const isOpening = isAsked && steps.some(isEdge) && steps.every(isTold);
  // `which is oldest, the Anchor or Joe's`
  const isAlone = (next: Step | undefined) => next === undefined || /[,:]/.test(next.tokens[0]!.gap);
  const isOrder = (step: Step, i: number) => isRole(step, 'oldest', 'newest') && isAlone(steps[i + 1]);
  const isOfTwo = hasRole(steps, 'elder') || (hasRole(steps, 'or') && steps.some(isOrder));
  if (!isOfTwo && !isOpening) return undefined;
  const closings = isOpening ? steps.filter(({ meaning }) => meaning.filter === 'status') : [];
  const told = steps.filter((step) => !closings.includes(step));
  const names = listItems(told, asked).map((item) => item.steps);
  const isFound = (some: Steps) => countMatches({ ...asked, q: textOf(some) }) > 0;
  const isNamed = (some: Steps) => {
    const isOfNames = some.every((step) => isRole(step, 'name', 'trade', 'value'));
    return isOfNames && (!some.every(isKnownWord) || findName(wordsOf(some)) === 'whole');
  };
  const found = names.filter(isFound);
  // `did the Anchor open before noon`
  const isKnown = found.length > Number(isOpening);
  if (names.length !== 2 || !isKnown || !names.every(isNamed)) return undefined;
  const q = found.map((some) => textOf(some, found.length > 1 ? '-' : ' ')).join(' OR ');
  const isUntold = closings.length > 0;
  const words = steps.map((step): ReadWord => {
    const isOfClosing = isUntold && (isEdge(step) || closings.includes(step));
    const text = textOf([step]);
    return isOfClosing ? { text, fate: 'not-used', why: 'closings' } : { text, fate: 'left-out' };
  });
  const search = { ...asked, q };
  if (isUntold) return { search, answer: 'list', words: joinUnused(words, steps) };
  const [one, other] = names.map((some) => ({ ...asked, q: textOf(some) }));
  const claim = steps.some(({ meaning }) => meaning.extent === 'newer') ? 'newer' : 'older';
  const isClaimed = isWhether(asked.q) && !hasRole(steps, 'or') && ({ claim } as const);
  return { search, answer: 'status', ages: [one!, other!], isOldest: true, ...isClaimed, words };
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
  const isOf = ({ meaning: { filter, extent } }: Step) =>
    filter === 'status' || extent === 'question' || extent === 'open';
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
    const { role: one } = step.meaning;
    if (moved >= 0 && steps.indexOf(step) > moved && isNaming(step)) return 'address';
    if (one === 'unused') return 'filings';
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

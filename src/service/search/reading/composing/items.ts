/** Groups the steps of a question into conditions, and turns these into filters and words. */

import { type Days, pickEarlier, pickLater } from '../../../../shared/periods.ts';
import { isExcluded, type Question, type ValueFilter } from '../../../../shared/question.ts';
import {
  addValues,
  dimensionOf,
  dropSteps,
  type Fates,
  type Item,
  type Items,
  isRole,
  isWord,
  type Resolved,
  type Role,
  type Step,
  type Steps,
  setFates,
  stepsOf,
  textOf,
} from '../draft.ts';

const CONTENT = new Set<Role>(['name', 'trade', 'value', 'days', 'street', 'road']);

/** Returns whether the words of a step are looked for: those of names and kinds, and of a place beside one that is chosen. */
function isSearched({ meaning: { role, filter, extent } }: Step, asked: Question): boolean {
  if (filter === 'neighborhood') return asked.neighborhood.length > 0;
  return isWord(role) || (filter === 'category' && extent === undefined);
}

/** Groups steps into conditions. Words side by side are one, and a negation counts until something is not joined to it. */
export function listItems(steps: Steps, asked: Question): Item[] {
  const items: Item[] = [];
  let isNot = false;
  let negated = 0;
  let joint: Item['join'] = 'none';
  let isSide = false;
  let isOfNext = false;
  for (const step of steps) {
    const { role } = step.meaning;
    const { gap, isExcluded: isMinus } = step.tokens[0]!;
    if (role === 'not') {
      [isNot, negated, isSide] = [true, items.length, false];
      isOfNext = step.meaning.extent === 'next';
    } else if (role === 'or' || role === 'and')
      joint = role === 'and' ? (joint === 'none' ? 'and' : joint) : 'or';
    else if (CONTENT.has(role)) {
      if (/[/|]/.test(gap)) joint = 'or';
      else if (/[,;]/.test(gap) && joint === 'none') joint = 'and';
      const last = items.at(-1);
      // `except the loop, restaurants`
      const isOther = last && dimensionOf(last) !== dimensionOf({ steps: [step], isNot, join: joint });
      if (isOther && isNot && items.length > negated && /[,;]/.test(gap)) [isNot, joint] = [false, 'none'];
      // `not fast food`, and not `no pizza restaurants`
      const isOfName = isRole(last?.steps.at(-1), 'name') && step.meaning.filter === 'category';
      const isPart = isSide && (isWord(role) || isOfName);
      if (joint === 'none' && isNot && items.length > negated && !isMinus && !isPart) isNot = false;
      const isSame = last !== undefined && last.isNot === (isNot || isMinus) && joint === 'none' && !isMinus;
      // `boat repair or boat cleaning`
      const isOfSide = isOfName && (last!.isNot || last!.join !== 'none');
      if (isSide && isSame && (isSearched(step, asked) || isOfSide)) last.steps.push(step);
      else items.push({ steps: [step], isNot: isNot || isMinus, join: items.length === 0 ? 'none' : joint });
      isSide = isSearched(step, asked) && !(isNot && isOfNext);
      joint = 'none';
    } else if (
      role === 'unused' ||
      (/^(?:only|place)$/.test(step.meaning.extent ?? '') && items.length > negated)
    )
      [isNot, isSide] = [false, false]; // `no license in naples`: the place is meant
    else if (role !== 'filler') isSide = false;
  }
  return items;
}

type FindKind = (step: Step, isAlone: boolean) => readonly string[] | undefined;

/** Turns conditions into filters and terms. What is joined becomes alternatives. */
export function resolve(items: Items, asked: Question, findKind: FindKind, fates: Fates): Resolved {
  const chains: Item[][] = [];
  for (const item of items) {
    const last = chains.at(-1);
    if (last && item.join !== 'none' && item.isNot === last[0]!.isNot) last.push(item);
    else chains.push([item]);
  }
  const none: Resolved = { base: { ...asked, q: '', offset: 0 }, terms: [], excluded: [], fates };
  return chains.reduce((found, chain) => {
    if (!chain[0]!.isNot) return addChain(found, chain, asked, findKind);
    return chain.reduce((all, item) => excludeItem(all, item, chain.length > 1, findKind), found);
  }, none);
}

function kindOf(
  { steps: [only, other] }: Item,
  findKind: FindKind,
  isAlone = false,
): readonly string[] | undefined {
  const { filter, values } = only!.meaning;
  if (other || (filter && (isAlone || filter !== 'category'))) return undefined;
  return filter ? values : findKind(only!, isAlone);
}

function excludeItem(found: Resolved, item: Item, isJoined: boolean, findKind: FindKind): Resolved {
  const { filter, values = [], others = [], role } = item.steps[0]!.meaning;
  // days without some are several searches
  if (role === 'days') return { ...found, fates: dropSteps(found.fates, item.steps, 'unread') };
  const fates = filter ? found.fates : setFates(found.fates, item.steps, { fate: 'excluded' });
  const without = (name: ValueFilter, some: readonly string[]) => {
    const { base } = found;
    const left = base[name].filter((value) => !some.includes(value));
    // `food businesses that are not restaurants`: the others
    const isPart = left.length < base[name].length && left.some((value) => !isExcluded(value));
    const signed = some.map((value) => `-${value}`);
    return { ...found, fates, base: isPart ? { ...base, [name]: left } : addValues(base, name, signed) };
  };
  const kinds = kindOf(item, findKind);
  if (kinds !== undefined && (filter === 'category' || isJoined)) return without('category', kinds);
  if (others.length > 0) return { ...found, fates, base: addValues(found.base, 'status', others) };
  if (filter !== undefined && filter !== 'category') return without(filter, values);
  const term = { text: `-${textOf(item.steps, '-')}`, steps: item.steps };
  return { ...found, fates, excluded: [...found.excluded, term] };
}

function addChain(found: Resolved, chain: Items, asked: Question, findKind: FindKind): Resolved {
  // what a chain joins that is no kind, as in `pizza or burgers, downtown`, is a condition of its own
  const some = chain.filter((item) => dimensionOf(item) === 'kind');
  const kinds = some.map((item) => kindOf(item, findKind, some.length === 1));
  const isKnown = ({ steps }: Item, i: number) =>
    kinds[i] !== undefined || steps.every((step) => isRole(step, 'trade'));
  const isOr = chain.some((item) => item.join === 'or');
  const isKinds = some.length > 0 && kinds.every((kind) => kind !== undefined);
  const isJoined = isKinds || (some.length > 1 && (isOr || some.every(isKnown)));
  const rest = isJoined ? chain.filter((item) => !some.includes(item)) : chain;
  const joined = isKinds
    ? {
        ...found,
        base: addValues(found.base, 'category', kinds.flat() as string[]),
        fates: setFates(found.fates, stepsOf(some), { fate: 'kind' }),
      }
    : isJoined
      ? { ...found, terms: [...found.terms, joinTerm(some)] }
      : found;
  const isSeveral = isOr || chain.length > 1;
  return rest.reduce((all, item) => addItem(all, item, asked, isSeveral), joined);
}

function addItem(found: Resolved, { steps }: Item, asked: Question, isSeveral: boolean): Resolved {
  const { filter, values = [], days } = steps[0]!.meaning;
  const { base, terms } = found;
  if (days !== undefined) return { ...found, base: { ...base, ...mergeDays(base, days, isSeveral) } };
  if (filter !== undefined && !isSearched(steps[0]!, asked))
    return { ...found, base: addValues(base, filter, values) };
  return { ...found, terms: [...terms, ...steps.map((step) => ({ text: textOf([step]), steps: [step] }))] };
}

function joinTerm(some: Items) {
  return {
    text: some.map(({ steps }) => textOf(steps, '-')).join(' OR '),
    steps: stepsOf(some),
    alternatives: some.map(({ steps }) => steps),
  };
}

/** Adds days to those of the search: both edges, or periods that are joined. Others replace those given before. */
function mergeDays(before: Days, days: Days, isJoined: boolean): Partial<Days> {
  const { filed_from, filed_to } = days;
  if (filed_from === '') return { filed_to };
  if (filed_to === '') return { filed_from };
  if (!isJoined || before.filed_from === '' || before.filed_to === '') return days;
  return {
    filed_from: pickEarlier(filed_from, before.filed_from),
    filed_to: pickLater(filed_to, before.filed_to),
  };
}

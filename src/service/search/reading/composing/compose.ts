/** Composes the search that the steps of a question state, and the kind of its answer. */

import { EVERYTHING, type Question, type ValueFilter } from '../../../../shared/question.ts';
import type { Why } from '../../../../shared/reading.ts';
import {
  COMPARED,
  type Draft,
  dropSteps,
  type Fate,
  hasRole,
  isKnownWord,
  isOpening,
  isRole,
  isWord,
  join,
  leaveUnused,
  type Parts,
  type Role,
  type Searched,
  type Sided,
  type Stated,
  type Step,
  type Steps,
  stepsOf,
  textOf,
  wordsOf,
} from '../draft.ts';
import type { ReadingSources } from '../sources.ts';
import { chooseAnswer } from './answers.ts';
import { setPeriods } from './compared-days.ts';
import { listItems, resolve } from './items.ts';
import { takeRow } from './rows.ts';
import { dropExcludedPair, findSides, leaveOut, splitExcludedDays } from './sides.ts';

/** The word of a kind keeps to the kinds like it if all listings with it are this many times as many. */
const OWN = 1.25;

const WHY: Partial<Record<Role, Why>> = {
  home: 'home',
  near: 'near',
  unread: 'unread',
  unused: 'filings',
  area: 'place',
  beyond: 'town',
  spare: 'together',
};

/** Reasons that say more than the role of words. */
const WHY_OF: Partial<Record<string, Why>> = {
  ...{ names: 'names', street: 'address', rank: 'rank', statuses: 'statuses' },
};

/** `unused`: why some steps are not used. */
export function compose(
  sources: ReadingSources,
  steps: Steps,
  asked: Question,
  unused: ReadonlyMap<Step, Why> = new Map(),
): Draft {
  const stated = stateConditions(leaveUnused(steps, unused), asked, sources);
  const searched = resolveSides(findSides(takeRow(stated, sources)), sources);
  return chooseAnswer(setPeriods(searched, sources), sources);
}

/** States the conditions of a question, one by one. */
function stateConditions(steps: Steps, asked: Question, sources: ReadingSources): Stated {
  const used = steps.filter(({ why }) => why === undefined);
  const all = new Map(steps.map((step) => [step, fateOf(step)]));
  const fates = dropSteps(all, findLastNot(steps), 'unread');
  const stated = { asked, steps, used, fates, items: listItems(used, asked) };
  return splitExcludedDays(dropExcludedPair(splitStyles(stated, sources)));
}

/** Finds a negation at the end that excludes nothing: `bars not registered`. */
function findLastNot(steps: Steps): Steps {
  const [not, ...behind] = steps.slice(steps.findLastIndex((step) => isRole(step, 'not')));
  const isIdle = behind.some(isOpening) && behind.every((step) => isRole(step, 'filler'));
  return isIdle && isRole(not, 'not') ? [not!, ...behind] : [];
}

const FATES = { category: 'kind', neighborhood: 'place', status: 'status' } as const satisfies Record<
  ValueFilter,
  string
>;

function fateOf(step: Step): Fate {
  const { role, filter, extent, values, isWhy } = step.meaning;
  const why = step.why ?? (isWhy ? 'filings' : (WHY_OF[extent ?? ''] ?? WHY[role]));
  if (why !== undefined) return { fate: 'not-used', why };
  const isNumber = /^\d+$/.test(step.tokens[0]!.word); // a ZIP code
  if (/^(?:beginning|called)$/.test(extent ?? '') && values && !isNumber)
    return { fate: 'place', to: values.join(' / ') };
  if (extent === 'like' && values) return { fate: 'kind', to: values.join() };
  if (filter !== undefined) return { fate: FATES[filter] };
  if (role === 'days' || role === 'oldest') return { fate: 'days' };
  if (role === 'newest') return { fate: 'newest' };
  return { fate: isWord(role) ? 'name' : 'left-out' };
}

/**
 * Takes the words before the first of several trades, or in a clause behind the last one, as a condition on all: `vegan bakery or donut shop`,
 * `used book or record stores`, `caterers or food trucks that do tacos`.
 */
function splitStyles(draft: Stated, { isOrdinary }: ReadingSources): Stated {
  const isStyle = (step: Step) => step.meaning.extent === 'style' || wordsOf([step]).every(isOrdinary);
  const before = (step: Step) => draft.used[draft.used.indexOf(step) - 1];
  const items = draft.items.flatMap((item, i) => {
    const at = item.steps.findIndex((step) => isKnownWord(step) && step.meaning.extent !== 'style');
    const [style, trade] = [item.steps.slice(0, Math.max(at, 0)), item.steps.slice(at)];
    const isFirst = item.join === 'none' && draft.items[i + 1]?.join === 'or';
    const clause = item.steps.findIndex((step, n) => n > 0 && isRole(before(step), 'filler'));
    const isLast = item.join === 'or' && draft.items[i + 1]?.join !== 'or' && clause > 0;
    if (isLast && !item.isNot && item.steps.slice(0, clause).every(isKnownWord))
      return [
        { ...item, steps: item.steps.slice(0, clause) },
        { ...item, steps: item.steps.slice(clause), join: 'none' as const },
      ];
    if (!isFirst || item.isNot || !style.some(isStyle) || !trade.every(isKnownWord)) return [item];
    return [
      { ...item, steps: style },
      { ...item, steps: trade },
    ];
  });
  return { ...draft, items };
}

/** Resolves the conditions of both sides, each with what both have. */
function resolveSides(draft: Sided, sources: ReadingSources): Searched {
  const { sides, items, asked, fates, steps } = draft;
  const { main = [], against: rival = [], rest = [] } = sides ?? {};
  // `food trucks vs caterers`: both are of one kind, which tells neither
  const isOfBoth = (kind: string) =>
    [main, rival].every((side) => stepsOf(side).some(({ meaning }) => meaning.values?.includes(kind)));
  const mixed = new Map<Step, Fate>();
  const findKind = (step: Step, isAlone: boolean) => {
    const kinds = isAlone && !isKind(step, sources) ? undefined : sources.meanings.findKind(step);
    const shared = kinds?.find(isOfBoth);
    if (shared === undefined) return kinds;
    mixed.set(step, { fate: 'name', mixed: shared });
    return undefined;
  };
  const other = sides && resolve(leaveOut(items, [...main, ...rest]), asked, findKind, fates);
  const own = leaveOut(items, [...rival, ...rest]);
  const one = resolve(own, asked, findKind, other?.fates ?? fates);
  const isUnion = !hasRole(steps, ...COMPARED, 'fewest');
  const kept = keepKinds(one, sources);
  if (other === undefined) return { ...draft, ...one, ...kept };
  const { fates: _, ...parts } = other; // those of both sides are in `one`
  const against = keepKinds(parts, sources);
  return { ...draft, ...one, ...kept, fates: new Map([...one.fates, ...mixed]), against, isUnion };
}

/** Returns whether a trade alone is read as its kind: if it has no names of its own and most listings with it are of the kind (`bars`), or none has it. */
function isKind(step: Step, { countMatches, meanings }: ReadingSources): boolean {
  if (!isRole(step, 'trade')) return false;
  const named = { ...EVERYTHING, q: textOf([step]) };
  const all = countMatches(named);
  if (all === 0 || step.meaning.values) return all === 0;
  return 2 * countMatches({ ...named, category: meanings.findKind(step) ?? [] }) > all;
}

/** Keeps the word of a kind to the kinds like it if the names of many others have it: `bars`, and not nail bars. */
function keepKinds(parts: Parts, { countMatches, meanings }: ReadingSources): Parts {
  const { base, terms } = parts;
  const [step, other] = terms.flatMap((term) => term.steps);
  const isOfKind = isRole(step, 'trade') && step!.meaning.values === undefined;
  if (other || !isOfKind || base.category.length > 0) return parts;
  const own = { ...base, category: meanings.listLike(step!) };
  const kept = countMatches(join({ ...parts, base: own }));
  return 0 < kept && OWN * kept < countMatches(join(parts)) ? { ...parts, base: own } : parts;
}

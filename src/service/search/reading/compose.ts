/** Composes the search that the steps of a question state, and the kind of its answer. */

import { addDays, countDays, type Day, monthOf } from '../../../shared/day.ts';
import {
  type Days,
  findDaysBefore,
  findUsualDays,
  findYearTo,
  isOneYear,
  isSameDays,
  isWholeMonths,
  isWholeYears,
  listMonths,
  moveByMonths,
  yearOf,
} from '../../../shared/periods.ts';
import { EVERYTHING, isExcluded, type Question, type ValueFilter } from '../../../shared/question.ts';
import { type Claim, isTime, type Reading, type Why } from '../../../shared/reading.ts';
import { markUnlike } from './comparable.ts';
import {
  type Draft,
  dropSteps,
  type Fate,
  hasRole,
  type Items,
  isClosing,
  isOfStock,
  isOpening,
  isRole,
  isTrade,
  isWhether,
  isWord,
  join,
  leaveUnused,
  type Parts,
  RANKED,
  type Role,
  type Step,
  type Steps,
  stepsOf,
  textOf,
  wordsOf,
} from './draft.ts';
import { listItems, resolve } from './items.ts';
import { dropExcludedPair, findSides, leaveOut } from './sides.ts';
import type { Drafting, ReadingSources } from './sources.ts';

/** What becomes of the conditions, in this order. */
const COMPOSING: readonly Drafting[] = [
  splitStyles,
  dropExcludedPair,
  findSides,
  resolveSides,
  nameYears,
  comparePeriods,
  rankOne,
  refuseUntold,
  markUnlike,
  rankBoth,
  chooseAnswer,
];

type Rank = NonNullable<Reading['rank']>;

/** The word of a kind keeps to the kinds like it if all listings with it are this many times as many. */
const OWN = 1.25;

/** Words of which one asks which of several is more. */
const COMPARED = ['more', 'most', 'compare', 'than'] as const;
const WHY: Partial<Record<Role, Why>> = {
  home: 'home',
  near: 'near',
  unread: 'unread',
  unused: 'filings',
  area: 'place',
  beyond: 'town',
  spare: 'together',
};

/** `unused`: why some steps are not used. */
export function compose(
  sources: ReadingSources,
  steps: Steps,
  asked: Question,
  unused: ReadonlyMap<Step, Why> = new Map(),
): Draft {
  const begun = beginDraft(leaveUnused(steps, unused), asked);
  return COMPOSING.reduce((draft, step) => step(draft, sources), begun);
}

export function beginDraft(steps: Steps, asked: Question): Draft {
  const used = steps.filter(({ why }) => why === undefined);
  return {
    asked,
    steps,
    used,
    fates: new Map(steps.map((step) => [step, fateOf(step)])),
    items: listItems(used, asked),
    base: asked,
    terms: [],
    excluded: [],
    years: [],
    answer: 'list',
    hasContent: false,
    isOldest: false,
    isUntold: false,
  };
}

const FATES = { category: 'kind', neighborhood: 'place', status: 'status' } as const satisfies Record<
  ValueFilter,
  string
>;

function fateOf(step: Step): Fate {
  const { role, filter, extent, values, isWhy } = step.meaning;
  const why = step.why ?? (isWhy ? 'filings' : WHY[role]);
  if (why !== undefined) return { fate: 'not-used', why };
  const isNumber = /^\d+$/.test(step.tokens[0]!.word); // a ZIP code
  if (/^(?:beginning|called)$/.test(extent ?? '') && values && !isNumber)
    return { fate: 'place', to: values.join(' / ') };
  if (filter !== undefined) return { fate: FATES[filter] };
  if (role === 'days' || role === 'oldest') return { fate: 'days' };
  if (role === 'newest') return { fate: 'newest' };
  return { fate: isWord(role) ? 'name' : 'left-out' };
}

/**
 * Takes the words before the first of several trades, or in a clause behind the last one, as a condition on all: `vegan bakery or donut shop`,
 * `used book or record stores`, `caterers or food trucks that do tacos`.
 */
function splitStyles(draft: Draft, { isOrdinary }: ReadingSources): Draft {
  const isStyle = (step: Step) => step.meaning.extent === 'style' || wordsOf([step]).every(isOrdinary);
  const before = (step: Step) => draft.used[draft.used.indexOf(step) - 1];
  const items = draft.items.flatMap((item, i) => {
    const at = item.steps.findIndex((step) => isTrade(step) && step.meaning.extent !== 'style');
    const [style, trade] = [item.steps.slice(0, Math.max(at, 0)), item.steps.slice(at)];
    const isFirst = item.join === 'none' && draft.items[i + 1]?.join === 'or';
    const clause = item.steps.findIndex((step, n) => n > 0 && isRole(before(step), 'filler'));
    const isLast = item.join === 'or' && draft.items[i + 1]?.join !== 'or' && clause > 0;
    if (isLast && !item.isNot && item.steps.slice(0, clause).every(isTrade))
      return [
        { ...item, steps: item.steps.slice(0, clause) },
        { ...item, steps: item.steps.slice(clause), join: 'none' as const },
      ];
    if (!isFirst || item.isNot || !style.some(isStyle) || !trade.every(isTrade)) return [item];
    return [
      { ...item, steps: style },
      { ...item, steps: trade },
    ];
  });
  return { ...draft, items };
}

/** Resolves the conditions of both sides, each with what both have. */
function resolveSides(draft: Draft, sources: ReadingSources): Draft {
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
  const [kept, all] = [own, base].map((one) => countMatches(join({ ...parts, base: one }))) as [
    number,
    number,
  ];
  return 0 < kept && OWN * kept < all ? { ...parts, base: own } : parts;
}

/** Finds the rows that a question names: years, or more than two places, kinds or words that it compares or counts. */
function findNamed({ years, steps, base, terms, items }: Draft): Pick<Rank, 'by' | 'values'> | undefined {
  if (years.length > 0) return { by: 'year', values: years };
  const isCounted = hasRole(steps, 'count') && items.filter((item) => item.join === 'and').length > 1;
  if (!isCounted && !hasRole(steps, ...COMPARED)) return undefined;
  const isNamed = (by: 'neighborhood' | 'category') =>
    base[by].filter((value) => !isExcluded(value)).length > 2;
  const by = (['neighborhood', 'category'] as const).find(isNamed);
  const [words, other] = terms;
  if (by !== undefined) return { by };
  const alternatives = other === undefined ? (words?.alternatives ?? []) : [];
  return alternatives.length > 2
    ? { by: 'q', values: alternatives.map((some) => textOf(some, '-')) }
    : undefined;
}

/** Ranks the rows that a question asks for or names. */
function rankOne(draft: Draft): Draft {
  const { sides, against, steps } = draft;
  const ranked = against && !sides ? undefined : findRank(draft);
  const named = findNamed(draft);
  if (named === undefined || (ranked && ranked.by !== named.by)) return { ...draft, rank: ranked };
  const order = hasRole(steps, 'fewest') ? 'fewest' : hasRole(steps, ...COMPARED, 'count') ? 'most' : 'trend';
  return { ...draft, rank: { order, ...ranked, ...named } };
}

function findRank({ used: steps, base, terms }: Draft): Rank | undefined {
  const has = (...roles: Role[]) => hasRole(steps, ...roles);
  const isOrdered = has(...RANKED);
  const rows = steps
    .map(({ meaning }) => meaning)
    .filter(({ by, how }) => by && (how || isOrdered || has('count')));
  const asked = (rows.find(({ how }) => how) ?? rows[0])?.by;
  const change = (['grew', 'fell'] as const).find((role) => has(role));
  const isNarrow = terms.length > 0 || base.category.length > 0;
  // `is downtown growing`
  if (change && asked === undefined && has('ask')) return { by: 'year', order: 'trend' };
  if (change) return { by: asked ?? (isNarrow ? 'neighborhood' : 'category'), order: change };
  if (has('trend') && (asked === undefined || isTime(asked))) return { by: asked ?? 'year', order: 'trend' };
  // `in what year did the first bar open`: the first bars, with their days
  if (asked === undefined || (isTime(asked) && !isOrdered && has('oldest'))) return undefined;
  const isEach = isTime(asked) && !has('most') && rows.some(({ how }) => how === 'each');
  const nth = steps.find(({ meaning }) => meaning.nth)?.meaning.nth;
  const countAt = steps.findIndex(({ meaning: { role } }) => role === 'count');
  const counted = steps.slice(countAt + 1).find(({ meaning: { role } }) => role !== 'filler')?.meaning;
  const isNumber = countAt >= 0 && counted?.by !== undefined && counted.how !== 'each' && !has('most');
  const order = has('fewest') ? 'fewest' : isEach ? 'trend' : 'most';
  // of `which month of 2015`, that of the year
  const isYearly = asked === 'calendar' || (asked === 'month' && rows.some(({ how }) => how === 'which'));
  const isOfYears = isYearly && order !== 'trend' && (base.filed_from === '' || !isOneYear(base));
  const by = isOfYears ? 'calendar' : asked === 'calendar' ? 'month' : asked;
  return { by, order, ...(nth && { nth }), ...(isNumber && { isNumber }) };
}

/** Filings have the days of openings only: no number says how many closed in a year, and none how many there were or were lost. */
function refuseUntold(draft: Draft): Draft {
  const { base, against, sides, rank, used, fates } = draft;
  const isDated = [base, against?.base].some((side) => side && (side.filed_from || side.filed_to) !== '');
  const isTimed = isDated || draft.steps.some(({ why }) => why === 'closings');
  const isClosed = base.status.some((status) => !/^(?:open$|-)/.test(status));
  const isChange = rank?.order === 'grew' || rank?.order === 'fell';
  const isStock = draft.steps.some(isOfStock);
  if (!isStock && !(isClosed && (isTimed || isTime(rank?.by) || isChange))) return draft;
  const ranking = used.filter((step) => isRole(step, 'by', ...RANKED));
  const dropped = dropSteps(
    fates,
    [...ranking, ...stepsOf(sides?.against ?? [])],
    isStock ? 'filings' : 'closings',
  );
  return { ...draft, fates: dropped, against: undefined, rank: undefined, isUntold: true };
}

/** Ranks rows by how much the one side exceeds the other: `more bars than restaurants by neighborhood`. Names years, which have no such rows. */
function rankBoth(draft: Draft): Draft {
  const { used, fates, against, isUnion, rank } = draft;
  const by = rank?.by;
  if (against === undefined || isUnion) return draft;
  if (isTime(by))
    return {
      ...draft,
      fates: dropSteps(
        fates,
        used.filter(({ meaning }) => meaning.how),
        'unread',
      ),
    };
  // of `fewer bars than restaurants`, the rows with more restaurants
  const isLess = used.some(({ meaning }) => meaning.extent === 'less');
  const [more, fewer] = isLess ? [against, draft] : [draft, against];
  if (by === undefined || String(more.base[by]) !== String(fewer.base[by])) return draft;
  const { base, terms, excluded } = more;
  const than = join(fewer);
  return { ...draft, base, terms, excluded, rank: { by, order: 'than', than }, against: undefined };
}

function chooseAnswer(draft: Draft): Draft {
  const { steps, items, against, isUntold } = draft;
  const rank = against ? undefined : draft.rank;
  // what no filing says is answered by no number
  const isUnanswered = ({ meaning: { role, isWhy, extent } }: Step) =>
    role === 'unused' || isWhy || extent === 'hours';
  const isNumber = hasRole(steps, 'count') && !isUntold && !steps.some(isUnanswered);
  const isAll = hasRole(steps, 'newest', 'near', 'home', 'count', 'oldest') || rank !== undefined;
  return {
    ...draft,
    rank,
    answer: against ? 'compare' : rank ? 'rank' : isNumber ? 'count' : 'list',
    hasContent: items.length > 0 || isAll,
    isOldest: hasRole(steps, 'oldest') && !rank && !against,
    claim: against && !draft.isUnion ? findClaim(draft) : undefined,
  };
}

/**
 * Finds whether it asks if the first side has more or fewer: `did more bars open in 2015 than in 2014`, and not `more bars or cafes`. Whether
 * there are more than in another period, no filing tells.
 */
function findClaim({ asked, steps, base, against }: Draft): Claim | undefined {
  const isOfDays = !isSameDays(base, against!.base);
  if (!isWhether(asked.q) || hasRole(steps, 'or') || (isOfDays && !steps.some(isOpening))) return undefined;
  const isFewer = hasRole(steps, 'fell') || steps.some(({ meaning }) => meaning.extent === 'less');
  // the Spanish `más` is `more` and `most`
  const isMore = hasRole(steps, 'more', 'grew') || (hasRole(steps, 'most') && hasRole(steps, 'than'));
  return isFewer ? 'fewer' : isMore ? 'more' : undefined;
}

/** Returns the draft with these days, and with the others against them. */
function setDays(draft: Draft, main: Days, other?: Days): Draft {
  const { terms, excluded } = draft;
  const base = { ...draft.base, ...main };
  return { ...draft, base, ...(other && { against: { base: { ...base, ...other }, terms, excluded } }) };
}

/** Takes more than two years that are named one by one as rows: side by side, they would replace each other. */
function nameYears(draft: Draft): Draft {
  const years = draft.sides ? [] : [...new Set(listYears(draft.items))].sort();
  if (years.length <= 2) return draft;
  const days = { filed_from: `${years[0]}-01-01`, filed_to: `${years.at(-1)}-12-31` };
  return { ...setDays(draft, days), years };
}

/** Lists the years that a question names one by one. */
function listYears(items: Items): string[] {
  return items.flatMap(({ isNot, steps: [first] }) => {
    const { from, to } = first!.meaning.days ?? { from: '', to: '' };
    const isYear = !isNot && isWholeYears({ filed_from: from, filed_to: to }) && yearOf(from) === yearOf(to);
    return isYear ? [yearOf(from)] : [];
  });
}

/** Compares the period of a question with another one, if it names at most one: `more bars than in 2010`. */
function comparePeriods(draft: Draft, { meanings, dataEnd }: ReadingSources): Draft {
  // `did more bars close than open in 2010`: closings have no days to compare
  const isClosed = draft.used.some(isClosing) && draft.base.filed_from !== '';
  if (draft.sides || isClosed || findNamed(draft)) return draft;
  const periods = findSince(draft, dataEnd) ?? findPeriods(draft, meanings.lastDay);
  return periods ? setDays(draft, periods.main, periods.against) : draft;
}

/** Finds this year, and the same days of the one since which something changed: `have bars increased since 2014`. */
function findSince({ used, base: { filed_from, filed_to } }: Draft, dataEnd: Day) {
  const isAsked = hasRole(used, 'ask') && hasRole(used, 'grew', 'fell') && !hasRole(used, 'by', 'than');
  const main = findUsualDays(dataEnd);
  const years = Number(yearOf(main.filed_from)) - Number(yearOf(filed_from || dataEnd));
  if (!isAsked || filed_to !== '' || years <= 0) return undefined;
  const move = (day: Day) => moveByMonths(day, -12 * years);
  return { main, against: { filed_from: move(main.filed_from), filed_to: move(main.filed_to) } };
}

function findPeriods(
  { used: steps, steps: all, base }: Draft,
  lastDay: Day,
): { main: Days; against: Days } | undefined {
  const isThan = hasRole(steps, 'compare', 'than');
  const isAsked = hasRole(steps, 'ask') && !isThan && !hasRole(all, 'or');
  // `did bars fall in 2019`, `are bars growing`
  const isDated = base.filed_from !== '' && base.filed_to !== '';
  const isChange = hasRole(steps, 'grew', 'fell') && (isDated || !hasRole(steps, 'by', 'days'));
  const isNow = hasRole(steps, 'usual') || (isAsked && (hasRole(steps, 'more') || isChange));
  const isEarlier = hasRole(steps, 'earlier');
  if (!isNow && !isThan && !isEarlier) return undefined;
  const { filed_from, filed_to } = base;
  const asked = { filed_from, filed_to };
  // `fewer than before 2010`, `more since 2010 than before`: the newest year, and the last one before
  const pivot = isThan
    ? filed_to
    : hasRole(steps, 'usual') && filed_from !== ''
      ? addDays(filed_from, -1)
      : '';
  if ((filed_from === '') !== (filed_to === '') && pivot !== '' && pivot < lastDay)
    return { main: findYearTo(lastDay), against: findYearTo(pivot) };
  if (filed_from === '' || filed_to === '') {
    const usual = findUsualDays(lastDay);
    return isNow ? { main: usual, against: findDaysBefore(usual) } : undefined;
  }
  const days = countDays(filed_from, filed_to) + 1;
  const months = listMonths(monthOf(filed_from), monthOf(filed_to)).length;
  const move = (to: (day: Day) => Day): Days => ({ filed_from: to(filed_from), filed_to: to(filed_to) });
  const moveBy = (sign: number) =>
    move((day) => (isWholeMonths(asked) ? moveByMonths(day, sign * months) : addDays(day, sign * days)));
  if (isEarlier) return { main: asked, against: findDaysBefore(asked) };
  if (isNow) return { main: asked, against: moveBy(-1) };
  const years = Number(yearOf(lastDay)) - Number(yearOf(filed_to));
  const isNewest = isWholeYears(asked) && years > 0;
  return { main: isNewest ? move((day) => moveByMonths(day, 12 * years)) : moveBy(1), against: asked };
}

/** Reads steps by those around them: of these rules, the first that applies to a step says what it means there. */

import { isWholeYears } from '../../../shared/periods.ts';
import { readNumber } from './days/numbers.ts';
import {
  hasRole,
  isApart,
  isClosing,
  isOpening,
  isPlace,
  isRole,
  isWord,
  type Meaning,
  RANKED,
  type Role,
  type Step,
  type Steps,
  wordsOf,
} from './draft.ts';

/** A step among the others. `dayKind`: what a word means beside a date, as `last` does. */
type InContext = {
  steps: Steps;
  at: number;
  step: Step;
  before: Step | undefined;
  next: Step | undefined;
  dayKind: (word: string) => string | undefined;
  /** What is said about the person who asks. */
  self: Steps;
  /** How something is compared as no filing tells, and with what. */
  likened: Steps;
};
/** A rule: an example, what the step means in it, and whether it applies. */
type Rule = readonly [example: string, role: Role | Meaning, test: (context: InContext) => boolean];

const LIKENED: Meaning = { role: 'unused', extent: 'like' };
const LICENSE: Meaning = { role: 'unused', extent: 'license' };
const RULES: readonly Rule[] = [
  ['I sell ovens and want to know', 'filler', ({ step, self }) => self.includes(step)],
  ['cafes like starbucks', LIKENED, ({ step, likened }) => likened.includes(step)],
  ['other cafes than starbucks', 'not', isOtherThan],
  // neither side may lose or get days
  ['2014 vs 2011 and 2013', 'unread', isOfUnevenDays],
  // the register has no other city
  ['plumbers not in long beach', 'beyond', isNotTown],
  ['compare bars with cafes', 'compare', isJointOfCompare],
  ['because parking is hard', 'unread', ({ steps, at }) => steps.slice(0, at).some(isBeforeRest)],
  ['since christmas 2015', 'unread', isYearOfUnread],
  ['started by students', 'unused', isWhom],
  // no filing tells what else businesses are licensed for
  ['bars without a food license', 'unused', isLicensed],
  ['bars that serve alcohol', LICENSE, ({ steps, step }) => isOfLicense(steps, step)],
  ['the five newest woks', 'filler', isIdleNumber],
  // two counts do not tell which of two grows faster
  ['growing faster than', 'unread', ({ steps, step }) => isChange(step) && hasRole(steps, 'than')],
  ['tiendas que abrieron', 'filler', isIdleThan],
  ['more than 10 bars', 'count', isMoreThanNumber],
  ['last 10 bars', 'newest', isNewestFew],
  // no filing has the day of a closing
  ['how many openings and closings', 'unused', isCountOfClosings],
  ['anywhere but downtown', 'not', isButPlace],
  ['bares menos downtown', 'not', isLessOf],
  ['plumbing contractors', 'filler', isKindOfTrade],
  ['florist shops', 'filler', isNounOfTrade],
  ['rank areas by bars', 'filler', isByOfRows],
  ['which neighborhood has no bars', 'fewest', ({ steps, at }) => at === findNone(steps)],
  ['areas with cafes but no bars', 'spare', ({ steps, step, at }) => isKind(step) && at < findNone(steps)],
  ['no bars in naples?', 'count', asksAny],
  ['what time does the anchor close', 'unused', isUntoldVerb],
  // what no filing tells cannot be excluded either
  ['non chain pizza', 'unused', isNotUnused],
  ['new not old bars', 'filler', isNotOld],
  // older ones are as many, and no search is of them
  ['used cars not new', 'unread', isNotNewest],
  [
    "didn't bars open",
    { role: 'ask', isVerb: true },
    ({ step, at }) => at === 0 && step.meaning.extent === 'ask',
  ],
  ['how many bars existed in 2010', { role: 'unused', extent: 'stock' }, isOfYears],
  ['average bars a year', 'filler', isAverage],
  ['where can I drink coffee', 'filler', isWanting],
  ['snack shops', { role: 'name', extent: 'generic' }, isNounOfName],
  ['open sesame', 'name', isPartOfName],
  ['which month do most bars open', { role: 'filler', extent: 'verb' }, isVerb],
];

export function readInContext(steps: Steps, dayKind: InContext['dayKind']): Step[] {
  const [self, likened] = [findSelf(steps), findLikened(steps)];
  return steps.map((step, at) => {
    const context = { steps, at, step, before: steps[at - 1], next: steps[at + 1], dayKind, self, likened };
    const found = RULES.find(([, , test]) => test(context))?.[1] ?? step.meaning;
    const meaning = typeof found === 'string' ? { role: found } : found;
    const nth = meaning.role === 'oldest' ? (numberOf(context.next) ?? numberOf(context.before)) : undefined;
    return { ...step, meaning: nth === undefined ? meaning : { ...meaning, nth } };
  });
}

const isCounted = (steps: Steps) => hasRole(steps, 'count', 'compare', 'more', 'than');
const isOpen = ({ meaning: { filter, extent, values } }: Step) =>
  filter === 'status' && extent === undefined && String(values) === 'open';
const numberOf = (one: Step | undefined) =>
  isRole(one, 'name') ? readNumber(one!.tokens[0]!.word) : undefined;
const isCount = (one: Step | undefined) => numberOf(one) !== undefined;
const isChange = (one: Step) => isRole(one, 'grew', 'fell');
const isKind = (one: Step | undefined) =>
  (isRole(one, 'trade') || one?.meaning.filter === 'category') && !isApart(one!);
const isThing = (one: Step | undefined) => isRole(one, 'name') || isKind(one);
const isLicense = (one: Step | undefined) => /^(?:licen[cs]e|permit)s?$/.test(one?.tokens[0]?.word ?? '');
const isOfLicense = (steps: Steps, one: Step | undefined) =>
  one?.meaning.extent === 'license' && steps.some(isKind);
const isWith = (one: Step | undefined) =>
  /^(?:with|ha(?:ve|s|d|ving)|avec)$/.test(one?.tokens.at(-1)?.word ?? '');
const asksRows = (steps: Steps) => steps.some(({ meaning: { how } }) => how !== undefined);
const isPause = ({ tokens: [first] }: Pick<Step, 'tokens'>) => /[,;:.!?–—]/.test(first!.gap);
const isOfTwo = (steps: Steps) =>
  hasRole(steps, 'compare', 'than') || (hasRole(steps, 'more', 'most') && hasRole(steps, 'or'));
const isJoint = (one: Step | undefined) => isRole(one, 'and', 'or', 'compare', 'than');
const isBeforeRest = ({ meaning }: Step) => meaning.extent === 'rest';
const isAll = (one: Step | undefined) => one?.meaning.extent === 'all';
const subjectOf = (steps: Steps, at: number) =>
  steps.slice(at + 1).find((one) => isAll(one) || !isRole(one, 'filler', 'newest', 'ask'));
/** Returns whether a word says which ones to show: `last 10 bars`. */
const isTaken = ({ dayKind }: InContext, one: Step | undefined) =>
  isRole(one, 'name') && dayKind(one!.tokens[0]!.word) === 'last';
const isOrder = (context: InContext, one: Step | undefined) =>
  isRole(one, 'newest', 'oldest') || isTaken(context, one);

const isRequesting = ({ meaning }: Step) => meaning.extent === 'request';
const WHAT = /^(?:what|whats|who|anything|everything|qu|que|quoi)$/;

/** Finds what people say about themselves before they ask, or behind it: `I run a bar, which cafes are new`, `new cafes, I sell ovens`. */
function findSelf(steps: Steps): Steps {
  const isSelf = ({ tokens: [first], meaning }: Step) =>
    meaning.extent === 'self' || /^we['’]re$/i.test(first!.typed);
  const isAsking = (one: Step, i: number) =>
    isRequesting(one) ||
    one.meaning.how === 'which' ||
    isRole(one, 'about', 'count') ||
    (isRole(one, 'ask') && !isSelf(steps[i - 1] ?? one)); // `we are a family`
  const isSaid = (one: Step) => !isRole(one, 'filler', 'and', 'or', 'in', 'at', 'close');
  const at = steps.findIndex(isSelf);
  const before = steps.slice(0, Math.max(at, 0));
  if (at < 0 || before.some(isAsking)) return [];
  const isLead = !before.some(isSaid);
  const end = steps.findIndex((one, i) => i > at && (isAsking(one, i) || (isLead && isPause(one))));
  const isTail = !isLead && end < 0 && isPause(steps[at]!);
  const [self, asked] = isTail
    ? [steps.slice(at), before]
    : [steps.slice(at, Math.max(end, 0)), steps.slice(end)];
  const isOther = (isLead && end > 0) || isTail;
  const isAlike = asked.some(({ meaning }) => meaning.extent === 'rival');
  if (!isOther || isAlike || hasRole(self, 'not') || !asked.some(isSaid)) return [];
  // where people are and what they are about is what they ask for, if they name no other: `a bakery in naples, how many opened there`
  const counted = asked.slice(asked.findIndex((one) => isRole(one, 'count')) + 1);
  const isNamed = counted.some(isThing) || wordsOf(counted).some((one) => WHAT.test(one));
  const isWhat = isNamed || asked.some((one) => isKind(one) || isAll(one));
  const isAbout = (one: Step, i: number) => isKind(one) || (!asked.some(isPlace) && isLedByPlace(self, i));
  return self.filter((one, i) => !(isPlace(one) && !asked.some(isPlace)) && (isWhat || !isAbout(one, i)));
}

/** Finds what is said to be better, cheaper or alike, and than what: `cafes nicer than starbucks`, `cafes like starbucks`. */
function findLikened(steps: Steps): Steps {
  const at = steps.findIndex((_, i) => isLike(steps, i) || findQuality(steps, i) >= 0);
  const from = steps.findIndex((one, i) => i > at && !isRole(one, 'filler'));
  const end = steps.findIndex((one, i) => i >= from && (!isThing(one) || (i > from && isApart(one))));
  const named = at < 0 || from < 0 ? [] : steps.slice(from, end < 0 ? steps.length : end);
  if (named.length === 0) return [];
  const quality = findQuality(steps, at);
  const isMore = isRole(steps[quality - 1], 'more') || isDegree(steps[quality - 1]);
  const said = quality < 0 ? [] : steps.slice(quality - Number(isMore), quality + 1);
  return [...said, ...steps.slice(at, from), ...named];
}

const SOME = /^(?:something|somewhere|anything|anywhere|places?|spots?)$/;
/** Returns whether a step likens a kind to a name: `bars like the anchor`, and not `I like bars`. */
function isLike(steps: Steps, at: number): boolean {
  const before = steps[at - 1];
  const isOf = isThing(before) || isAll(before) || SOME.test(wordsOf(steps.slice(0, at)).at(-1) ?? '');
  return isRole(steps[at], 'filler') && steps[at]!.meaning.extent === 'like' && isOf;
}

const isDegree = (one: Step | undefined) =>
  isRole(one, 'name') && /^(?:plus|moins|aussi|más|menos)$/.test(one!.tokens[0]!.word);

/** Finds the quality that `than` compares, or -1: `cheaper` of `cheaper pizza than dominos`, and not of `more bars than cafes`. */
function findQuality(steps: Steps, at: number): number {
  const before = steps.slice(0, Math.max(at, 0));
  if (!isRole(steps[at], 'than') || hasRole(before, 'most', 'fewest', 'elder', 'compare', 'days', 'unread'))
    return -1;
  // `bigger than walmart`, and not `bigger than in 2014` or `more barber shops than cafes`
  const isOfName = isRole(steps[at + 1], 'name') && !isCount(steps[at + 1]);
  return before.findLastIndex(({ tokens: [first, other], meaning: { role, extent } }, i) => {
    const isWorded = other === undefined && /...er$/.test(first!.word) && first!.word !== 'fewer';
    if (role === 'more') return isWorded && isOfName && i === at - 1;
    if (role === 'unused') return extent === undefined;
    return role === 'name' && !isRole(before[i - 1], 'more') && (isWorded || isDegree(before[i - 1]));
  });
}

/** Returns whether `than` excludes what follows: `other cafes than starbucks`. */
function isOtherThan({ steps, at, step }: InContext): boolean {
  const said = steps.slice(0, at).filter((one) => /^(?:other|autre|otr[oa])s?$/.test(one.tokens[0]!.word));
  return isRole(step, 'than') && said.length > 0 && !hasRole(steps.slice(0, at), 'more', 'most', 'compare');
}

/** Returns whether a step is a preposition of a place or a name behind it, as in `near retro row`. */
function isLedByPlace(steps: Steps, at: number): boolean {
  const led = steps.slice(0, at + 1).findLastIndex((one) => !isRole(one, 'name', 'filler'));
  return isRole(steps[led], 'in', 'at', 'close') && !steps.slice(led + 1, at + 1).some(isPause);
}

function isNotTown({ steps, at }: InContext): boolean {
  const town = steps.findIndex(({ meaning }) => meaning.extent === 'town' || meaning.role === 'beyond');
  const said = steps
    .slice(0, Math.max(town, 0))
    .findLastIndex((one) => !isRole(one, 'in', 'at', 'filler', 'unread'));
  return isRole(steps[said], 'not') && said <= at && at <= town;
}

/** Returns whether a step joins what is compared: `compare bars to cafes`. */
function isJointOfCompare({ steps, at, step }: InContext): boolean {
  const isJoint = isRole(step, 'filler') && /^(?:with|to|avec|aux?|a|con)$/.test(step.tokens.at(-1)!.word);
  const said = steps.slice(0, at).filter((one) => !isRole(one, 'filler'));
  return isJoint && isRole(said[0], 'compare') && said.length > 1;
}

/** Returns whether a step is a license that is asked for or excluded, or its kind: `sans licence d'alcool`. */
function isLicensed({ steps, at, step, next }: InContext): boolean {
  const said = steps.slice(0, at).findLast((one) => !isRole(one, 'filler') || isLicense(one));
  const isPart = isLicense(step) || (isThing(step) && (isLicense(next) || isLicense(said)));
  return isPart && steps.slice(0, at).some((one) => isRole(one, 'not') || isWith(one));
}

/** Returns whether a step is said of what no filing tells: by whom, or how long, as in `survive more than five years`. */
function isWhom({ steps, at, step, before }: InContext): boolean {
  if (step.meaning.isRelative) return before?.meaning.extent === 'by';
  const said = steps.slice(0, at).findLast((one) => !isRole(one, 'name', 'filler'));
  const isYears = isRole(step, 'by') && !step.meaning.how && isRole(before, 'name');
  return (isRole(step, 'name') || isYears) && said?.meaning.extent === 'by';
}

/** Returns whether a step is what people want to do with what they look for. */
function isWanting({ steps, at, step }: InContext): boolean {
  const before = steps.slice(0, at);
  const isRequest = before.every((one) => isRole(one, 'filler')) && before.some(isRequesting);
  const next = steps.slice(at + 1).find((one) => !isRole(one, 'filler'));
  return isRequest && isThing(next) && /^(?:eat|drink|have|order|try|taste)$/.test(step.tokens[0]!.word);
}

/** Returns whether a step is the verb of an hour or of an amount, which no filing tells: `how much rent do bars pay`. */
function isUntoldVerb({ steps, step, before, next }: InContext): boolean {
  const led = steps.find((one) => isRole(one, 'unused') && /^(?:verb|hours)$/.test(one.meaning.extent ?? ''));
  if (led?.meaning.extent === 'hours' && step.meaning.filter === 'status') return true;
  const isEnd = (next === undefined || isRole(next, 'in', 'at')) && !isRole(before, 'in', 'at');
  return led !== undefined && isRole(step, 'name') && isEnd && !isCount(step);
}

/** Returns whether a step is of a comparison in which one side has more periods than the other. */
function isOfUnevenDays({ steps, step }: InContext): boolean {
  const listPlaces = (...roles: Role[]) => [...steps.keys()].filter((at) => isRole(steps[at], ...roles));
  const days = listPlaces('days');
  const joints = listPlaces('compare', 'than').filter((at) => at > days[0]!);
  const isUneven = days.length > 2 && joints.length !== days.length - 1;
  return isUneven && joints[0]! < days.at(-1)! && isRole(step, 'days', 'and', 'compare', 'than');
}

/** Returns whether a year belongs to a day that is not read and has an edge: it alone would be another period. */
function isYearOfUnread({ steps, at, step, dayKind }: InContext): boolean {
  const { days } = step.meaning;
  const kinds = wordsOf(steps.slice(0, at)).map(dayKind);
  const isTime = (kind: string | undefined) => kind === 'time' || kind === 'unit';
  const edge = isTime(kinds.at(-1)) ? kinds.findLast((kind) => !isTime(kind)) : undefined;
  return days !== undefined && isWholeYears(days) && /^(?:from|after|to|before)$/.test(edge ?? '');
}

/** Returns whether a step asks how many there were in a period: `how many bars did the town have in 2010`. */
function isOfYears({ steps, at, step, next }: InContext): boolean {
  const isHaving = isWith(step) && (next === undefined || isRole(next, 'in', 'days'));
  const isDated = hasRole(steps, 'days') && !steps.some(isOpening);
  return isDated && hasRole(steps.slice(0, at), 'count') && (isHaving || step.meaning.extent === 'stock');
}

/** Returns whether a negation, or an article behind it, is of what no filing tells. */
function isNotUnused({ steps, at, step }: InContext): boolean {
  const said = steps.slice(0, at + 1).findLast((one) => !isRole(one, 'filler'));
  const subject = subjectOf(steps, at);
  const isUntold = isRole(subject, 'unused') || isOfLicense(steps, subject);
  return isRole(step, 'not', 'filler') && isRole(said, 'not') && isUntold;
}

/** Returns whether a negation, or what it is of, is about the newest ones: `bars but not new`, and not `not new bars`. */
function isNotNewest({ steps, at }: InContext): boolean {
  const said = [...steps.keys()].filter((i) => !isRole(steps[i], 'filler'));
  const not = said.findIndex((i, n) => isRole(steps[i], 'not') && isRole(steps[said[n + 1]!], 'newest'));
  const [from = at + 1, to = at, behind = -1] = said.slice(Math.max(not, 0));
  // `old not new bars`
  const first = isOld(steps[from - 1]) ? from - 1 : from;
  const isOther = isThing(steps[behind]) && steps.slice(0, first).some(isThing);
  return not >= 0 && first <= at && at <= to && !isOther;
}

const isOld = (one: Step | undefined) =>
  one !== undefined && /^(?:old|ancien|vieux)/.test(wordsOf([one])[0]!);

/** Returns whether a step excludes what is old beside `new`, which says nothing more. */
function isNotOld({ steps, at }: InContext): boolean {
  const not = steps.findIndex((one, i) => isRole(one, 'not') && isOld(steps[i + 1]));
  return hasRole(steps, 'newest') && not >= 0 && (at === not || at === not + 1);
}

/** Returns whether a number says how many to show, or how many there are, which is the answer: `two bars`. */
function isIdleNumber(context: InContext): boolean {
  const { step, before, next } = context;
  const isOfKind = isKind(next) && !isRole(before, 'name');
  return isCount(step) && (isOfKind || isOrder(context, before) || isOrder(context, next));
}

function isIdleThan({ steps, at, step, before, next }: InContext): boolean {
  const isCompared = hasRole(steps.slice(0, at), 'more', 'most', 'fewest', 'elder', 'compare');
  // `is 2015 better than 2014`
  const isOfDays = [steps.slice(0, at), steps.slice(at)].every((some) => hasRole(some, 'days'));
  return isRole(step, 'than') && !isOfDays && (!isCompared || (isRole(before, 'more') && isCount(next)));
}

function isMoreThanNumber({ steps, at, step, next }: InContext): boolean {
  return isRole(step, 'more') && isRole(next, 'than') && isCount(steps[at + 2]);
}

function isNewestFew(context: InContext): boolean {
  const { steps, at, step, next } = context;
  // `last business to open`
  const isLast = isRole(next, 'filler') && steps.slice(at + 1).some(isOpening);
  const isFew = isCount(next) || (isTaken(context, step) && (isKind(next) || isLast));
  return isOrder(context, step) && !isRole(step, 'oldest') && isFew;
}

function isCountOfClosings({ steps, step, before }: InContext): boolean {
  return isClosing(step) && isCounted(steps) && isJoint(before) && !isOfStatuses(steps);
}

/** Returns whether two statuses are compared, and not what businesses did: `more open or closed bars`. */
function isOfStatuses(steps: Steps): boolean {
  const isCompared = hasRole(steps, 'more', 'compare', 'than') && !hasRole(steps, 'days', 'unread');
  const statuses = steps.filter(({ meaning: { filter } }) => filter === 'status');
  return isCompared && !steps[0]!.meaning.isVerb && statuses.length === 2 && statuses.some(isOpen);
}

function isButPlace({ steps, at, step, next }: InContext): boolean {
  const isBefore = isPlace(next) || (isRole(next, 'filler', 'in') && isPlace(steps[at + 2]));
  return at > 0 && isBefore && !hasRole(steps.slice(0, at), 'not') && step.meaning.extent === 'place';
}

/** Returns whether a word takes something away from what is asked for, and compares nothing. */
function isLessOf({ steps, at, step, before, next }: InContext): boolean {
  const isCompared =
    isCounted(steps.toSpliced(at, 1)) || hasRole(steps, 'ask', 'by', 'or', 'usual', ...RANKED);
  const isOfThing = (isThing(before) || isAll(before) || isPlace(before)) && (isThing(next) || isPlace(next));
  return step.meaning.extent === 'less' && isOfThing && !isCompared;
}

/** Returns whether a step is the kind of the trade before, which says nothing more. */
function isKindOfTrade({ step, before }: InContext): boolean {
  const { filter, extent, values = [] } = step.meaning;
  const isCategory = filter === 'category' && extent === undefined && !step.tokens[0]!.isExcluded;
  const isOfTrade = isRole(before, 'trade') && before!.meaning.values?.includes(values[0] ?? '');
  return isCategory && isKind(step) && isOfTrade === true;
}

/** Returns whether a noun of a place of business stands behind its trade, or before it and joined to it: `magasins de pneus`. */
function isNounOfTrade({ steps, at, step, before, next }: InContext): boolean {
  const isJoined = next !== undefined && /^(?:de|du|des|d)$/.test(next.tokens.at(-1)!.word);
  return step.meaning.extent === 'generic' && (isKind(before) || (isJoined && isKind(steps[at + 2])));
}

function isByOfRows({ steps, step }: InContext): boolean {
  const isBy = isRole(step, 'name') && /^(?:by|par|por)$/.test(step.tokens[0]!.word);
  return isBy && hasRole(steps, 'most') && steps.some(({ meaning }) => meaning.by);
}

function isAverage({ steps, step }: InContext): boolean {
  const isTrend = hasRole(steps, 'trend') || steps.some(({ meaning }) => meaning.how === 'each');
  return step.tokens[0]!.word === 'average' && isRole(step, 'unused') && isTrend;
}

/** Finds the negation that asks for rows without something. */
function findNone(steps: Steps): number {
  const rowsAt = steps.findIndex(({ meaning: { by } }) => by !== undefined && by !== 'category');
  if (rowsAt < 0 || hasRole(steps, ...RANKED)) return -1;
  const isAsked = (at: number) => at > rowsAt || steps[rowsAt]!.meaning.how === 'which';
  const isCountable = (one: Step | undefined) => isKind(one) || isAll(one);
  return steps.findIndex((one, i) => isRole(one, 'not') && isAsked(i) && isCountable(subjectOf(steps, i)));
}

/** Returns whether a negation asks whether there is one, or whether any did: `did bars not open in july`. */
function asksAny({ steps, at, step, next }: InContext): boolean {
  const isFirst = !hasRole(steps.slice(0, at), 'name', 'trade', 'value');
  const isIn = steps.slice(at).some((one) => isPlace(one) || isRole(one, 'days'));
  // `no restaurants just bars in naples` asks nothing
  const isOnly = steps.some(({ meaning }) => meaning.extent === 'only');
  const mayAsk = step.meaning.extent === 'any' || (step.meaning.extent === 'bare' && isIn && !isOnly);
  if (mayAsk && isThing(subjectOf(steps, at)) && isFirst) return true;
  return isRole(step, 'not') && steps[0]!.meaning.isVerb === true && next !== undefined && isOpen(next);
}

/** Returns whether the first words of a place are those of something else: `near the lake` is not `in Lake View`. */
function isLandmark({ steps, at, step }: InContext): boolean {
  const led = steps.slice(0, at).findLast((one) => !isRole(one, 'filler'));
  return isRole(led, 'close') && !/ (?:area|district|neighborhood)$/i.test(step.meaning.values?.[0] ?? '');
}

function isNounOfName({ steps, at, step, before }: InContext): boolean {
  const isBehind =
    before !== undefined && (isWord(before.meaning.role) || before.meaning.filter === 'category');
  // `stop and shop`
  const isJoined = isRole(before, 'and') && isRole(steps[at - 2], 'name');
  return step.meaning.extent === 'generic' && (isBehind || isJoined);
}

function isPartOfName(context: InContext): boolean {
  const { steps, at, step, next } = context;
  const { filter, extent } = step.meaning;
  const isBeforeName = isRole(next, 'name') && !isApart(next!);
  // `wicker park vs ravenswood manor`
  if (filter === 'neighborhood' && extent !== 'name' && isOfTwo(steps))
    return isBeforeName || (isRole(context.before, 'name') && !isApart(step));
  // `not in humboldt park` is not near Park Estates
  const led = steps.slice(0, Math.max(at - 1, 0)).findLast((one) => !isRole(one, 'filler'));
  const isEnd = isRole(context.before, 'name') && isRole(led, 'in', 'at', 'not') && !isApart(step);
  if (filter !== 'status' && extent !== 'question')
    return extent === 'beginning' && (isBeforeName || isEnd || isLandmark(context));
  const isLater = steps.slice(at + 1).some(({ meaning }) => meaning.filter === 'status');
  if (isRole(steps[0], 'ask', 'about')) return isBeforeName && (extent === 'question' || isLater);
  const isAnswer = isCounted(steps) || hasRole(steps, ...RANKED) || asksRows(steps);
  // `restaurants that moved`: no filing tells it
  const isSaid = steps.slice(0, at).some((one) => isKind(one) || isAll(one));
  return extent === 'question' && (filter === undefined ? !isSaid : isBeforeName || !isAnswer);
}

/** Returns whether `open` is what businesses did, and not what they are: `did more bars open in 2020`. */
function isVerb({ steps, at, step, next }: InContext): boolean {
  if (!isOpen(step) || step.tokens.length > 1 || isOfStatuses(steps)) return false;
  const later = steps.slice(at + 1).find((one) => !isRole(one, 'in', 'filler') && !isPlace(one));
  const isOfRows = hasRole(steps, ...RANKED) || asksRows(steps);
  const isOpened = isRole(later, 'days', 'unread') || (isCounted(steps) && isJoint(later));
  const isDone = isOpened || isRole(next, 'more') || steps.slice(0, at).some(({ meaning }) => meaning.isVerb);
  return isDone || (isOfRows && !isThing(next));
}

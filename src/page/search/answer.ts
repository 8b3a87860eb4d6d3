/** Renders the answer to a question above the results: one sentence, its numbers, the years, and what could make it wrong. */

import { listPublishers } from '../../shared/city/city-facts.ts';
import type { Listing } from '../../shared/listing.ts';
import { ALL_TIME, type Days, isByChance } from '../../shared/periods.ts';
import { capitalize } from '../../shared/text/fill-in.ts';
import { foldWords } from '../../shared/words.ts';
import { renderAnswerCard } from '../answer-card.ts';
import { type CountedLink, renderCounted } from '../facets.ts';
import { formatStatus, sayMeaning } from '../filters.ts';
import type { Markup } from '../markup.ts';
import { describeEver, describeFound, describeUndecided } from '../question-text.ts';
import { listActions } from '../search-head.ts';
import { formatPageAddress, formatSearchAddress, nameDataStart } from '../search-view.ts';
import {
  type Answer,
  describeBeginning,
  describeMissed,
  describeNoneBefore,
  isUntold,
  listUntold,
  renderAskedYears,
  sayClaim,
  sayDifference,
  saySame,
} from './answer-parts.ts';
import { answerComparison } from './comparison.ts';
import { answerRanking } from './ranking.ts';
import type { SearchPageView } from './search-page-view.ts';

/** Writes the answer to a question, unless it asks for a list. */
export function findAnswer(view: SearchPageView): Answer | undefined {
  const { reading, question, total } = view;
  if (reading === undefined || question.offset > 0 || total === 0) return undefined;
  if (describeMissed(view) !== undefined) return undefined;
  return reading.answer === 'status'
    ? (answerAges(view) ?? answerStatus(view))
    : (answerOldest(view) ?? answerComparison(view) ?? answerRanking(view) ?? answerCount(view));
}

/** Names the oldest businesses, unless a page cannot list all of the first day. */
function answerOldest(view: SearchPageView): Answer | undefined {
  const { layout, listings, reading, question, total } = view;
  const [first] = listings;
  if (!reading?.isOldest || first === undefined) return undefined;
  const { say, list, day } = layout.localization;
  const same = listings.filter(({ filing_date }) => filing_date === first.filing_date);
  if (same.length === listings.length && same.length < total) return undefined;
  const what =
    same.length > MOST_ANSWERED
      ? describeFound({ layout, question: { ...question, ...ALL_TIME } }, same.length)
      : list(same.map(({ name }) => name).toSorted());
  const days = { filed_from: first.filing_date, filed_to: first.filing_date };
  return {
    sentence: say('answer.oldest', { what, day: day(first.filing_date) }),
    caveat: [describeBeginning(view, days)],
  };
}

/**
 * Renders an answer: what is copied is its sentence, its caveat, its numbers and its source. `notes`: what became of the
 * words of the question. `share`: a further action.
 */
export function renderAnswer(
  view: SearchPageView,
  answer: Answer,
  { notes, share }: { notes: Markup | undefined; share: Markup },
): Markup {
  const { layout, question, dataEnd } = view;
  const { say, day } = layout.localization;
  const anyTime = { ...question, ...ALL_TIME, offset: 0 };
  const hasYears = view.reading?.answer !== 'status';
  const address = `${layout.publicUrl}${answer.address ?? answer.table ?? formatPageAddress(question)}`;
  const source = say('answer.source', { source: listPublishers(layout.city), address, day: day(dataEnd) });
  const {
    data,
    chart = formatSearchAddress('/chart.png', anyTime),
    numbers = formatSearchAddress('/api/stats.csv', anyTime, 'by=month'),
  } = answer;
  return renderAnswerCard(layout.localization, {
    ...answer,
    notes,
    actions: listActions(view, share, answer.table),
    source: data === undefined ? source : `${data}. ${source}`,
    chart: hasYears && view.closings === undefined && chart,
    numbers: hasYears && numbers,
  });
}

/** Writes how many there are and, of days within a year, how many there were a year before. */
function answerCount(view: SearchPageView): Answer | undefined {
  const { layout, reading, question, total, years } = view;
  if (reading?.answer !== 'count') return undefined;
  const counts = [total, years?.before?.count ?? 0] as const;
  const before = years?.before && { days: years.before.days, counts };
  return {
    sentence: describeEver(view, total),
    figure: layout.localization.number(total),
    bars: renderAskedYears(view, question, before),
    caveat: years?.before
      ? compareYearBefore(view, total, years.before)
      : [question.filed_from !== '' && view.period.caveat === 'begins' && describeNoneBefore(view)],
  };
}

/** Says how many fewer or more there are than a year before, unless the register began then. */
export function compareYearBefore(
  view: SearchPageView,
  total: number,
  { days, count: before }: { days: Days; count: number },
): readonly (string | false)[] {
  const begins = describeBeginning(view, days);
  if (begins) return [begins];
  const { say } = view.layout.localization;
  const same = saySame(view.layout, days);
  const kind = before === 0 ? 'none' : before === total ? 'same' : before < total ? 'more' : 'fewer';
  const difference = sayDifference(view.layout, total, before);
  const undecided = describeUndecided(view, 'changes');
  return [
    say(`count.${kind}`, { before, same, difference, undecided }),
    total !== before && isByChance(total, before) && say('compare.chance'),
  ];
}

/** Names the earliest filing of each of two businesses, and says which is earlier. */
function answerAges(view: SearchPageView): Answer | undefined {
  const { layout, reading, ages } = view;
  if (reading?.ages === undefined || ages === undefined) return undefined;
  const { say, day, list } = layout.localization;
  const words = reading.ages.map(({ q }) => say('chip.q', { q }));
  const [one, other] = ages;
  const found = words.filter((_, i) => ages[i] !== undefined);
  const begins = say('answer.age.begins', { words: list(found), month: nameDataStart(view) });
  const none = words[ages.indexOf(undefined)];
  const sorted = ages
    .filter((found) => found !== undefined)
    .toSorted((a, b) => (a.filing_date < b.filing_date ? -1 : 1));
  const [first = '', second = ''] = sorted.map(({ name, filing_date }) =>
    say('answer.which', { name, day: day(filing_date) }),
  );
  if (none !== undefined) return { sentence: say('answer.age.none', { none, first }), caveat: [begins] };
  const isSame = one!.filing_date === other!.filing_date;
  const isTrue = reading.claim && !isSame && (sorted[0] === one) === (reading.claim === 'older');
  const sentence = say(isSame ? 'answer.age.same' : 'answer.age', { first, second });
  return { sentence: sayClaim(view, sentence, isTrue), caveat: [begins] };
}

/** Maximum businesses to answer for in sentences. For more, the list shows the statuses. */
const MOST_ANSWERED = 3;

/** Writes what the register says about a business: the first sentence is the headline. For many, counts each status. */
function answerStatus(view: SearchPageView): Answer {
  const answered = findAnswered(view);
  const answers = answered && describeStatuses(view, answered);
  const [first = describeClosed(view), ...others] = answers ?? [];
  const statuses = answered?.map(({ status }) => status) ?? view.facets.status.map(({ value }) => value);
  return {
    sentence: capitalize(sayOpen(view, first, answered)),
    more: answers === undefined ? renderCounted(view, countStatuses(view)) : undefined,
    caveat: [
      ...others,
      ...[...new Set(statuses.filter(isUntold))].map((one) => sayMeaning(view.layout.localization, [one])),
      statuses.includes('closed') && view.layout.localization.say('answer.moved'),
      view.layout.recordsClosings()
        ? view.layout.localization.say('note.status')
        : answers === undefined && view.layout.localization.say('nothing.closings'),
    ],
  };
}

/** Begins an answer with yes or no, as the register has it of most. A license that expired says neither, nor does a closing: who moved may go on. */
function sayOpen(view: SearchPageView, what: string, answered: readonly Listing[] | undefined): string {
  const { layout, reading } = view;
  const total = answered?.length ?? view.total;
  const n = answered?.filter(({ status }) => status === 'open').length ?? countStatus(view, 'open');
  const isAsked = reading?.claim === 'open' || reading?.claim === 'closed';
  const isMixed = n > 0 && n < total;
  if (!isAsked || n === 0 || listUntold(view).length > 0 || !layout.recordsClosings()) return what;
  if (isMixed && (answered !== undefined || 2 * n === total)) return what;
  const isTrue = 2 * n > total === (reading.claim === 'open');
  return layout.localization.say(`answer.${isTrue ? 'yes' : 'no'}.${isMixed ? 'most' : 'open'}`, { what });
}

/** Counts the results with a status. */
export function countStatus({ facets }: SearchPageView, status: string): number {
  return facets.status.find(({ value }) => value === status)?.count ?? 0;
}

/** Says how many of many businesses are marked as closed or, to who asks for these, how many are not. */
function describeClosed(view: SearchPageView): string {
  const { layout, total, reading } = view;
  const { say, count } = layout.localization;
  const what = describeFound(view, total);
  const open = countStatus(view, 'open');
  if (reading?.claim === 'open' && open > 1 && open < total)
    return say(layout.recordsClosings() ? 'answer.unclosed' : 'answer.registered.still', { what, n: open });
  if (!layout.recordsClosings()) return what;
  const n = countStatus(view, 'closed');
  return n === 0 ? say('answer.closed.none', { what }) : count('answer.closed', n, { what });
}

/** Counts the businesses with each status. The numbers lead to them. */
function countStatuses({ question, facets, layout }: SearchPageView): CountedLink[] {
  return facets.status.map(({ value, count }) => {
    const href = formatPageAddress({ ...question, status: [value], offset: 0 });
    return { href, text: capitalize(formatStatus(layout, value)), count };
  });
}

/** Finds the businesses with this name. Returns `undefined` if these are many. */
function findAnswered({ question, listings, total }: SearchPageView): readonly Listing[] | undefined {
  const words = foldName(question.q);
  const same = listings.filter(({ name }) => foldName(name) === words);
  const answered = same.length > 0 && total > MOST_ANSWERED ? same : listings;
  const isAll = same.length > 0 ? total <= listings.length : total === listings.length;
  // one branch does not answer for the others
  if (total > MOST_ANSWERED && same.some(({ name }) => BRANCH.test(foldWords(name)))) return undefined;
  return isAll && answered.length <= MOST_ANSWERED ? answered : undefined;
}

/** Describes what the register knows about each of them. That it records no closings is said once. */
function describeStatuses({ dataEnd, layout }: SearchPageView, answered: readonly Listing[]): string[] {
  const { say, day } = layout.localization;
  const sayOne = ({ name, filing_date, status }: Listing, i: number) => {
    const business = say('answer.which', { name, day: day(filing_date) });
    if (status === 'open' && layout.recordsClosings())
      return say('answer.open', { name: business, day: day(dataEnd) });
    if (status === 'open') return i === 0 ? `${business}. ${say('nothing.closings')}` : `${business}.`;
    if (status === 'unknown') return say('answer.unknown', { name: business });
    return say('answer.filed', { name: business, status: formatStatus(layout, status) });
  };
  return [...new Set(answered.map(sayOne))]; // a business can be registered twice on one day
}

const BRANCH = / (?:store |no )?\d+$/;

/** Folds a name for comparison with the name in a question, which may lack its article and the number of its branch. */
function foldName(name: string): string {
  return foldWords(name).replace(/^the /, '').replace(BRANCH, '');
}

/** Writes the answer to a question that compares two sides, or adds them up. */

import { isUnknown } from '../../shared/city/value-names.ts';
import {
  ALL_TIME,
  type Days,
  FEWEST_RANKED,
  findDaysBefore,
  isBeforeData,
  isSameDays,
  isWholeMonths,
  isYearApart,
  spanYear,
  yearOf,
} from '../../shared/periods.ts';
import type { Question } from '../../shared/question.ts';
import type { Whole } from '../../shared/reading.ts';
import { round } from '../chart/picture/drawing.ts';
import { renderCounted } from '../facets.ts';
import { formatStatus } from '../filters.ts';
import { nounFor } from '../kinds/kinds.ts';
import { fillMarkup, linkTo, type Markup } from '../markup.ts';
import { sayNamed } from '../notes.ts';
import type { PageLayout } from '../page-layout.ts';
import { describeFound, describeRegistered, describeUndecided } from '../question-text.ts';
import {
  formatChangesAddress,
  formatPageAddress,
  formatSearchAddress,
  nameDataStart,
} from '../search-view.ts';
import { COMPARED } from '../share/share-panel.ts';
import {
  type Answer,
  describeAllTime,
  describeBeginning,
  describeSpan,
  describeUnlike,
  isPartOfYears,
  isSameButDays,
  listUntold,
  nameSides,
  renderAskedYears,
  renderSides,
  sayClaim,
  sayDifference,
  sayParts,
} from './answer-parts.ts';
import type { SearchPageView } from './search-page-view.ts';

const LOOKS = ['now', 'was'] as const;

/** Writes both numbers of a comparison, and whether their difference says anything. */
export function answerComparison(view: SearchPageView): Answer | undefined {
  const { layout, comparison, reading, dataEnd } = view;
  const sentence = describeComparison(view);
  if (comparison === undefined || reading?.against === undefined || sentence === undefined) return undefined;
  const { say, day, daysOfYear } = layout.localization;
  const { search, against } = reading;
  const { count, against: other, isChance, whole, shared } = comparison;
  const { filed_from, filed_to } = search;
  const isPart = [search, against].some(({ filed_to }) => filed_to > dataEnd);
  const labels = nameSides(layout, search, against);
  const sides = [
    { href: formatPageAddress(search), text: labels[0], count },
    { href: formatPageAddress(against), text: labels[1], count: other },
  ];
  const days =
    isPartOfYears(search, against) && say('compare.days', { days: daysOfYear(filed_from, filed_to) });
  const about = isSameDays(search, ALL_TIME) ? describeAllTime(view) : days;
  if (findOnlyKnown(view, [search, against]) !== undefined) return { sentence };
  const isSame = isSameDays(search, against);
  const isOfYears = isSameButDays(search, against) && isYearApart(search, against);
  const numerals = sides.map(({ href, text: label, count: n }, i) => ({ n, label, href, look: LOOKS[i]! }));
  const bars = isOfYears && renderAskedYears(view, search, { days: against, counts: [count, other] });
  const mixed = reading.words.filter((word) => word.mixed !== undefined);
  return {
    ...(about && { about }),
    sentence,
    ...(bars ? { bars, numerals } : { more: renderSides(view) ?? renderCounted(view, sides) }),
    ...linkComparison(view, search, against),
    caveat: [
      ...(mixed.length > 0 ? mixed.map((word) => sayNamed(layout, [word])) : [describeUnlike(view)]),
      whole && linkWhole(layout, whole),
      reading.isUnion &&
        say('compare.union.list', {
          one: sayVersus(view, search, { ...against, q: search.q, category: search.category }),
        }),
      !reading.isUnion && count !== other && isChance && say('compare.chance'),
      ...sides.map((side) => isSame && side.count === 0 && say('compare.zero', { name: side.text })),
      shared !== undefined && say('compare.shared', { n: shared }),
      ...listLeft(view, search, against),
      isPart && say('compare.part', { day: day(dataEnd) }),
      !isSame && describeBeginning(view, search, against),
    ],
  };
}

/** Says how many businesses have a status that neither side of a comparison of statuses has. */
function listLeft(view: SearchPageView, search: Question, against: Question): string[] {
  const { say } = view.layout.localization;
  if (String(search.status) === String(against.status)) return [];
  const asked = [...search.status, ...against.status];
  return listUntold(view)
    .filter(({ value }) => !asked.includes(value))
    .map(({ value, count: n }) => say('compare.left', { n, status: formatStatus(view.layout, value) }));
}

/** Leads to all of the kind that one side is only a part of. */
function linkWhole(layout: PageLayout, { question, count }: Whole): Markup {
  const link = linkTo(formatPageAddress(question), describeFound({ layout, question }, count));
  return fillMarkup(layout.localization.say('compare.unlike.whole'), { link });
}

/** Returns which side the data has, if the other is before or after it: that is no period without businesses. */
function findOnlyKnown(
  { dataEnd, stats }: Pick<SearchPageView, 'dataEnd' | 'stats'>,
  sides: readonly [Days, Days],
): 0 | 1 | undefined {
  const [isFirstOut, isSecondOut] = sides.map(
    (side) => side.filed_from > dataEnd || isBeforeData(side, stats.byMonth),
  );
  return isFirstOut === isSecondOut ? undefined : isFirstOut ? 1 : 0;
}

/** Says which side of a comparison has more. */
export function describeComparison(view: SearchPageView): string | undefined {
  const { layout, comparison, reading, dataEnd } = view;
  if (comparison === undefined || reading?.against === undefined) return undefined;
  const { localization } = layout;
  const { say } = localization;
  const { search, against } = reading;
  const { count, against: other } = comparison;
  const [one, another] = nameSides(layout, search, against);
  // the same days of two years stand above the sentence
  const isNamed = isYearApart(search, against) && !isWholeMonths(search);
  const asYear = (side: Question) => (isNamed ? { ...side, ...spanYear(yearOf(side.filed_from)) } : side);
  const parts: [number, Question][] = [
    [count, search],
    [other, against],
  ];
  if (reading.isUnion && isSameButDays(search, against)) return sayParts(view, parts);
  if (reading.isUnion)
    return localization.list(parts.map(([n, question]) => describeFound({ layout, question }, n)));
  const only = findOnlyKnown(view, [search, against]);
  if (only !== undefined)
    return say([against, search][only]!.filed_from > dataEnd ? 'compare.ended' : 'compare.started', {
      month: nameDataStart(view),
      what: describeRegistered({ layout, question: [search, against][only]! }, [count, other][only]!),
      day: localization.day(dataEnd),
      name: [another, one][only]!,
    });
  if (count === 0 && other === 0)
    return sayClaim(view, say('compare.neither', { one, other: another }), reading.claim && false);
  const values = {
    what: describeRegistered({ layout, question: asYear(search) }, count),
    other: sayVersus(view, asYear(against), asYear(search)),
    undecided: describeUndecided(view, 'compare'),
    difference: sayDifference(view.layout, count, other),
  };
  const kind = count === other ? 'compare.same' : count > other ? 'compare.more' : 'compare.fewer';
  const what =
    other >= FEWEST_RANKED && count >= 2 * other
      ? say('compare.times', { ...values, times: round(count / other) })
      : say(kind, values);
  const isTold = String(search.status) === String(against.status) || listUntold(view).length === 0;
  return sayClaim(view, what, isTold ? reading.claim && kind === `compare.${reading.claim}` : undefined);
}

/** Links to the numbers of both sides: of two years to their comparison, of two places or kinds to a table of both. */
function linkComparison(
  { typed, question }: SearchPageView,
  search: Question,
  against: Question,
): Pick<Answer, 'address' | 'table' | 'chart' | 'numbers'> {
  const isOfYears = isSameButDays(search, against) && isSameDays(against, findDaysBefore(search));
  if (isOfYears && search.filed_from !== '')
    return {
      table: formatChangesAddress(search),
      chart: formatSearchAddress('/chart.png', search, COMPARED),
      numbers: formatSearchAddress('/api/stats.csv', search, 'by=month'),
    };
  const by = String(search.category) === String(against.category) ? 'neighborhood' : 'category';
  const both = { ...search, [by]: [...new Set([...search[by], ...against[by]])] };
  const isSame = isSameDays(search, against);
  const isTable = search.q === against.q && search[by].length > 0 && against[by].length > 0;
  const numbers = isTable && formatSearchAddress('/api/stats.csv', both, `by=${by}`);
  return {
    address: formatPageAddress(typed ?? question), // only the question itself has both
    ...(isSame && { chart: false as const, numbers }),
  };
}

/** Says what a search is compared with, by what differs: `in 2014`, `in Old Town` or `Bars & Nightlife`. */
function sayVersus(view: SearchPageView, other: Question, search: Question): string {
  const { layout } = view;
  const { say, list } = layout.localization;
  const { filed_from, filed_to } = search;
  const span = isSameDays(other, search) ? '' : describeSpan(layout, other);
  if (span !== '' && isSameButDays(other, search)) return span;
  // `in Wrigley in 2014`
  if (span !== '') return `${sayVersus(view, { ...other, filed_from, filed_to }, search)} ${span}`;
  const [name] = nameSides(layout, other, search);
  if (String(other.status) !== String(search.status)) return name;
  const isOfKind = other.q === search.q && String(other.category) === String(search.category);
  if (isOfKind && other.neighborhood.length > 0 && !other.neighborhood.some(isUnknown))
    return say('search.title', { what: '', place: list(other.neighborhood) }).trim();
  return name === nounFor(layout.city, other.category, 2) ? say('compare.kind', { kind: name }) : name;
}

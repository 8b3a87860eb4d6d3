/** Renders the head of the newest listings, and of one neighborhood: a headline from counts, and what is usual. */

import { isUnknown } from '../../shared/city/value-names.ts';
import {
  clipDays,
  type Days,
  findOldest,
  isOneYear,
  isOverlap,
  isSameDays,
  spanDaysTo,
  spanYear,
  sumCounts,
  yearOf,
} from '../../shared/periods.ts';
import { asksAnything, EVERYTHING, isExcluded, type Question } from '../../shared/question.ts';
import { enlarge, renderNumerals } from '../answer-card.ts';
import { renderBars } from '../chart/years.ts';
import { linkTo, type Markup, markup } from '../markup.ts';
import { describeRegistered } from '../question-text.ts';
import { formatPageAddress } from '../search-view.ts';
import { renderWeeks } from '../week/edition-picture.ts';
import { compareYearBefore } from './answer.ts';
import { describeNoneBefore, renderAskedYears } from './answer-parts.ts';
import type { SearchPageView } from './search-page-view.ts';

/** From this many usual weeks on, a week is named as unusual. */
const SPIKE = 2.5;
const DAYS_OF_WEEK = 7;

/** Renders the headline of the newest listings: the days that the map counts, what is usual, and the weeks or years before. */
export function renderHeadline(view: SearchPageView): Markup | undefined {
  const { layout, question, week, years, beside, stats, dataEnd, today } = view;
  const shown = beside?.days;
  if (shown === undefined || asksAnything(question)) return undefined;
  const { count, day, monthDay, number, say } = layout.localization;
  const { filed_from, filed_to } = shown;
  const isYear = isOneYear(shown);
  const isWeek = week !== undefined && isSameDays(week.days, shown);
  const year = spanYear(yearOf(filed_from));
  const days = isSameDays(shown, clipDays(year, dataEnd)) ? year : shown;
  const n = sumCounts(beside!.facets.category);
  const registered = describeRegistered(
    { layout, question: { ...EVERYTHING, ...(isYear && days) } },
    n,
    dataEnd,
  );
  const headline = isWeek
    ? count('home.week', n, { day: monthDay(filed_to, 'long', yearOf(today)) })
    : isYear
      ? registered
      : say('home.months', { what: registered, day: day(filed_to) });
  const oldest = findOldest(stats.byMonth) ?? dataEnd;
  const isSpike = isWeek && week.usual !== undefined && n > week.usual * SPIKE;
  const state = layout.hasNews()
    ? isSpike
      ? 'home.spike'
      : week?.isLate
        ? 'home.late'
        : (!isWeek || week.usual === undefined) && 'home.lead' // a week ends with the latest filing
    : years?.before === undefined && 'home.archive';
  const lead = state && say(state, { day: day(dataEnd), year: yearOf(oldest), n: stats.total });
  const compared = years?.before ? compareYearBefore(view, n, years.before) : [];
  const usual = week?.usual !== undefined && count('home.usual', week.usual);
  const linkDays = (some: Days) => formatPageAddress({ ...EVERYTHING, ...some });
  const bars = isWeek
    ? renderWeeks(layout.localization, week.weeks, (last) => linkDays(spanDaysTo(last, DAYS_OF_WEEK)))
    : renderBars(view, (some) => (isYear && isOverlap(shown, some) ? 'now' : 'other'));
  return markup`<h1 id="found" tabindex="-1">${linkTo(linkDays(shown), enlarge(headline, number(n)))}</h1>
<p class="lead">${usual} ${compared.filter(Boolean).join(' ')} ${lead} ${layout.city.invented && say('footer.invented')}</p>${bars}`;
}

/** Returns whether a search asks for one neighborhood and nothing else but a group. */
export function isCorner({ neighborhood, offset, ...others }: Question): boolean {
  const [place, other] = neighborhood;
  const isOne = place !== undefined && !isExcluded(place) && other === undefined && offset === 0;
  return isOne && !asksAnything({ ...others, offset, neighborhood: [] });
}

/** Renders the head of one neighborhood: its year so far beside the year before, and what is new to this device. */
export function renderCorner(view: SearchPageView): Markup | undefined {
  const { layout, question, years } = view;
  const [place = ''] = question.neighborhood;
  if (years === undefined || !isCorner(question)) return undefined;
  const { say, day, nameValue, monthDay, share } = layout.localization;
  const fresh =
    layout.hasNews() &&
    markup`<div class="mine" id="since" hidden><dt>${say('corner.since')}</dt><dd></dd></div>`;
  const { now, before } = years;
  const counts = before && ([now.count, before.count] as const);
  const { filed_to } = now.days;
  const year = yearOf(filed_to);
  const own = {
    n: now.count,
    label: isOneYear(now.days)
      ? say('corner.count', { year, day: monthDay(filed_to, 'long', year) })
      : say('corner.months', { day: day(filed_to) }),
    href: formatPageAddress({ ...question, ...now.days }),
  };
  const bars = renderAskedYears(view, now.days, counts && { days: before.days, counts });
  const compared = before ? compareYearBefore(view, now.count, before) : [describeNoneBefore(view)];
  const whole = years.cityChange !== undefined && say('corner.city', { change: share(years.cityChange) });
  return markup`<h1 id="found" tabindex="-1">${nameValue('neighborhood', place)}</h1>
<div class="figures tally">${renderNumerals(layout.localization, [own], fresh)}${bars}<p class="lead">${compared.filter(Boolean).join(' ')} ${whole}</p></div>`;
}

/** Renders the button that remembers a neighborhood on this device, and what that keeps. */
export function renderKeep({ layout, question, years }: SearchPageView): Markup | undefined {
  const { say } = layout.localization;
  const [place = ''] = question.neighborhood;
  if (years === undefined || !isCorner(question) || isUnknown(place)) return undefined;
  return markup`<span class="corner" id="corner" data-place="${place}"><button class="quiet" type="button"
 data-keep="${say('corner.forget')}">${say('corner.keep')}</button><span class="note">${say('corner.note')}</span></span>`;
}

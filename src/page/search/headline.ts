/** Renders the head of the newest listings, and of one neighborhood: a headline from counts, and what is usual. */

import { yearOf } from '../../shared/periods.ts';
import { EVERYTHING, type Question } from '../../shared/question.ts';
import { type Markup, markup } from '../markup.ts';
import { formatPageAddress } from '../search-view.ts';
import { renderNumerals } from './numerals.ts';
import type { SearchPageView } from './search-page-view.ts';

/** From this many usual weeks on, a week is named as unusual. */
const SPIKE = 2.5;

/** Renders the headline of the newest listings: the last week, or what an archive has. */
export function renderHeadline({
  layout,
  question,
  week,
  stats,
  dataEnd,
  isArchive,
  today,
}: SearchPageView): Markup | undefined {
  if (formatPageAddress(question) !== '/') return undefined;
  const { count, day, monthDay, month, say } = layout.localization;
  const end = week?.days.filed_to || dataEnd;
  const until = { day: monthDay(end, 'long', isArchive ? undefined : yearOf(today)) };
  if (isArchive || week === undefined) {
    const oldest = stats.byMonth.at(-1)?.value ?? dataEnd;
    const lead = say(isArchive ? 'home.archive.lead' : 'home.lead', {
      day: day(dataEnd),
      month: month(oldest, 'long'),
    });
    return markup`<h1 id="found" tabindex="-1">${count('home.archive', stats.total, until)}</h1><p class="lead">${lead}</p>`;
  }
  const here = formatPageAddress({ ...EVERYTHING, ...week.days });
  const isSpike = week.usual !== undefined && week.n > week.usual * SPIKE;
  const usual = week.usual === undefined ? '' : count('home.usual', week.usual);
  const state = isSpike ? 'home.spike' : week.isLate ? 'home.late' : 'home.lead';
  const lead = say(state, { day: day(dataEnd) });
  return markup`<h1 id="found" tabindex="-1"><a href="${here}" rel="nofollow">${count('home.week', week.n, until)}</a></h1>
<p class="lead">${usual} ${lead}</p>`;
}

/** Returns whether a search asks for one neighborhood and nothing else but a group. */
export function isCorner({ neighborhood, offset, ...others }: Question): boolean {
  return (
    neighborhood.length === 1 &&
    offset === 0 &&
    formatPageAddress({ ...others, offset, neighborhood: [] }) === '/'
  );
}

/** Renders the head of one neighborhood: its numbers, and the button that remembers it on this device. */
export function renderCorner({
  layout,
  question,
  corner,
  isArchive,
  dataEnd,
}: SearchPageView): Markup | undefined {
  const [place = ''] = question.neighborhood;
  if (corner === undefined) return undefined;
  const { say, monthDay, nameValue } = layout.localization;
  const [year, day] = [yearOf(dataEnd), monthDay(dataEnd, 'short', yearOf(dataEnd))];
  const { now, before } = corner;
  const numerals = [
    {
      n: now.count,
      label: say('corner.now', { year, day }),
      href: formatPageAddress({ ...question, ...now.days }),
    },
    {
      n: before.count,
      label: say('corner.before', { year: String(Number(year) - 1) }),
      href: formatPageAddress({ ...question, ...before.days }),
    },
  ];
  const fresh =
    !isArchive && markup`<div class="mine" id="since" hidden><dt>${say('corner.since')}</dt><dd></dd></div>`;
  const keep = markup`<p class="fold corner" id="corner" data-place="${place}"><button class="quiet" type="button" data-keep="${say('corner.forget')}">${say('corner.keep')}</button><span class="note">${say('corner.note')}</span></p>`;
  return markup`<h1 id="found" tabindex="-1">${nameValue('neighborhood', place)}</h1>${renderNumerals(layout.localization, numerals, fresh || undefined)}${keep}`;
}

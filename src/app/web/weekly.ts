/** Adds GET /weekly and /weekly/DATE: past weekly emails, with filters. Listings cost as much as in a search. Makes the pictures of the newest one. */

import type { FastifyInstance } from 'fastify';
import type { Markup } from '../../page/markup.ts';
import type { PageLayout } from '../../page/page-layout.ts';
import { formatPageAddress } from '../../page/search-view.ts';
import { renderEditionPicture } from '../../page/week/edition-picture.ts';
import { describeNews, formatFiled, formatLead } from '../../page/week/news.ts';
import { type EditionNews, renderEditionPage, renderEditionsPage } from '../../page/week/weekly-pages.ts';
import { countWeeks } from '../../service/search/index/data-end.ts';
import type { ListingIndex } from '../../service/search/index/open.ts';
import { parseSearchQuery } from '../../service/search/query.ts';
import { countCells, priceOf } from '../../service/web/limits/charge.ts';
import { addDataPage } from '../../service/web/routes/route-kinds.ts';
import { isUnknown } from '../../shared/city/value-names.ts';
import { type Day, toLocalDay } from '../../shared/day.ts';
import { MOST_WEEKS } from '../../shared/edition/highlight.ts';
import { SHOWN_WEEKS } from '../../shared/edition/week.ts';
import { spanDaysTo } from '../../shared/periods.ts';
import { EVERYTHING, FURTHEST, PAGE_LIMIT, type Question } from '../../shared/question.ts';
import { NO_PREFERENCES } from '../../shared/signup/preferences.ts';
import { describeNextEdition, type PageContext } from './page-context.ts';

/** Search engines may list emails, as people look for them, but keep no copy of what may be removed. The pages have a form. */
const OPTIONS = { referrer: 'same-origin', robots: 'noarchive' } as const;

export function weeklyRoutes(app: FastifyInstance, context: PageContext): void {
  addDataPage(app, context, '/weekly', {
    ...OPTIONS,
    answer({ data, query }) {
      const { index } = data;
      const question = readEditionFilters(query);
      const all = index.listEditions(question).filter(({ total }) => total > 0);
      const page = all.slice(question.offset, question.offset + PAGE_LIMIT);
      // the first sentence of an edition names its only listing
      const identities = page
        .filter(({ total }) => total === 1)
        .map(({ edition }) => index.readEdition(edition, { ...question, offset: 0 })!.identities[0]!);
      const last = context.layout.hasNews() ? undefined : findLastWeek(context.layout, index, question);
      const render = () => {
        const newsOf = openNews(context, index, question);
        const editions = page.map((one) => ({ ...one, lead: newsOf(one.edition).lead }));
        return renderEditionsPage({
          ...viewOf(context, index, question),
          ...{ shown: { path: '/weekly' }, editions, total: all.length },
          ended: last && { ...last, listings: index.readListings(last.rows) },
          planned: describeNextEdition(context),
        });
      };
      const listed = [...identities, ...(last?.identities ?? [])];
      const cells = last ? countCells(last.byNeighborhood, last.news.byCategory) : 0;
      const price = priceOf(data, `editions from ${question.offset}`, question, {
        identities: listed,
        cells,
      });
      return { price, render };
    },
  });
  addDataPage(app, context, '/weekly/:edition', {
    ...OPTIONS,
    answer({ data, query, params }) {
      const { index } = data;
      const { edition } = params as { edition: string };
      const question = readEditionFilters(query);
      const found = index.readEdition(edition, question);
      if (found === undefined) return { code: 'not-found' };
      const { total, introduction, identities, rows, places, previous } = found;
      const cells = countCells(places, found.byCategory);
      const render = () => {
        return renderEditionPage({
          ...viewOf(context, index, question),
          shown: { path: `/weekly/${edition}` },
          edition,
          total,
          introduction,
          places,
          previous,
          news: total === 0 ? undefined : openNews(context, index, question)(edition),
          listings: index.readListings(rows),
        });
      };
      return { price: priceOf(data, `edition ${edition}`, question, { identities, cells }), render };
    },
  });
}

/** Returns a function that writes the heading and the first sentences of an edition, from what is listed now. */
function openNews({ city, layout }: PageContext, index: ListingIndex, question: Question) {
  const { category: categories, neighborhood: neighborhoods } = question;
  const wanted = { categories, neighborhoods };
  const counts = index.listEditions(question);
  const all = counts.map(({ edition }) => edition);
  const known = new Map<Day, ReturnType<typeof read>>();
  function read(edition: Day) {
    const { rows, arrived, filed, ...counts } = index.readEdition(edition, {
      ...question,
      offset: 0,
      limit: 1,
    })!;
    const [first] = index.readListings(rows);
    const toDay = (at = '') => at && toLocalDay(city.timeZone, at);
    const days = { from: toDay(arrived?.from), to: toDay(arrived?.to) };
    const listings = filed.map((filing_date) => ({ filing_date, name: first!.name }));
    return { edition, ...counts, ...days, filed, listings };
  }
  const readOnce = (edition: Day) => known.getOrInsertComputed(edition, read);
  return (edition: Day): EditionNews => {
    const at = all.indexOf(edition);
    const earlier = all.slice(at + 1, at + 1 + MOST_WEEKS).map(readOnce);
    const content = readOnce(edition);
    const totals = counts.slice(at + 1);
    const { localization } = layout;
    const news = describeNews({ localization, city, content, wanted }, { earlier, totals });
    const { headline: title, first, usual, week } = news;
    return {
      weeks: chooseWeeks(index, question, week.weeks, content.filed[0]),
      hrefOf: (last) =>
        isYoung(week.weeks)
          ? formatPageAddress({ ...question, ...spanDaysTo(last, WEEK) })
          : `/weekly/${last}`,
      byCategory: content.byCategory,
      title,
      lead: [first, ...usual].join(' '),
      filed: formatFiled(localization, content),
    };
  };
}

/** Reads the filters and the page from a query. Ignores invalid parameters, as all pages do. */
function readEditionFilters(query: string): Question {
  const { category, neighborhood, offset } = parseSearchQuery(query).question;
  return { ...EVERYTHING, category, neighborhood, offset: Math.min(offset, FURTHEST - PAGE_LIMIT) };
}

function viewOf({ layout }: PageContext, index: ListingIndex, question: Question) {
  return { layout, question: index.spellQuestion(question) };
}

/** Finds the last week of a register that has ended, with what an edition would say of it. */
function findLastWeek(layout: PageLayout, index: ListingIndex, question: Question) {
  const days = spanDaysTo(index.dataEnd, WEEK);
  const { rows, identities } = index.search({ ...question, ...days, offset: 0 });
  const { weeks, byCategory, byNeighborhood } = countNewestWeek(index, question);
  const { total } = weeks[0]!;
  const news: EditionNews = {
    title: sayEndedWeek(layout, total),
    lead: formatLead(layout.localization, { total, byCategory, byNeighborhood, listings: [], plain: '' }),
    filed: '',
    weeks: weeks.toReversed(),
    hrefOf: (last) => formatPageAddress({ ...question, ...spanDaysTo(last, WEEK) }),
    byCategory,
  };
  return { days, rows, identities, total, byNeighborhood, news };
}

function sayEndedWeek({ city, localization }: PageLayout, total: number): string {
  return localization.count('ended.title', total, { city: city.name });
}

const WEEK = 7;
const FEWEST_WEEKS = 3;
const NAMED = 3; // businesses on the picture of an edition

type Weeks = Readonly<ReturnType<typeof countWeeks>>;

const isYoung = (weeks: Weeks) => weeks.length < FEWEST_WEEKS;

/** Returns the weeks of editions or, beside the first ones, those of filings to a day. */
function chooseWeeks(index: ListingIndex, question: Question, weeks: Weeks, last = index.dataEnd): Weeks {
  return isYoung(weeks) ? countWeeks(index, question, last, SHOWN_WEEKS).reverse() : weeks;
}

/** Returns a function that makes the picture once for each version of the data. */
export function openNewestEdition(
  layout: () => PageLayout,
  index: () => ListingIndex | undefined,
): PageLayout['newestEdition'] {
  const editions = new WeakMap<ListingIndex, Markup | undefined>();
  return () => {
    const now = index();
    if (now === undefined) return undefined;
    return editions.getOrInsertComputed(now, () => makePicture(layout(), now));
  };
}

function makePicture(layout: PageLayout, index: ListingIndex) {
  const { city, localization } = layout;
  const isEnded = !layout.hasNews();
  const { isSent, weeks, ...counts } =
    (!isEnded && countEdition(index)) || countNewestWeek(index, EVERYTHING);
  const [{ edition, total } = { edition: '', total: 0 }, ...earlier] = weeks;
  if (total === 0) return undefined;
  const plain = isEnded ? { plain: '' } : {}; // nothing of an archive is recent
  const content = { ...counts, ...plain, edition, total, from: '', to: '', listings: [] };
  const facts = { localization, city, content, wanted: NO_PREFERENCES };
  const { headline, first: lead, week } = describeNews(facts, { earlier: [], totals: earlier });
  const title = isEnded ? sayEndedWeek(layout, total) : headline;
  const place = counts.byNeighborhood.find(({ value }) => !isUnknown(value));
  const named = { ...EVERYTHING, neighborhood: place ? [place.value] : [], limit: NAMED };
  const { rows } = isSent
    ? index.readEdition(edition, named)!
    : index.search({ ...named, ...spanDaysTo(index.dataEnd, WEEK) });
  const listings = index.readListings(rows);
  const shown = { ...week, weeks: isSent || isEnded ? week.weeks : [] }; // the first emails have no earlier ones to show
  const newest = { ...counts, edition, isSent, isEnded, week: shown, title, lead, place, listings };
  return renderEditionPicture(localization, newest);
}

function countEdition(index: ListingIndex) {
  const weeks = index.listEditions(EVERYTHING);
  const [last] = weeks;
  const page = last && index.readEdition(last.edition, { ...EVERYTHING, limit: 1 });
  if (page === undefined) return undefined;
  return { isSent: true, weeks, byCategory: page.byCategory, byNeighborhood: page.byNeighborhood };
}

function countNewestWeek(index: ListingIndex, question: Question) {
  const days = spanDaysTo(index.dataEnd, WEEK);
  const { category, neighborhood } = index.facets({ ...question, ...days });
  const weeks = countWeeks(index, question, index.dataEnd, SHOWN_WEEKS);
  return { isSent: false, weeks, byCategory: category, byNeighborhood: neighborhood };
}

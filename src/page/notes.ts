/** Renders the one note above the first row: what became of the words of a question, and what may be meant instead. */

import { ALL_TIME, isSameDays } from '../shared/periods.ts';
import { asksAnything } from '../shared/question.ts';
import type { ReadWord } from '../shared/reading.ts';
import { rememberTexts } from '../shared/remember.ts';
import { toSingular } from '../shared/text/word-forms.ts';
import { foldWords } from '../shared/words.ts';
import { formatStatus } from './filters.ts';
import { fillMarkup, linkTo, type Markup, markup } from './markup.ts';
import type { PageLayout } from './page-layout.ts';
import { formatPageAddress, type SearchView } from './search-view.ts';

/** Maximum other words to name. */
const MOST_OTHERS = 6;

type NotedView = SearchView & { total?: number; similar?: readonly unknown[] };

/** Renders all sentences as one paragraph. `doubts` are further sentences. */
export function renderNotes(view: NotedView, doubts: readonly Markup[] = []): Markup | undefined {
  const read = [...listServices(view), ...listCorrected(view), ...listMeant(view)];
  const all = [...read, ...doubts, ...listTyped(view)].map((one) => markup`<span>${one}</span> `);
  return all.length === 0 ? undefined : markup`<p class="doubt">${all}</p>`;
}

/** Folds phrases of a text for comparison with the words of a question. */
const foldPhrases = rememberTexts((text) => text.split('|').map((phrase) => ` ${foldWords(phrase)} `));

/** Leads people who ask for a service, and not for businesses, to where it is: corrections, emails, or the publisher who registers. */
function listServices({ layout, question, typed = question }: SearchView): Markup[] {
  const { say } = layout.localization;
  const asked = ` ${foldWords(typed.q)} `;
  const [source] = layout.city.sources;
  const services = { correct: '/correct', email: '/signup', register: source!.homepage };
  return (Object.entries(services) as [keyof typeof services, string][])
    .filter(([service]) => foldPhrases(say(`ask.${service}`)).some((phrase) => asked.includes(phrase)))
    .map(([service, address]) => linkTo(address, say(`ask.${service}.to`, { publisher: source!.publisher })));
}

/** Says that the results are for another spelling, because nothing or almost nothing has the one that was typed. */
function listCorrected({ layout, reading }: SearchView): Markup[] {
  const { say, list } = layout.localization;
  const corrected = reading?.words.filter(({ fate }) => fate === 'corrected') ?? [];
  if (corrected.length === 0) return [];
  const what = list(corrected.map(({ to = '' }) => say('chip.q', { q: to })));
  const word = corrected.map(({ text }) => text).join(' ');
  const spelled = fillMarkup(say('meant.spelled'), { what: markup`<strong>${what}</strong>` });
  return [markup`${spelled} ${say('warning.misspelled', { word })}`];
}

/** Says what became of words that are not used, mean a period or are counted back from the newest filing. */
function listMeant({
  layout,
  question,
  anyTime,
  typed,
  total,
  reading,
  stats,
  similar = [],
}: NotedView): Markup[] {
  const { say, day, list } = layout.localization;
  if (reading === undefined) return [];
  const { words, countedFrom } = reading;
  const city = layout.city.name;
  const facts = { city, statuses: list(stats.by.status.map(({ value }) => formatStatus(layout, value))) };
  const said = words.flatMap(({ text, fate, to, why }) => {
    if (fate === 'place' && to !== undefined) return [say('meant.place', { word: text, place: to, city })];
    if (fate === 'excluded') return [say('meant.excluded', { word: text })];
    if (fate === 'kind' && to !== undefined) return [];
    if (why === 'unknown' && reading.untold && reading.search.q === '') return [];
    if (why === 'together' && similar.length > 0) return []; // what each finds is said
    return why === undefined || why === 'near' || why === 'filings'
      ? []
      : [say(`meant.unused.${why}`, { word: text, ...facts })];
  });
  // one sentence for all of which filings tell nothing
  const untold = words.filter(({ why }) => why === 'filings').map(({ text }) => text);
  if (untold.length > 0) said.unshift(say('meant.unused.filings', { word: untold.join(', ') }));
  const isAll = words.every(({ fate }) => fate !== 'name' && fate !== 'synonym');
  const ofKinds = words.filter(({ fate, to }) => fate === 'kind' && to !== undefined);
  for (const [kind = '', some] of Map.groupBy(ofKinds, ({ to }) => to))
    said.push(
      say(isAll ? 'meant.kind' : 'meant.kind.among', { word: some.map(({ text }) => text).join(', '), kind }),
    );
  if (typed !== undefined && question.status.includes('open') && !typed.status.includes('open'))
    said.unshift(say('meant.open'));
  if (countedFrom !== undefined) said.push(say('meant.counted', { day: day(countedFrom) }));
  const newest = typed && reading.answer === 'list' && words.find(({ fate }) => fate === 'newest');
  if (newest) said.push(say('meant.newest', { word: newest.text }));
  const latest = isSameDays(question, ALL_TIME) && anyTime.latestFiling;
  if (newest && latest) said.push(say('meant.newest.day', { day: day(latest) }));
  const meant: Markup[] = said.map((one) => markup`${one}`);
  for (const { text, to, fate, mixed, others = [] } of words) {
    const word = fate === 'corrected' && to ? to : text;
    if (others.length > 0 && total !== 0 && mixed === undefined) {
      meant.push(markup`${say('meant.synonym', { word, others: list(others.slice(0, MOST_OTHERS)) })}`);
    }
  }
  for (const [type, some] of Map.groupBy(words, ({ mixed }) => mixed)) {
    if (type === undefined) continue;
    const whole = formatPageAddress({ ...question, q: `"${type}"`, offset: 0 });
    // a comparison says it itself, because it changes who has more
    if (reading.unlike !== undefined) continue;
    const why = reading.against === undefined && sayNamed(layout, some);
    meant.push(markup`${why} ${linkTo(whole, say('meant.mixed.all', { type }))}`);
  }
  return meant;
}

/** Folds the words of a phrase, in the singular. */
const toKey = (phrase: string) => ` ${foldWords(phrase).split(' ').map(toSingular).join(' ')} `;

/** Says by which words of names businesses are counted. */
export function sayNamed({ localization }: PageLayout, words: readonly ReadWord[]): string {
  const { say, either } = localization;
  const all = words.flatMap(({ text, to, fate, others = [] }) => {
    const typed = (fate === 'corrected' && to) || text;
    // no name has `brewerys`
    const asked = /[^aeiou]ys$/i.test(typed) ? toSingular(typed) : typed;
    // names with `nail` are also those with `nail salons`
    const isPart = others.some((other) => toKey(asked).includes(toKey(other)));
    return [...(isPart ? [] : [asked]), ...others.slice(0, MOST_OTHERS)];
  });
  return say('meant.mixed', { words: either([...new Set(all)].map((q) => say('chip.q', { q }))) });
}

/** Says that the results are not for the words as typed, with a link to results for those words, if any. */
function listTyped({ layout, typed, typedTotal = 0, total }: NotedView): Markup[] {
  const { say, number } = layout.localization;
  if (typed === undefined || typedTotal === 0 || typedTotal === total || !asksAnything(typed)) return [];
  const words = say('meant.words', { word: typed.q, n: number(typedTotal) });
  const href = `${formatPageAddress(typed)}&as=typed`;
  return [markup`<a class="plain" href="${href}" rel="nofollow">${words}</a>`];
}

/** What was found: 25 openings at most, by the day of their filing; where to go on; and help where there is nothing. */

import type { Listing } from '../listings/listing.ts';
import { asksAnything, FURTHEST, PAGE_LIMIT, type ParameterFault } from '../search/parameters.ts';
import { chips, statusWord } from './filters.ts';
import { type Markup, markup } from './markup.ts';
import { addressOf, asking, type Shown } from './shown.ts';
import type { Speech } from './speech.ts';

export function results(shown: Shown): Markup {
  const { listings, total } = shown;
  return markup`<section class="results" id="results" data-live aria-labelledby="found">
<div class="found"><h2 id="found">${heading(shown)}</h2>${total > 0 && listings.length > 0 && range(shown)}</div>
${chips(shown)}
${shown.warnings.map((one) => warning(shown, one))}
${listings.length === 0 ? help(shown) : ledger(shown.dress.speech, listings)}
${pages(shown)}
</section>`;
}

function heading({ dress, question, total }: Shown): string {
  const { say } = dress.speech;
  if (total === 0) return nothing(say, question);
  if (!asksAnything(question)) return say('results.newest');
  return total === 1 ? say('results.one') : say('results.many', { n: total });
}

function nothing(say: Speech['say'], { q, category, neighborhood, status }: Shown['question']): string {
  const place = [...neighborhood, ...category, ...status.map((one) => statusWord(say, one))].join(', ');
  if (place === '') return q === '' ? say('results.none') : say('results.none.q', { q });
  return q === '' ? say('results.none.in', { place }) : say('results.none.both', { place, q });
}

function range({ dress, question, total, listings }: Shown): Markup {
  const from = question.offset + 1;
  const values = { from, to: question.offset + listings.length, n: total };
  return markup`<p class="note">${dress.speech.say('results.range', values)}</p>`;
}

/** Days as headings, as in a register. */
function ledger(speech: Speech, listings: readonly Listing[]): Markup {
  const days = [...new Set(listings.map(({ filing_date }) => filing_date))];
  return markup`<div class="ledger">${days.map(
    (day) => markup`<h3><time datetime="${day}">${speech.date(day)}</time></h3>
<ul>${listings.filter(({ filing_date }) => filing_date === day).map((listing) => entry(speech, listing))}</ul>`,
  )}</div>`;
}

function entry({ say }: Speech, { name, category, neighborhood, status }: Listing): Markup {
  return markup`<li><span class="name">${name}</span><span class="facts">${category}, ${neighborhood}</span><span class="badge is-${status}">${statusWord(say, status)}</span></li>`;
}

function warning(
  { dress, question }: Shown,
  { parameter, detail: said, did_you_mean }: ParameterFault,
): Markup {
  const detail = said;
  if (did_you_mean === undefined) return markup`<p class="doubt">${detail}</p>`;
  const href = asking(question, parameter === 'q' ? { q: did_you_mean } : { [parameter]: [did_you_mean] });
  const meant = dress.speech.say('help.meant', { value: did_you_mean });
  return markup`<p class="doubt">${detail} <a href="${href}" rel="nofollow">${meant}</a></p>`;
}

/** Nothing in one neighborhood is not nothing in the city. */
function help({ dress, question, total, without }: Shown): Markup {
  const { say } = dress.speech;
  if (total > 0)
    return markup`<p>${say('results.past')} <a href="${asking(question, {})}" rel="nofollow">${say('results.first')}</a></p>`;
  const ways = (['neighborhood', 'category', 'status', 'q'] as const).flatMap((name) => {
    const n = without[name] ?? 0;
    if (n === 0) return [];
    const href = asking(question, { [name]: name === 'q' ? '' : [] });
    return [
      markup`<li><a href="${href}" rel="nofollow">${say(`help.${name}`, { n, q: question.q })}</a></li>`,
    ];
  });
  return markup`<ul class="help">${ways}<li><a href="/">${say('filter.clear')}</a></li></ul>`;
}

function pages({ dress, question, total, listings }: Shown): Markup {
  const { say } = dress.speech;
  const after = question.offset + listings.length;
  const isCapped = after < total && after >= FURTHEST;
  const next =
    listings.length > 0 && after < total && !isCapped ? addressOf({ ...question, offset: after }) : undefined;
  const previous =
    question.offset > 0 ? asking(question, { offset: Math.max(0, question.offset - PAGE_LIMIT) }) : undefined;
  if (next === undefined && previous === undefined) return markup``;
  const link = (href: string | undefined, rel: string, text: string) =>
    href === undefined
      ? undefined
      : markup`<a class="button quiet" rel="${rel} nofollow" href="${href}">${text}</a>`;
  return markup`<nav class="pages" aria-label="${say('results.many', { n: total })}">${link(previous, 'prev', say('results.previous'))}${link(next, 'next', say('results.next'))}</nav>${isCapped && markup`<p class="note">${say('results.capped', { n: FURTHEST })}</p>`}`;
}

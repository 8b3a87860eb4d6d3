/** The page at `/`: what has opened, and everything around it. A pure function of what it shows. */

import { asksAnything } from '../search/parameters.ts';
import { about } from './about.ts';
import { bars, months } from './charts.ts';
import { type Dress, documentOf } from './dress.ts';
import { searchForm } from './filters.ts';
import { map } from './map.ts';
import { type Markup, markup } from './markup.ts';
import { results } from './results.ts';
import { addressOf, type Shown } from './shown.ts';

/** HTML of the whole page. */
export function cityPage(shown: Shown): string {
  const { dress, question } = shown;
  const { say } = dress.speech;
  const asked = asksAnything(question);
  const main = markup`<section class="hero"><div class="wide">
<h1>${say('title')}</h1>
<p class="lead">${lead(shown)}</p>
${searchForm(shown)}
</div></section>
<div class="wide cols">
${results(shown)}
<div class="side" id="side" data-live>
${week(shown)}
${map(shown)}
${bars(shown, 'category', say('kinds.title'))}
${bars(shown, 'neighborhood', say('areas.title'))}
</div>
</div>
${months(shown)}
${shown.signup && email(dress, shown.signup)}
${about(shown)}`;
  const head = markup`<meta name="description" content="${lead(shown)}">
<link rel="canonical" href="${dress.publicUrl}/">
<link rel="alternate" type="application/feed+json" href="${addressOf({ ...question, offset: 0 }).replace('/', '/feed.json')}" title="${titleOf(shown)}">
${
  asked &&
  markup`<meta name="robots" content="noindex">
`
}`;
  return documentOf(dress, { title: titleOf(shown), main, head, isLive: true });
}

/** Before the first filings are read. */
export function waitingPage(dress: Dress, signup: Markup | undefined): string {
  const { say } = dress.speech;
  const main = markup`<section class="hero"><div class="wide"><h1>${say('title')}</h1><p class="lead">${say('waiting')}</p></div></section>
${signup && email(dress, signup)}
${about({ dress, asOf: null })}`;
  const head = markup`<meta http-equiv="refresh" content="5"><meta name="robots" content="noindex">
`;
  return documentOf(dress, { title: say('title'), main, head });
}

function titleOf({ dress, question: { q, category, neighborhood, status } }: Shown): string {
  const asked = [...(q === '' ? [] : [`“${q}”`]), ...category, ...neighborhood, ...status];
  return [...asked, dress.speech.say('title')].join(' · ');
}

function lead({ dress, stats }: Shown): string {
  const { say, day } = dress.speech;
  if (stats.latestFiling === null) return say('results.none');
  return say('lead', { n: stats.total, day: day(stats.latestFiling) });
}

function week({ dress, week: { total, listings }, today, signup }: Shown): Markup {
  const { say, day } = dress.speech;
  const values = { n: total, day: day(today) };
  const text = total === 0 ? say('week.none', values) : say(total === 1 ? 'week.one' : 'week.many', values);
  const first = listings.map(
    ({ name, category, neighborhood }) =>
      markup`<li><span class="name">${name}</span><span class="facts">${category}, ${neighborhood}</span></li>`,
  );
  return markup`<section class="panel week" aria-labelledby="week-title"><h2 id="week-title">${say('week.title')}</h2>
<p>${text}</p>${first.length > 0 && markup`<ul>${first}</ul>`}${signup && markup`<p><a href="#email">${say('week.email')}</a></p>`}</section>`;
}

function email({ speech: { say } }: Dress, form: Markup): Markup {
  return markup`<section class="email" id="email" aria-labelledby="email-title"><div class="wide"><div><h2 id="email-title">${say('email.title')}</h2><p>${say('email.lead')}</p></div>
${form}</div></section>`;
}

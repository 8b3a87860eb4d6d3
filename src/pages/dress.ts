/** What every page wears: its head, the bar at its top, the foot. Nothing from another host, nothing inline. */

import type { City } from '../city/define.ts';
import { type Markup, markup } from './markup.ts';
import { type Speech, speechOf } from './speech.ts';

/** Addresses of the style sheet, the script and the sign, each with its version. */
export type Assets = { style: string; script: string; icon: string };

export type Dress = Assets & { city: City; speech: Speech; publicUrl: string };

export function dressOf(city: City, assets: Assets, publicUrl: string): Dress {
  return { ...assets, city, publicUrl, speech: speechOf(city) };
}

export type Page = {
  title: string;
  main: Markup;
  /** Of the page's own words; English where they are not the city's. */
  language?: 'en';
  /** Whether the script has anything to do here. */
  isLive?: boolean;
  /** More for the head, such as links. */
  head?: Markup;
};

/** The whole document. */
export function documentOf(dress: Dress, { title, main, language, isLive, head }: Page): string {
  const { speech, city } = dress;
  const own = language === undefined ? speech : { language, direction: 'ltr' };
  const script = markup`<script type="module" src="${dress.script}"></script>`;
  const whole = markup`<!doctype html>
<html lang="${own.language}" dir="${own.direction}">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="${dress.style}">
<link rel="icon" href="${dress.icon}" type="image/svg+xml">
${head}${isLive === true && script}
</head>
<body>
<a class="skip" href="#main">${speech.say('skip')}</a>
<header class="bar"><div class="wide">
<a class="home" href="/"><img src="${dress.icon}" alt="" width="28" height="28">${speech.say('title')}</a>
<nav aria-label="Shingle"><a href="/#map">${speech.say('nav.map')}</a><a href="/#email">${speech.say('nav.email')}</a><a href="/#about">${speech.say('nav.about')}</a><a href="/docs">${speech.say('nav.api')}</a></nav>
</div></header>
<main id="main" tabindex="-1">
${main}
</main>
<footer><div class="wide"><p>${speech.say('footer.by', { operator: city.operator.name })}</p>
<p><a href="/docs">${speech.say('footer.api')}</a> <a href="/feed.json">${speech.say('footer.feed')}</a> <a href="/llms.txt">${speech.say('footer.agents')}</a> <a href="/#terms">${speech.say('terms.title')}</a></p></div></footer>
</body>
</html>
`;
  return whole.html;
}

/** HTML of the page that explains one kind of problem, or tells of one; `detail` says what happened this time. */
export function problemPage(
  dress: Dress,
  problem: { status: number; title: string; text: string; detail?: string },
): string {
  const main = markup`<div class="narrow"><p class="status-number">${problem.status}</p><h1>${problem.title}</h1>
<p>${problem.detail ?? problem.text}</p>${
    problem.detail !== undefined &&
    problem.detail !== problem.text &&
    markup`
<p class="note">${problem.text}</p>`
  }
${problem.status === 404 && searchAgain(dress)}
<p><a class="button quiet" href="/">${dress.speech.say('title')}</a></p></div>`;
  return documentOf(dress, { title: problem.title, main, language: 'en' });
}

/** Whoever came by a link that leads nowhere was looking for something. */
function searchAgain({ speech: { say } }: Dress): Markup {
  return markup`<form role="search" action="/"><label for="q">${say('search.label')}</label><div class="row"><input id="q" type="search" name="q" maxlength="200"><button>${say('search.button')}</button></div></form>`;
}

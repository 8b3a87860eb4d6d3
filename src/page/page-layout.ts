/** Renders the layout of every page: head, header and footer. Pages load nothing from other hosts. */

import type { CityFacts } from '../shared/city/city-facts.ts';
import type { Localization } from '../shared/city/localization.ts';
import { isPlaceholder } from '../shared/city/placeholders.ts';
import type { Day } from '../shared/day.ts';
import { EVERYTHING, formatAddress, LONGEST_ASKED, type Question } from '../shared/question.ts';
import { type Markup, markup, renderParagraphs } from './markup.ts';

/** The addresses of the style sheets, the script, the icon and the display font. Each contains a hash of its content. */
export type Assets = Record<'style' | 'referenceStyle' | 'script' | 'icon' | 'font', string>;

export type PageLayout = Assets & {
  city: CityFacts;
  localization: Localization;
  publicUrl: string;
  /** Whether other sites can show a search in a frame. */
  mayEmbed: boolean;
  /** Whether emails are files until a mail server is set. */
  writesFiles: boolean;
  /** Returns whether new listings can come, because the register has not ended. */
  hasNews(): boolean;
  /** Returns whether the register marks closed businesses, so that a missing mark means something. */
  recordsClosings(): boolean;
  /** Returns the day in the city, for what a device remembers. An archive has none. */
  today(): Day | undefined;
  /** Returns the picture of the newest edition or, of an archive, of its last week. */
  newestEdition(): Markup | undefined;
};

export type Page = {
  /** What the page says or searches for. The name of the site follows in the tab of a browser. */
  title: string;
  /** One sentence for search engines. */
  description?: string;
  main: Markup;
  /** The language of the page's own text, if it is not the city's. */
  language?: 'en';
  /** The search that the page shows. Such pages have a link to the results, `id="found"`, and the email is about its filters. */
  question?: Question;
  /** Whether the page loads the script. Pages that show a search always do. */
  hasScript?: boolean;
  head?: Markup;
};

export type ShownProblem = Pick<Page, 'title' | 'language'> & {
  sentences: readonly string[];
};

export function renderDocument(
  layout: PageLayout,
  { title, description, main, language, question, hasScript = question !== undefined, head }: Page,
): string {
  const isSearch = question !== undefined;
  const { localization } = layout;
  const own = language === undefined ? localization : { language, direction: 'ltr' };
  const inCity = markLanguage(layout, language);
  const script = markup`<script type="module" src="${layout.script}"></script>`;
  const { say } = localization;
  const site = say('title');
  const link = (href: string, label: string) => markup`<a href="${href}">${label}</a>`;
  const email = layout.hasNews() && link(formatSignupAddress(question), say('nav.email'));
  const whole = markup`<!doctype html>
<html lang="${own.language}" dir="${own.direction}">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === site ? site : `${title} – ${site}`}</title>
${
  description !== undefined &&
  markup`<meta name="description" content="${description}">
`
}<meta name="color-scheme" content="light dark">
<link rel="preload" as="font" type="font/woff2" href="${layout.font}" crossorigin>
<link rel="stylesheet" href="${layout.style}">
<link rel="icon" href="${layout.icon}" type="image/svg+xml">
${head}${hasScript && script}
</head>
<body data-today="${layout.today()}">
<a class="skip"${inCity} href="#${isSearch ? 'found' : 'main'}">${say(isSearch ? 'skip' : 'skip.content')}</a>
<header class="bar"${inCity}><div class="wide"><a class="masthead" href="/">${site}</a>
<nav aria-label="${say('nav.main')}">${link('/changes', say('nav.changes'))}${email}${link('/about', say('nav.about'))}</nav>
</div></header>
<main id="main" tabindex="-1">
${main}
</main>
<footer${inCity}><div class="wide">${renderOrigin(layout)}
<p><a href="/docs">${say('footer.api')}</a> ${layout.hasNews() && markup`<a href="/feeds">${say('footer.feed')}</a> `}<a
 href="/llms.txt">${say('footer.agents')}</a>
<a href="/about#terms">${say('terms.title')}</a></p></div></footer>
</body>
</html>
`;
  return whole.html;
}

/** Says where the listings come from and who runs the site, or that the businesses are invented. */
function renderOrigin({ city, localization: { say } }: PageLayout): Markup {
  const publishers = [...new Set(city.sources.map(({ publisher }) => publisher))].join(', ');
  const operator = !isPlaceholder(city.operator.name) && say('footer.by', { operator: city.operator.name });
  const source = city.invented
    ? markup`<strong>${say('footer.invented')}</strong>`
    : say('embed.source', { source: publishers });
  return markup`<p>${source} ${operator}</p>`;
}

/** Renders the attributes of an element in the city's language, on a page in another language. */
function markLanguage({ localization }: PageLayout, language: Page['language']): Markup | undefined {
  if (language === undefined || language === localization.language) return undefined;
  return markup` lang="${localization.language}" dir="${localization.direction}"`;
}

/** Returns the address of the signup form with the categories and neighborhoods of a search. */
export function formatSignupAddress({ category, neighborhood }: Question = EVERYTHING): string {
  return formatAddress('/signup', { ...EVERYTHING, category, neighborhood });
}

/** Renders the page for a response with a problem, or the page about a problem code. */
export function renderProblemPage(layout: PageLayout, problem: ShownProblem & { status: number }): string {
  const inCity = markLanguage(layout, problem.language);
  const search = problem.status === 404 && markup`<form role="search" action="/">${renderAsk(layout)}</form>`;
  const content = markup`<h1>${problem.title}</h1>
${renderParagraphs(problem.sentences)}
<div${inCity}>${search}
<p><a class="button quiet" href="/">${layout.localization.say('back.home')}</a></p><p class="note">${problem.status}</p></div>`;
  return renderDocument(layout, { ...problem, main: renderBeside(layout, content) });
}

/** Renders what a page says beside the picture of the newest edition. */
export function renderBeside(layout: PageLayout, content: Markup): Markup {
  return markup`<div class="narrow paper"><div class="beside-sheet"><div>${content}</div>
${layout.newestEdition()}</div></div>`;
}

/** Renders the box in which people ask, with its button. */
export function renderAsk({ localization: { say } }: PageLayout, value = ''): Markup {
  return markup`<label class="unseen" for="q">${say('search.label')}</label>
<div class="ask"><input id="q" type="search" name="q" value="${value}" placeholder="${say('search.label')}"
 maxlength="${LONGEST_ASKED}" autocomplete="off" autocapitalize="none" spellcheck="false"><button>${say('search.button')}</button></div>`;
}

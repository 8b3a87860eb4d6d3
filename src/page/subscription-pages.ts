/** Renders pages to sign up, confirm, unsubscribe, and change or erase stored data. All work without scripts. */

import type { Localization } from '../shared/city/localization.ts';
import type { Day } from '../shared/day.ts';
import { describeSignup, formatNotice } from '../shared/signup/consent.ts';
import { MOST_PREFERRED, type Preferences } from '../shared/signup/preferences.ts';
import { SIGNUP_TYPES, type SignupType } from '../shared/signup/signups.ts';
import { GROUPS, groupOf } from './kinds/kinds.ts';
import { linkTo, type Markup, markup, renderParagraphs } from './markup.ts';
import { type Page, type PageLayout, renderBeside, renderDocument } from './page-layout.ts';

type SignupView = {
  /** The type and the address of the form as it was sent. */
  type: SignupType;
  email?: string | undefined;
  /** What is wrong with it, and whether it is the address. */
  wrong?: string | undefined;
  isAddressWrong?: boolean;
  /** The fields for the topics of the weekly email, if there are any. */
  preferences: Markup | false;
  /** When the weekly email is sent. */
  schedule: readonly string[];
};

/** Renders the form of the weekly email, followed by the folded forms of the other types. */
export function renderSignupPage(layout: PageLayout, view: SignupView): string {
  const { wrong, isAddressWrong, schedule } = view;
  const { city, localization } = layout;
  const { say } = localization;
  const weekly = describeSignup('weekly', city);
  const folded = SIGNUP_TYPES.filter((type) => type !== 'weekly').map((type) => {
    const { title, about } = describeSignup(type, city);
    const isOpen = wrong !== undefined && type === view.type;
    return markup`<details id="${type}"${isOpen && { html: ' open' }}><summary>${title}</summary><p>${about}</p>
${renderSignupForm(layout, type, view)}</details>`;
  });
  const complaint =
    wrong !== undefined &&
    !isAddressWrong &&
    markup`<p class="wrong" role="alert">${say('error.title', { title: wrong })}</p>`;
  const title = say('signup.title');
  return renderBesideSheet(
    layout,
    wrong === undefined ? title : say('error.title', { title }),
    markup`<h1>${weekly.title}</h1><p class="lead">${weekly.about}</p><p>${schedule.join(' ')}</p>${complaint}${renderSignupForm(layout, 'weekly', view)}${folded}`,
    { description: weekly.about, hasScript: true },
  );
}

/**
 * Renders the signup form of a type. `website` is a trap for bots. Browsers do not validate the form, so that a mistake
 * always has the same message.
 */
function renderSignupForm({ city, localization }: PageLayout, type: SignupType, view: SignupView): Markup {
  const { say } = localization;
  const isSent = type === view.type;
  const wrong = isSent && view.isAddressWrong ? view.wrong : undefined;
  const id = `email-${type}`;
  const state =
    wrong !== undefined && markup` aria-invalid="true" aria-describedby="wrong-${type}" autofocus`;
  return markup`<form class="signup" method="post" action="/signup" novalidate><input type="hidden" name="type" value="${type}">
<label for="${id}">${say('signup.address')}</label>
${wrong !== undefined && markup`<p class="wrong" id="wrong-${type}" role="alert">${say('error.title', { title: wrong })}</p>`}<input
 id="${id}" type="email" name="email" autocomplete="email" required maxlength="254" value="${isSent && view.email}"
 placeholder="${say('signup.example')}"${state}>
${renderTrap(localization)}
${type === 'weekly' && view.preferences}
<button>${say('signup.button')}</button>
<p class="note">${describeSignup(type, city).consent} ${say('signup.promise')} ${say('notice.short')} <a href="/about#email">${say('notice.link')}</a></p>
</form>`;
}

/** Renders the field that only bots fill in. */
export function renderTrap({ say }: Pick<Localization, 'say'>): Markup {
  return markup`<div class="trap" aria-hidden="true"><label>${say('signup.trap')} <input name="website" tabindex="-1"
 autocomplete="off"></label></div>`;
}

/** Says that a register has ended, and who publishes newer filings. */
export function sayEnded({ city, localization: { say, day } }: PageLayout, ended: Day): Markup {
  const newer = new Map(
    city.sources.map(({ publisher, homepage }) => [homepage, say('ended.newer', { publisher })]),
  );
  return markup`<p class="lead">${say('signup.ended', { day: day(ended) })} ${Array.from(newer, ([href, label]) => markup`${linkTo(href, label)} `)}</p>`;
}

/** Renders a page that would bring news, for a register that has ended: that nothing new comes, its last week, and `more` that is left. */
export function renderEndedPage(
  layout: PageLayout,
  { title, ended, more }: { title: string; ended: Day | undefined; more?: Markup | false | undefined },
): string {
  const week = markup`<p><a class="button" href="/weekly">${layout.localization.say('ended.week')}</a></p>`;
  const content = markup`<h1>${title}</h1>${ended !== undefined && sayEnded(layout, ended)}${week}${more}`;
  return renderBesideSheet(layout, title, content);
}

/** Renders what is stored about people who sign up: the short version if wanted, and the whole one folded. */
export function foldNotice({ say }: Localization, notice: string, hasShort = false): Markup {
  return markup`${hasShort && markup`<p class="note">${say('notice.short')}</p>`}<details><summary>${say('notice.link')}</summary><p>${notice}</p></details>`;
}

/** Renders a page that reports a result: a heading and a few sentences. */
export function renderMessagePage(
  layout: PageLayout,
  title: string,
  sentences: readonly string[],
  more?: Markup | false,
): string {
  return renderBesideSheet(
    layout,
    title,
    markup`<h1>${title}</h1>${renderParagraphs(sentences)}${more}
<p><a class="button quiet" href="/">${layout.localization.say('back.home')}</a></p>`,
  );
}

/** Renders a page beside the picture of the newest edition. */
export function renderBesideSheet(
  layout: PageLayout,
  title: string,
  content: Markup,
  {
    below,
    ...more
  }: Pick<Page, 'description' | 'hasScript' | 'head'> & { below?: Markup | false | undefined } = {},
): string {
  const main = markup`${renderBeside(layout, content)}${below && markup`<div class="wide">${below}</div>`}`;
  return renderDocument(layout, { title, main, ...more });
}

type QuestionPage = {
  title: string;
  sentences: readonly string[];
  action: string;
  label: string;
  /** A link to an alternative. */
  instead?: { href: string; label: string } | undefined;
  notice?: string;
};

/** Renders a question and a button. Only pressing the button changes anything. `action` contains the token. */
export function renderQuestionPage(layout: PageLayout, asked: QuestionPage): string {
  const { instead } = asked;
  const other = instead && markup`<p><a class="button quiet" href="${instead.href}">${instead.label}</a></p>`;
  const notice = asked.notice !== undefined && foldNotice(layout.localization, asked.notice, true);
  const form = markup`<form method="post" action="${asked.action}"><button>${asked.label}</button></form>`;
  return renderMessagePage(layout, asked.title, asked.sentences, markup`${form}${other}${notice}`);
}

const FIELDS = [
  { name: 'neighborhoods', by: 'neighborhood', words: 'preferences.places' },
  { name: 'categories', by: 'category', words: 'preferences.kinds' },
] as const;

type Field = (typeof FIELDS)[number];

/** Renders folded lists whose summaries show the chosen values. The script keeps them up to date. */
export function renderPreferenceFields(
  localization: Localization,
  choices: Preferences,
  chosen: Preferences,
): Markup {
  const { say, list } = localization;
  const sets = FIELDS.map((field) => {
    const { name, words } = field;
    const [none, some] = [say(`${words}.all`), say(`${words}.some`)];
    const own = { choices: choices[name], chosen: chosen[name] };
    const summary = own.chosen.length === 0 ? none : say(`${words}.some`, { what: list(own.chosen) });
    const boxes =
      field.by === 'category' ? renderKinds(localization, field, own) : renderBoxes(localization, field, own);
    return markup`<details id="choose-${name}" data-none="${none}" data-some="${some}"><summary>${summary}</summary><fieldset><legend
 class="note">${say('preferences.help', { n: MOST_PREFERRED })}</legend>${boxes}</fieldset></details>`;
  });
  return markup`<div class="preferences">${sets}</div>`;
}

type Boxes = Record<'choices' | 'chosen', readonly string[]>;

/** Renders the boxes of kinds by group. Each is folded, unless something in it is chosen. Other kinds stand below. */
function renderKinds(localization: Localization, field: Field, { choices, chosen }: Boxes): Markup[] {
  return [...GROUPS, 'unknown' as const].map((group) => {
    const isInGroup = (value: string) => groupOf(value) === group;
    const own = { choices: choices.filter(isInGroup), chosen: chosen.filter(isInGroup) };
    const boxes = renderBoxes(localization, field, own);
    if (group === 'unknown' || own.choices.length + own.chosen.length === 0) return boxes;
    return markup`<details${own.chosen.length > 0 && { html: ' open' }}><summary><span
 class="mark ${group}">${localization.say(`group.${group}`)}</span></summary>${boxes}</details>`;
  });
}

/** Renders the checkboxes, chosen values first. Marks values that no listing has anymore. */
function renderBoxes(
  { say, nameValue }: Localization,
  { name, by }: Field,
  { choices, chosen }: Boxes,
): Markup {
  const others = choices.filter((value) => !chosen.includes(value));
  const boxes = [...chosen, ...others].map((value, i) => {
    const label = choices.includes(value) ? nameValue(by, value) : say('preferences.gone', { value });
    const checked = i < chosen.length && { html: ' checked' };
    return markup`<label class="choice"><input type="checkbox" name="${name}" value="${value}"${checked}><span>${label}</span></label>`;
  });
  return markup`<div class="boxes">${boxes}</div>`;
}

type Managed = {
  address: string;
  /** The address of the forms, which contains the token. */
  action: string;
  /** A message about the change just made. */
  done: string | undefined;
  lines: readonly ManagedLine[];
};

type ManagedLine = {
  title: string;
  sentences: readonly string[];
  /** The type that the button unsubscribes from. */
  leave: string | undefined;
  /** The fields for the topics of the weekly email. */
  preferences: Markup | false;
  /** Whether the weekly email is limited to some topics. */
  hasChoices: boolean;
};

export function renderManagePage(layout: PageLayout, managed: Managed): string {
  const { address, action, done, lines } = managed;
  const { say } = layout.localization;
  const said = done !== undefined && markup`<p class="done" role="status">${done}</p>`;
  const erase = markup`<section class="panel"><h2>${say('manage.erase.title')}</h2><p>${say('manage.erase')}</p>
${renderButton(action, 'erase', say('manage.erase.button'))}</section>`;
  return renderMessagePage(
    layout,
    say('manage.title'),
    [],
    markup`${said}<p>${say('manage.kept', { address })}</p>${lines.map((line) => renderLine(layout, action, line))}${erase}
${foldNotice(layout.localization, formatNotice(layout.city), true)}`,
  );
}

function renderLine({ localization: { say } }: PageLayout, action: string, line: ManagedLine): Markup {
  const { title, sentences, leave, preferences, hasChoices } = line;
  const clear =
    hasChoices &&
    markup` <button class="quiet" name="action" value="everything">${say('manage.change.clear')}</button>`;
  const change =
    preferences !== false &&
    markup`<form method="post" action="${action}"><h3>${say('manage.change.title')}</h3>
${preferences}
<p class="row"><button name="action" value="change">${say('manage.change.button')}</button>${clear}</p></form>`;
  return markup`<section class="panel"><h2>${title}</h2>${renderParagraphs(sentences)}${change}
${leave !== undefined && renderButton(action, leave, say('manage.leave'))}</section>`;
}

function renderButton(action: string, does: string, label: string): Markup {
  return markup`<form method="post" action="${action}"><input type="hidden" name="action" value="${does}"><button
 class="quiet">${label}</button></form>`;
}

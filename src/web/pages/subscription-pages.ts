/** Pages to sign up, confirm, unsubscribe, and change or erase what is stored. They work without scripts. */

import type { Localization } from '../../city/localization.ts';
import { type Markup, markup } from './markup.ts';
import { type PageLayout, renderDocument } from './page-layout.ts';

export type Form = {
  /** What can be signed up for; the first is chosen. */
  choices: readonly { type: string; label: string; about?: string | undefined; consent: string }[];
  /** The fields to choose what the weekly email covers, if there are any. */
  preferences: Markup | false;
  /** The privacy notice. */
  notice: string;
  /** The email address that was typed before. */
  email?: string | undefined;
};

/** The signup form. It works without scripts. `website` is a trap for bots. */
export function renderSignupFields(
  { say }: Localization,
  { choices, preferences, notice, email = '' }: Form,
): Markup {
  return markup`<form class="signup" method="post" action="/signup">
<label for="email-address">${say('signup.address')}</label>
<input id="email-address" type="email" name="email" autocomplete="email" required maxlength="254" value="${email}">
<div class="trap" aria-hidden="true"><label>${say('signup.trap')} <input name="website" tabindex="-1" autocomplete="off"></label></div>
<fieldset><legend>${say('signup.what')}</legend>
${choices.map(renderChoice)}
</fieldset>
${choices.some(({ type }) => type === 'weekly') && markup`<p><a href="/weekly">${say('archive.weekly.title')}</a></p>`}
${preferences}
<button>${say('signup.button')}</button>
<p class="note">${say('signup.promise')} ${notice}</p>
</form>`;
}

function renderChoice({ type, label, about, consent }: Form['choices'][number], i: number): Markup {
  return markup`<label class="choice"><input type="radio" name="type" value="${type}"${i === 0 && { html: ' checked' }}><span>${label}<br><span class="note">${about} ${consent}</span></span></label>`;
}

/** The form alone, with an error message if the input was wrong. */
export function renderSignupPage(layout: PageLayout, form: Markup, wrong?: string): string {
  const { say } = layout.localization;
  const complaint = wrong !== undefined && markup`<p class="wrong" role="alert">${wrong}</p>`;
  const main = markup`<h1>${say('signup.heading')}</h1>${complaint}${form}`;
  return renderNarrow(layout, say('signup.title'), main);
}

/** A heading and a few sentences that report a result. */
export function renderMessagePage(
  layout: PageLayout,
  title: string,
  sentences: readonly string[],
  more?: Markup,
): string {
  const main = markup`<h1>${title}</h1>${sentences.map((sentence) => markup`<p>${sentence}</p>`)}${more}
<p><a href="/">${layout.localization.say('back.home')}</a></p>`;
  return renderNarrow(layout, title, main);
}

function renderNarrow(layout: PageLayout, title: string, main: Markup): string {
  return renderDocument(layout, { title, main: markup`<div class="narrow">${main}</div>` });
}

/** One question and one button. Only pressing the button changes anything. `action` contains the token. */
export function renderQuestionPage(
  layout: PageLayout,
  asked: { title: string; sentences: readonly string[]; action: string; label: string; notice?: string },
): string {
  const notice = asked.notice !== undefined && markup`<p class="note">${asked.notice}</p>`;
  const form = markup`<form method="post" action="${asked.action}"><button>${asked.label}</button></form>`;
  return renderMessagePage(layout, asked.title, asked.sentences, markup`${form}${notice}`);
}

type Values = { categories: readonly string[]; neighborhoods: readonly string[] };

export type PreferenceFields = {
  /** The values of the listings. */
  choices: Values;
  chosen: Values;
  /** How many values of each may be chosen. */
  most: number;
};

const TITLES = { categories: 'preferences.kinds.title', neighborhoods: 'preferences.places.title' } as const;

/** Unfolded if something is chosen. `data-live`: follows the search on the page. */
export function renderPreferenceFields(localization: Localization, fields: PreferenceFields): Markup {
  const { say, list } = localization;
  const { chosen, most } = fields;
  const all = [...chosen.categories, ...chosen.neighborhoods];
  return markup`<div class="preferences" id="preferences" data-live><details id="preferences-fields"${all.length > 0 && { html: ' open' }}><summary>${say('preferences.title')}</summary>
${all.length > 0 && markup`<p>${say('preferences.chosen', { what: list(all) })}</p>`}<p class="note">${say('preferences.help', { n: most })}</p>
${renderList(localization, 'categories', fields)}
${renderList(localization, 'neighborhoods', fields)}
</details></div>`;
}

/** Lists chosen values first, and marks those that no listing has any more. */
function renderList(
  { say }: Localization,
  name: keyof Values,
  { choices, chosen }: PreferenceFields,
): Markup {
  const others = choices[name].filter((value) => !chosen[name].includes(value));
  const boxes = [...chosen[name], ...others].map((value, i) => {
    const isGone = !choices[name].includes(value);
    const label = isGone ? say('preferences.gone', { value }) : value;
    return markup`<label class="choice"><input type="checkbox" name="${name}" value="${value}"${i < chosen[name].length && { html: ' checked' }}><span>${label}</span></label>`;
  });
  return markup`<fieldset><legend>${say(TITLES[name])}</legend><div class="boxes">${boxes}</div></fieldset>`;
}

export type Managed = {
  address: string;
  /** Where the forms go; contains the token. */
  action: string;
  /** Something that was just done. */
  done: string | undefined;
  lines: readonly ManagedLine[];
  notice: string;
};

/** One signup and its state. */
type ManagedLine = {
  title: string;
  sentences: readonly string[];
  /** Names the type that a button unsubscribes. */
  leave: string | undefined;
  /** The fields to change what it covers. */
  preferences: Markup | false;
};

export function renderManagePage(layout: PageLayout, managed: Managed): string {
  const { address, action, done, lines, notice } = managed;
  const { say } = layout.localization;
  const said = done !== undefined && markup`<p class="done" role="status">${done}</p>`;
  const erase = markup`<section class="panel"><h2>${say('manage.erase.title')}</h2><p>${say('manage.erase')}</p>${renderButton(action, 'erase', say('manage.erase.button'))}</section>`;
  return renderMessagePage(
    layout,
    say('manage.title'),
    [say('manage.kept', { address })],
    markup`${said}${lines.map((line) => renderLine(layout, action, line))}${erase}<p class="note">${notice}</p>`,
  );
}

function renderLine({ localization: { say } }: PageLayout, action: string, line: ManagedLine): Markup {
  const { title, sentences, leave, preferences } = line;
  const change =
    preferences !== false &&
    markup`<form method="post" action="${action}">${preferences}<p class="row"><button name="action" value="change">${say('manage.change.button')}</button> <button class="quiet" name="action" value="everything">${say('manage.change.clear')}</button></p></form>`;
  return markup`<section class="panel"><h2>${title}</h2>${sentences.map((sentence) => markup`<p>${sentence}</p>`)}${change}${leave !== undefined && renderButton(action, leave, say('manage.leave'))}</section>`;
}

function renderButton(action: string, does: string, label: string): Markup {
  return markup`<form method="post" action="${action}"><input type="hidden" name="action" value="${does}"><button class="quiet">${label}</button></form>`;
}

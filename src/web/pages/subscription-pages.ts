/** Pages to sign up, confirm and unsubscribe. Pure functions. Input is only shown to the person who typed it. */

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

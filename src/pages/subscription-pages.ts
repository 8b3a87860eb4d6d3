/** Pages to sign up, confirm and unsubscribe. Pure functions. Input is only shown to the person who typed it. */

import { type Markup, markup } from './markup.ts';
import { type PageLayout, renderDocument } from './page-layout.ts';

export type Form = {
  /** What can be signed up for; the first is chosen. */
  choices: readonly { type: string; label: string; consent: string }[];
  /** The privacy notice. */
  notice: string;
  /** The email address that was typed before. */
  email?: string | undefined;
};

/** The signup form. It works without scripts. `website` is a trap for bots. */
export function renderSignupFields({ choices, notice, email = '' }: Form): Markup {
  return markup`<form class="signup" method="post" action="/signup" lang="en" dir="ltr">
<label for="email-address">Your email address</label>
<input id="email-address" type="email" name="email" autocomplete="email" required maxlength="254" value="${email}">
<div class="trap" aria-hidden="true"><label>Leave this empty <input name="website" tabindex="-1" autocomplete="off"></label></div>
<fieldset><legend>What would you like?</legend>
${choices.map(renderChoice)}
</fieldset>
<button>Sign up</button>
<p class="note">We will send you an email with a link. You get no other emails until you confirm with that link. ${notice}</p>
</form>`;
}

function renderChoice({ type, label, consent }: Form['choices'][number], i: number): Markup {
  return markup`<label class="choice"><input type="radio" name="type" value="${type}"${i === 0 && { html: ' checked' }}><span>${label}<br><span class="note">${consent}</span></span></label>`;
}

/** The form alone, with an error message if the input was wrong. */
export function renderSignupPage(layout: PageLayout, form: Markup, wrong?: string): string {
  const complaint = wrong !== undefined && markup`<p class="wrong" role="alert">${wrong}</p>`;
  const main = markup`<h1>New businesses in ${layout.city.name}, by email</h1>${complaint}${form}`;
  return narrow(layout, 'Sign up', main);
}

/** A heading and a few sentences that report a result. */
export function renderMessagePage(
  layout: PageLayout,
  title: string,
  sentences: readonly string[],
  more?: Markup,
): string {
  const main = markup`<h1>${title}</h1>${sentences.map((sentence) => markup`<p>${sentence}</p>`)}${more}
<p><a href="/">All new businesses</a></p>`;
  return narrow(layout, title, main);
}

function narrow(layout: PageLayout, title: string, main: Markup): string {
  return renderDocument(layout, { title, main: markup`<div class="narrow">${main}</div>`, language: 'en' });
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

export type Managed = {
  address: string;
  action: string;
  /** The person's signups and their state; `leave` names the type that a button unsubscribes. */
  lines: readonly { title: string; sentence: string; leave: string | undefined }[];
  notice: string;
};

/** The data stored about a person, with buttons to unsubscribe and erase. */
export function renderManagePage(layout: PageLayout, { address, action, lines, notice }: Managed): string {
  const panels = lines.map(
    ({ title, sentence, leave }) =>
      markup`<section class="panel"><h2>${title}</h2><p>${sentence}</p>${leave !== undefined && button(action, leave, 'Unsubscribe')}</section>`,
  );
  const erase = markup`<section class="panel"><h2>Erase everything</h2><p>Deletes your email address and all of the above at once. This cannot be undone.</p>${button(action, 'erase', 'Erase everything')}</section>`;
  return renderMessagePage(
    layout,
    'Your data',
    [`We keep the address ${address} and these signups:`],
    markup`${panels}${erase}<p class="note">${notice}</p>`,
  );
}

function button(action: string, does: string, label: string): Markup {
  return markup`<form method="post" action="${action}"><input type="hidden" name="action" value="${does}"><button class="quiet">${label}</button></form>`;
}

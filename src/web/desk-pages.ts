/** The pages where people ask, confirm and leave. Pure functions; what was typed is shown only to whoever typed it. */

import { escaped } from '../listings/escape.ts';
import { document } from './plain-page.ts';

export type Form = {
  /** What each choice means, in the words of whoever makes it. */
  weekly: string;
  waitlist: string;
  /** Who keeps what, why and how long. */
  notice: string;
  /** What was typed before. */
  email?: string | undefined;
};

/** The signup form: works without scripts; `website` is for robots only. */
export function signupFields({ weekly, waitlist, notice, email = '' }: Form): string {
  return `<form method="post" action="/signup">
<label for="email">Your email address</label>
<input id="email" type="email" name="email" autocomplete="email" required maxlength="254" value="${escaped(email)}">
<div class="trap" aria-hidden="true"><label>Leave this empty <input name="website" tabindex="-1" autocomplete="off"></label></div>
<fieldset><legend>What would you like?</legend>
${choice('weekly', 'The weekly email', weekly, ' checked')}
${choice('pro-waitlist', 'A place on the Pro waitlist', waitlist, '')}
</fieldset>
<button>Sign up</button>
<p class="note">We send you a link; nothing begins before you confirm there. ${escaped(notice)}</p>
</form>`;
}

function choice(value: string, label: string, meaning: string, more: string): string {
  return `<label class="choice"><input type="radio" name="type" value="${value}"${more}><span>${label}<br><span class="note">${escaped(meaning)}</span></span></label>`;
}

/** The form alone, with what was wrong with what was sent, if anything. */
export function signupPage(city: string, form: string, wrong?: string): string {
  const complaint = wrong === undefined ? '' : `<p class="wrong" role="alert">${escaped(wrong)}</p>`;
  return document(
    'Sign up',
    'en',
    `<h1>New businesses in ${escaped(city)}, by email</h1>\n${complaint}\n${form}`,
  );
}

/** A heading and a few sentences: how something ended. */
export function wordPage(title: string, sentences: readonly string[], more = ''): string {
  const body = sentences.map((sentence) => `<p>${escaped(sentence)}</p>`).join('\n');
  return document(title, 'en', `<h1>${escaped(title)}</h1>\n${body}\n${more}\n${HOME}`);
}

const HOME = '<p><a href="/">All new businesses</a></p>';

/** One question and one button; pressing it is what does something. `action` holds the token. */
export function askPage(asked: {
  title: string;
  sentences: readonly string[];
  action: string;
  label: string;
  notice?: string;
}): string {
  const notice = asked.notice === undefined ? '' : `<p class="note">${escaped(asked.notice)}</p>`;
  const form = `<form method="post" action="${escaped(asked.action)}"><button>${escaped(asked.label)}</button></form>`;
  return wordPage(asked.title, asked.sentences, `${form}\n${notice}`);
}

export type Managed = {
  address: string;
  action: string;
  /** What they asked for and how that stands; `leave` names what a button stops. */
  lines: readonly { title: string; sentence: string; leave: string | undefined }[];
  notice: string;
};

/** What is kept about one person, and how to end it. */
export function managePage({ address, action, lines, notice }: Managed): string {
  const panels = lines.map(
    ({ title, sentence, leave }) =>
      `<section class="panel"><h2>${escaped(title)}</h2><p>${escaped(sentence)}</p>${leave === undefined ? '' : button(action, leave, 'Stop this')}</section>`,
  );
  const erase = `<section class="panel"><h2>Erase everything</h2><p>Deletes the address and all of the above at once. It cannot be undone.</p>${button(action, 'erase', 'Erase everything')}</section>`;
  return wordPage(
    'What is kept about you',
    [`The address ${address}, and this:`],
    [...panels, erase, `<p class="note">${escaped(notice)}</p>`].join('\n'),
  );
}

function button(action: string, does: string, label: string): string {
  return `<form method="post" action="${escaped(action)}"><input type="hidden" name="action" value="${escaped(does)}"><button class="quiet">${escaped(label)}</button></form>`;
}

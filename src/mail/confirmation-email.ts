/** The email that asks a person to confirm. Contains no text from the requester, and no listing. */

import type { City } from '../city/define.ts';
import { localizationFor } from '../city/localization.ts';
import { describeSignup, formatNotice } from '../subscribers/consent.ts';
import { describePreferences } from '../subscribers/preferences.ts';
import type { SignupType } from '../subscribers/subscriber.ts';
import {
  composeEmail,
  type EmailBody,
  makeButton,
  makeHeading,
  makeParagraph,
  makeSender,
  makeSmallLinks,
  makeSmallPrint,
  wrapText,
} from './email-layout.ts';

type ConfirmFacts = {
  city: City;
  type: SignupType;
  /** What is asked for of the weekly email, see `formatPreferences`. */
  preferences: string | null;
  links: { confirm: string; manage: string };
  postalAddress: string | undefined;
};

export function renderConfirmationEmail(facts: ConfirmFacts): EmailBody {
  const { city, type, preferences, links, postalAddress } = facts;
  const { say, language } = localizationFor(city);
  const { subject: what, purpose } = describeSignup(type, city);
  const title = say('confirm.title');
  const asked = say('confirm.email.asked', { purpose });
  const covers =
    preferences === null ? [] : [say('confirm.covers', { what: describePreferences(preferences, city) })];
  const [ignore, lasts] = [say('confirm.email.ignore'), say('confirm.email.lasts')];
  return composeEmail({
    city,
    subject: say('confirm.email.subject', { what }),
    preheader: asked,
    body: [
      makeHeading(title, title.toLocaleUpperCase(language)),
      makeParagraph(asked),
      ...covers.map(makeParagraph),
      makeButton(links.confirm, say('confirm.button')),
      { html: makeParagraph(ignore).html, text: wrapText(`${lasts} ${ignore}`) },
      { html: makeSmallPrint(lasts).html, text: '' },
    ],
    footer: [
      makeSmallPrint(formatNotice(city)),
      makeSmallLinks({ label: say('email.manage'), href: links.manage }),
      makeSender(city, postalAddress),
    ],
  });
}

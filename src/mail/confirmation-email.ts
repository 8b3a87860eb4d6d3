/** The email that asks a person to confirm. Contains no text from the requester, and no listing. */

import type { City } from '../city/define.ts';
import { localizationFor } from '../city/localization.ts';
import { escapeMarkup } from '../listings/escape.ts';
import { describeSignup, formatNotice } from '../subscribers/consent.ts';
import { describePreferences } from '../subscribers/describe-preferences.ts';
import type { SignupType } from '../subscribers/ports.ts';
import {
  type EmailBody,
  renderButton,
  renderFrame,
  renderHeading,
  renderLink,
  renderParagraph,
  renderSmallPrint,
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
  const subject = say('confirm.email.subject', { what });
  const asked = say('confirm.email.asked', { purpose });
  const covers =
    preferences === null ? [] : [say('confirm.covers', { what: describePreferences(preferences, city) })];
  const ignore = say('confirm.email.ignore');
  const lasts = say('confirm.email.lasts');
  const who = formatSender(city, postalAddress);
  const manage = say('email.manage');
  const html = renderFrame({
    city,
    title: subject,
    preheader: asked,
    body: [
      renderHeading(say('confirm.title')),
      ...[asked, ...covers].map((sentence) => renderParagraph(escapeMarkup(sentence))),
      renderButton(links.confirm, say('confirm.button')),
      renderParagraph(escapeMarkup(ignore)),
      renderSmallPrint(escapeMarkup(lasts)),
    ].join('\n'),
    footer: [
      renderSmallPrint(escapeMarkup(formatNotice(city))),
      renderSmallPrint(renderLink(links.manage, manage)),
      renderSmallPrint(escapeMarkup(who)),
    ].join('\n'),
  });
  const text = [
    say('confirm.title').toLocaleUpperCase(language),
    ...[asked, ...covers].map(wrapText),
    links.confirm,
    wrapText(`${lasts} ${ignore}`),
    '--',
    wrapText(formatNotice(city)),
    `${manage}:\n${links.manage}`,
    wrapText(who),
  ].join('\n\n');
  return { subject, html, text: `${text}\n` };
}

/** The sender and the postal address. */
export function formatSender({ operator }: City, postalAddress: string | undefined): string {
  return postalAddress === undefined
    ? `${operator.name}. ${operator.contact}`
    : `${operator.name}, ${postalAddress}`;
}

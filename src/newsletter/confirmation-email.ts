/** The email that asks a person to confirm. Contains no text from the requester, and no listing. */

import type { City } from '../city/define.ts';
import { escapeMarkup } from '../listings/escape.ts';
import { describeSignup, formatNotice } from '../subscriptions/consent.ts';
import type { SignupType } from '../subscriptions/ports.ts';
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
  links: { confirm: string; manage: string };
  postalAddress: string | undefined;
};

export function renderConfirmationEmail({ city, type, links, postalAddress }: ConfirmFacts): EmailBody {
  const texts = describeSignup(type, city);
  const subject = `Please confirm: ${texts.subject}`;
  const asked = `Someone signed up this address for ${texts.purpose}. If this was you, please confirm.`;
  const ignore =
    'If this was not you, ignore this email. You will not get any more, and we delete the address after 7 days.';
  const lasts = 'The link is valid for 7 days.';
  const who = formatSender(city, postalAddress);
  const manage = 'See or erase your data';
  const html = renderFrame({
    city,
    title: subject,
    preheader: asked,
    body: [
      renderHeading('Please confirm'),
      renderParagraph(escapeMarkup(asked)),
      renderButton(links.confirm, 'Yes, confirm'),
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
    'PLEASE CONFIRM',
    wrapText(asked),
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

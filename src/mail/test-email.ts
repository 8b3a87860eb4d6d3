/** The email with which an operator tests mail delivery. */

import type { City } from '../city/define.ts';
import { escapeMarkup } from '../listings/escape.ts';
import { formatSender } from './confirmation-email.ts';
import {
  type EmailBody,
  renderFrame,
  renderHeading,
  renderParagraph,
  renderSmallPrint,
} from './email-layout.ts';

export function renderTestEmail(city: City, postalAddress: string | undefined): EmailBody {
  const subject = `Test email: new businesses in ${city.name}`;
  const says = 'Email works. This message was sent with "shingle mail test".';
  const who = formatSender(city, postalAddress);
  const body = `${renderHeading(subject)}\n${renderParagraph(escapeMarkup(says))}`;
  const html = renderFrame({
    city,
    title: subject,
    preheader: says,
    body,
    footer: renderSmallPrint(escapeMarkup(who)),
  });
  return { subject, html, text: `${subject}\n\n${says}\n\n--\n\n${who}\n` };
}

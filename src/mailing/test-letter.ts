/** The email by which an operator sees whether email works. */

import type { City } from '../city/define.ts';
import { escaped } from '../listings/escape.ts';
import { ACCENT, senderLine } from './confirm-letter.ts';
import { framed, type Letter, paragraph, STYLE, smallPrint } from './letter-frame.ts';

export function testLetter(city: City, postalAddress: string | undefined): Letter {
  const subject = `A test: new businesses in ${city.name}`;
  const says = 'Email works. This was sent with "shingle mail test" and reached you.';
  const who = senderLine(city, postalAddress);
  const body = `<h1 class="ink" style="${STYLE.h1}">${escaped(subject)}</h1>\n${paragraph(escaped(says))}`;
  const accent = city.accent ?? ACCENT;
  const html = framed({
    language: 'en',
    title: subject,
    preheader: says,
    accent,
    body,
    footer: smallPrint(escaped(who)),
  });
  return { subject, html, text: `${subject}\n\n${says}\n\n--\n\n${who}\n` };
}

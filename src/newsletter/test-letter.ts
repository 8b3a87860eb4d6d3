/** The email by which an operator sees whether email works. */

import type { City } from '../city/define.ts';
import { escaped } from '../listings/escape.ts';
import { senderLine } from './confirm-letter.ts';
import { framed, heading, type Letter, paragraph, smallPrint } from './letter-frame.ts';

export function testLetter(city: City, postalAddress: string | undefined): Letter {
  const subject = `A test: new businesses in ${city.name}`;
  const says = 'Email works. This message was sent with "shingle mail test".';
  const who = senderLine(city, postalAddress);
  const body = `${heading(subject)}\n${paragraph(escaped(says))}`;
  const html = framed({ city, title: subject, preheader: says, body, footer: smallPrint(escaped(who)) });
  return { subject, html, text: `${subject}\n\n${says}\n\n--\n\n${who}\n` };
}

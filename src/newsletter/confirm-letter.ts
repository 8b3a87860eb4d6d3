/** The email that asks whether somebody really wants it. Holds nothing that a requester wrote, and no listing. */

import type { City } from '../city/define.ts';
import { escaped } from '../listings/escape.ts';
import { noticeOf } from '../subscriptions/consent.ts';
import type { SignupType } from '../subscriptions/ports.ts';
import {
  button,
  framed,
  heading,
  type Letter,
  link,
  paragraph,
  smallPrint,
  wrapped,
} from './letter-frame.ts';

type ConfirmFacts = {
  city: City;
  type: SignupType;
  links: { confirm: string; manage: string };
  postalAddress: string | undefined;
};

/** What a signup is for, in the middle of a sentence. */
export function wantedThing(type: SignupType, city: City): string {
  return type === 'weekly'
    ? `the weekly email about new businesses in ${city.name}`
    : `the email about the Pro launch in ${city.name}`;
}

export function confirmLetter({ city, type, links, postalAddress }: ConfirmFacts): Letter {
  const thing = wantedThing(type, city);
  const subject = `Please confirm: ${type === 'weekly' ? `new businesses in ${city.name}, weekly` : `the Pro waitlist for ${city.name}`}`;
  const asked = `Someone signed up this address for ${thing}. If this was you, please confirm.`;
  const ignore =
    'If this was not you, ignore this email. You will not get any more, and we delete the address after 7 days.';
  const lasts = 'The link is valid for 7 days.';
  const who = senderLine(city, postalAddress);
  const manage = 'See or erase your data';
  const html = framed({
    city,
    title: subject,
    preheader: asked,
    body: [
      heading('Please confirm'),
      paragraph(escaped(asked)),
      button(links.confirm, 'Yes, confirm'),
      paragraph(escaped(ignore)),
      smallPrint(escaped(lasts)),
    ].join('\n'),
    footer: [
      smallPrint(escaped(noticeOf(city))),
      smallPrint(link(links.manage, manage)),
      smallPrint(escaped(who)),
    ].join('\n'),
  });
  const text = [
    'PLEASE CONFIRM',
    wrapped(asked),
    links.confirm,
    wrapped(`${lasts} ${ignore}`),
    '--',
    wrapped(noticeOf(city)),
    `${manage}:\n${links.manage}`,
    wrapped(who),
  ].join('\n\n');
  return { subject, html, text: `${text}\n` };
}

/** Who sends this, and from where. */
export function senderLine({ operator }: City, postalAddress: string | undefined): string {
  return postalAddress === undefined
    ? `${operator.name}. ${operator.contact}`
    : `${operator.name}, ${postalAddress}`;
}

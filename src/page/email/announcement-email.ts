/** Renders an announcement as an email: the operator's Markdown in our frame. */

import type { CityFacts } from '../../shared/city/city-facts.ts';
import { localizationFor } from '../../shared/city/localization.ts';
import { describeSignup } from '../../shared/signup/consent.ts';
import type { SignupType } from '../../shared/signup/signups.ts';
import { renderMarkdown, toPlainText } from '../../shared/text/markdown.ts';
import {
  composeEmail,
  EMAIL_LOOK,
  type EmailBody,
  makeHeading,
  makeSender,
  makeSmallLinks,
  makeSmallPrint,
} from './email-layout.ts';

/** `words`: the Markdown with its heading, which is the `subject`. */
type Announcement = { type: SignupType; subject: string; words: string };

type Sending = {
  city: CityFacts;
  announcement: Announcement;
  links: { unsubscribe: string; manage: string };
  postalAddress: string | undefined;
};

export function renderAnnouncementEmail(sending: Sending): EmailBody {
  const { city, announcement, links, postalAddress } = sending;
  const { subject, words, type } = announcement;
  const body = words.slice(words.indexOf('\n')).trim(); // below the heading
  const { say } = localizationFor(city);
  return composeEmail({
    city,
    subject,
    preheader: toPlainText(body.split('\n', 1)[0]!),
    body: [makeHeading(subject), { html: renderMarkdown(body, EMAIL_LOOK), text: words }],
    footer: [
      makeSmallPrint(say('announcement.why', { purpose: describeSignup(type, city).purpose })),
      makeSmallLinks(
        { label: say('email.unsubscribe'), href: links.unsubscribe },
        { label: say('email.manage'), href: links.manage },
      ),
      makeSender(city, postalAddress),
    ],
  });
}

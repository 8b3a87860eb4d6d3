/** The email of an announcement. Its text form is the operator's Markdown, unchanged. Pure. */

import type { City } from '../../city/define.ts';
import { localizationFor } from '../../city/localization.ts';
import { describeSignup } from '../../subscribers/consent.ts';
import {
  composeEmail,
  type EmailBody,
  makeHeading,
  makeSender,
  makeSmallLinks,
  makeSmallPrint,
} from '../email-layout.ts';
import type { Announcement } from './announcement-store.ts';
import { renderMarkdown, toPlainText } from './markdown.ts';

type AnnouncementFacts = {
  city: City;
  announcement: Announcement;
  links: { unsubscribe: string; manage: string };
  postalAddress: string | undefined;
};

export function renderAnnouncementEmail(facts: AnnouncementFacts): EmailBody {
  const { city, announcement, links, postalAddress } = facts;
  const { subject, words, type } = announcement;
  const body = words.slice(words.indexOf('\n')).trim(); // below the heading
  const { say } = localizationFor(city);
  return composeEmail({
    city,
    subject,
    preheader: toPlainText(body.split('\n', 1)[0]!),
    body: [makeHeading(subject), { html: renderMarkdown(body), text: words }],
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

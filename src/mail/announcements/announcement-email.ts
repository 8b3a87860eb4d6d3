/** Renders the email of an announcement. Its text form is the operator's Markdown, unchanged. Pure. */

import type { City } from '../../city/define.ts';
import { localizationFor } from '../../city/localization.ts';
import { type MarkdownLook, renderMarkdown, toPlainText } from '../../listings/markdown.ts';
import { describeSignup } from '../../subscribers/consent.ts';
import {
  composeEmail,
  type EmailBody,
  makeHeading,
  makeSender,
  makeSmallLinks,
  makeSmallPrint,
  renderHeading2,
  renderLink,
  renderList,
  renderParagraph,
} from '../email-layout.ts';
import type { Announcement } from './announcement-store.ts';

type AnnouncementFacts = {
  city: City;
  announcement: Announcement;
  links: { unsubscribe: string; manage: string };
  postalAddress: string | undefined;
};

export const ANNOUNCEMENT_LOOK: MarkdownLook = {
  heading: renderHeading2,
  paragraph: renderParagraph,
  list: renderList,
  link: renderLink,
  code: (html) => `<code>${html}</code>`,
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
    body: [makeHeading(subject), { html: renderMarkdown(body, ANNOUNCEMENT_LOOK), text: words }],
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

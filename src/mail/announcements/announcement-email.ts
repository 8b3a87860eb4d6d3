/** The email of an announcement. Its text part is the operator's Markdown as it stands. Pure. */

import type { City } from '../../city/define.ts';
import { localizationFor } from '../../city/localization.ts';
import { escapeMarkup } from '../../listings/escape.ts';
import { type MarkdownLook, renderMarkdown, toPlainText } from '../../listings/markdown.ts';
import { describeSignup } from '../../subscribers/consent.ts';
import { formatSender } from '../confirmation-email.ts';
import {
  type EmailBody,
  renderFrame,
  renderHeading,
  renderLink,
  renderParagraph,
  renderSmallPrint,
  STYLE,
  wrapText,
} from '../email-layout.ts';
import type { Announcement } from './announcement-ports.ts';

export type AnnouncementFacts = {
  city: City;
  announcement: Announcement;
  links: { unsubscribe: string; manage: string };
  postalAddress: string | undefined;
};

export const ANNOUNCEMENT_LOOK: MarkdownLook = {
  heading: (html) => `<h2 class="ink" style="${STYLE.h2}">${html}</h2>`,
  paragraph: renderParagraph,
  list(kind, items) {
    const lines = items.map((item) => `<li style="margin:6px 0">${item}</li>`).join('\n');
    return `<${kind} class="ink" style="${STYLE.p};padding-left:24px">\n${lines}\n</${kind}>`;
  },
  link: renderLink,
  code: (html) => `<code>${html}</code>`,
};

export function renderAnnouncementEmail(facts: AnnouncementFacts): EmailBody {
  const { city, announcement, links, postalAddress } = facts;
  const { subject, words, type } = announcement;
  const body = words.slice(words.indexOf('\n')).trim(); // below the heading
  const { say } = localizationFor(city);
  const why = say('announcement.why', { purpose: describeSignup(type, city).purpose });
  const [leave, manage] = [say('email.unsubscribe'), say('email.manage')];
  const who = formatSender(city, postalAddress);
  const html = renderFrame({
    city,
    title: subject,
    preheader: toPlainText(body.split('\n', 1)[0]!),
    body: `${renderHeading(subject)}\n${renderMarkdown(body, ANNOUNCEMENT_LOOK)}`,
    footer: [
      renderSmallPrint(escapeMarkup(why)),
      renderSmallPrint(
        `${renderLink(links.unsubscribe, leave)} &middot; ${renderLink(links.manage, manage)}`,
      ),
      renderSmallPrint(escapeMarkup(who)),
    ].join('\n'),
  });
  const text = [
    words,
    '--',
    wrapText(why),
    `${leave}:\n${links.unsubscribe}`,
    `${manage}:\n${links.manage}`,
    wrapText(who),
  ].join('\n\n');
  return { subject, html, text: `${text}\n` };
}

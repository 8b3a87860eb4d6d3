/** Composes claimed messages. Renders an edition once for the same preferences, then inserts each person's links. */

import type { City } from '../city/define.ts';
import { localizationFor } from '../city/localization.ts';
import { escapeMarkup } from '../listings/escape.ts';
import { describeSignup } from '../subscribers/consent.ts';
import { describePreferences } from '../subscribers/preferences.ts';
import { makeRandomName, type Purpose } from '../subscribers/tokens.ts';
import type { AnnouncementStore } from './announcement.ts';
import { renderAnnouncementEmail } from './announcement.ts';
import { selectPart } from './editions/edition.ts';
import { renderEditionEmail } from './editions/edition-email.ts';
import { type EditionStore, readContent } from './editions/edition-store.ts';
import {
  composeEmail,
  type EmailBody,
  makeButton,
  makeHeading,
  makeParagraph,
  makeSender,
  makeSmallLinks,
  makeSmallPrint,
  wrapText,
} from './email-layout.ts';
import type { Claimed } from './outbox-store.ts';
import type { Sender } from './smtp.ts';

/** Maximum number of texts in memory. Few suffice, because messages with the same text are mostly sent in a row. */
const MOST_TEXTS = 50;

export type ComposeContext = {
  city: City;
  editions: EditionStore;
  announcements: AnnouncementStore;
  suppressions(): Promise<readonly { value: string }[]>;
  from: Sender;
  postalAddress: string | undefined;
  publicUrl: string;
};

/** Writes the email of a message. Returns `undefined` if the message has no content. */
export type EmailWriter = ReturnType<typeof openEmailWriter>;

export function openEmailWriter(context: ComposeContext) {
  const { city, announcements, from, postalAddress, publicUrl } = context;
  const marks = { unsubscribe: makeRandomName(), manage: makeRandomName() };
  const writeEdition = openEditionWriter(context, marks);

  async function write(claimed: Claimed, links: Links): Promise<EmailBody | undefined> {
    const { edition, type, kind, preferences, tokens } = claimed;
    if (kind === 'confirmation') return writeConfirmation(context, claimed, links);
    if (kind === 'announcement') {
      const announcement = await announcements.find(type);
      return announcement && renderAnnouncementEmail({ city, announcement, links, postalAddress });
    }
    const leave = `${links.unsubscribe}&manage=${tokens.manage}`; // the page of this link also offers to change preferences
    const email = await writeEdition(edition!, preferences);
    const insertLinks = (text: string, format = (link: string) => link) =>
      text
        .replaceAll(marks.unsubscribe, () => format(leave))
        .replaceAll(marks.manage, () => format(links.manage));
    if (email === undefined) return undefined;
    return { ...email, html: insertLinks(email.html, escapeMarkup), text: insertLinks(email.text) };
  }

  return async (claimed: Claimed) => {
    const linkOf = (purpose: Purpose) => `${publicUrl}/${purpose}?token=${claimed.tokens[purpose]}`;
    const links = {
      confirm: linkOf('confirm'),
      unsubscribe: linkOf('unsubscribe'),
      manage: linkOf('manage'),
    };
    const email = await write(claimed, links);
    return email && { ...email, headers: makeHeaders(from, claimed, links) };
  };
}

/** The links of a message. Links without a token are not used. */
type Links = Record<Purpose, string>;

/** Makes the headers of RFC 8058 (one-click unsubscribe), RFC 2919 (List-Id) and RFC 3834 (Auto-Submitted). */
function makeHeaders({ address }: Sender, { kind, type }: Claimed, links: Links): Record<string, string> {
  const automatic = { 'Auto-Submitted': 'auto-generated' };
  if (kind === 'confirmation') return automatic;
  return {
    'List-Id': `<${type}.${address.split('@')[1]}>`,
    'List-Unsubscribe': `<${links.unsubscribe}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    ...automatic,
  };
}

/** Renders the email that asks for confirmation. It has no listing, and no text that a stranger could have typed. */
function writeConfirmation(
  { city, postalAddress, publicUrl }: ComposeContext,
  { type, preferences }: Claimed,
  { confirm, manage }: Links,
): EmailBody {
  const { say, language } = localizationFor(city);
  const { subject: what, purpose } = describeSignup(type, city);
  const title = say('confirm.title');
  const asked = say('confirm.email.asked', { purpose });
  const covers =
    preferences === null ? [] : [say('confirm.covers', { what: describePreferences(preferences, city) })];
  const [ignore, lasts] = [say('confirm.email.ignore'), say('confirm.email.lasts')];
  return composeEmail({
    city,
    subject: say('confirm.email.subject', { what }),
    preheader: asked,
    body: [
      makeHeading(title, title.toLocaleUpperCase(language)),
      makeParagraph(asked),
      ...covers.map(makeParagraph),
      makeButton(confirm, say('confirm.button')),
      { html: makeParagraph(ignore).html, text: wrapText(`${lasts} ${ignore}`) },
      { html: makeSmallPrint(lasts).html, text: '' },
    ],
    footer: [
      makeSmallPrint(say('notice.short')),
      makeSmallLinks(
        { label: say('notice.link'), href: `${publicUrl}/about#email` },
        { label: say('email.manage'), href: manage },
      ),
      makeSender(city, postalAddress),
    ],
  });
}

function openEditionWriter(
  { city, editions, suppressions, postalAddress, publicUrl }: ComposeContext,
  marks: { unsubscribe: string; manage: string },
) {
  const links = { ...marks, home: `${publicUrl}/` };
  const contents = new Map<string, ReturnType<typeof readEdition>>();
  const texts = new Map<string, Promise<EmailBody | undefined>>();

  async function readEdition(name: string) {
    const content = readContent(await editions.edition(name));
    const earlier = await editions.earlier(name);
    const before = earlier.find(({ edition }) => edition === content?.before?.edition);
    return { content, before, earlier, suppressed: await suppressions() };
  }

  async function write(edition: string, preferences: string | null): Promise<EmailBody | undefined> {
    const { content, earlier, ...rest } = await contents.getOrInsertComputed(edition, readEdition);
    const part = content && selectPart(content, { ...rest, preferences });
    if (part === undefined || part.listings.length === 0) return undefined;
    return renderEditionEmail({ city, postalAddress, links, content: part, earlier, preferences });
  }

  return (edition: string, preferences: string | null) => {
    const key = `${edition}\n${preferences ?? ''}`;
    if (!texts.has(key) && texts.size >= MOST_TEXTS) texts.delete(texts.keys().next().value!);
    return texts.getOrInsertComputed(key, () => write(edition, preferences));
  };
}

/** Composes claimed messages. Renders equal messages once, then inserts each person's links. */

import { renderAnnouncementEmail } from '../../page/email/announcement-email.ts';
import { renderConfirmationEmail } from '../../page/email/confirmation-email.ts';
import type { EmailBody } from '../../page/email/email-layout.ts';
import { renderWeeklyEmail } from '../../page/email/weekly-email.ts';
import { readContent, readContents } from '../../service/mail/editions/edition-store.ts';
import type { EmailWriter, MailContext } from '../../service/mail/mail-context.ts';
import type { Claimed } from '../../service/mail/outbox-store.ts';
import type { Sender } from '../../service/mail/smtp.ts';
import { makeRandomName, type Purpose } from '../../service/subscribers/tokens.ts';
import { selectPart } from '../../shared/edition/edition.ts';
import { parsePreferences } from '../../shared/signup/preferences.ts';
import { escapeMarkup } from '../../shared/text/escape.ts';

/** Maximum number of texts in memory. Few suffice, because messages with the same text are mostly sent in a row. */
const MOST_TEXTS = 50;

/** The links of a message. Links without a token are not used. */
type Links = Record<Purpose, string>;

export function openEmailWriter(context: MailContext): EmailWriter {
  /** Placeholders for the links in a text. They are unguessable, so no listing can contain them. */
  const marks = { confirm: makeRandomName(), unsubscribe: makeRandomName(), manage: makeRandomName() };
  const readEdition = openEditionReader(context);
  const texts = new Map<string, Promise<EmailBody | undefined>>();

  async function write({ kind, type, edition, preferences }: Claimed): Promise<EmailBody | undefined> {
    const { city, store, postalAddress, publicUrl } = context;
    if (kind === 'confirmation') return renderConfirmationEmail(context, type, preferences, marks);
    if (kind === 'announcement') {
      const announcement = await store.announcements.find(type);
      return announcement && renderAnnouncementEmail({ city, announcement, links: marks, postalAddress });
    }
    const { content, introduction, earlier, suppressed } = await readEdition(edition!);
    const wanted = parsePreferences(preferences, city);
    const part = content && selectPart(content, wanted, suppressed);
    if (part === undefined || part.total === 0) return undefined;
    const links = { ...marks, home: `${publicUrl}/` };
    return renderWeeklyEmail({ city, postalAddress, links, introduction, content: part, earlier, wanted });
  }

  return async (claimed: Claimed) => {
    const { kind, type, edition, preferences } = claimed;
    const key = JSON.stringify([kind, type, edition, preferences]);
    if (!texts.has(key) && texts.size >= MOST_TEXTS) texts.delete(texts.keys().next().value!);
    const email = await texts.getOrInsertComputed(key, () => write(claimed));
    if (email === undefined) return undefined;
    const links = makeLinks(context, claimed);
    // the page for unsubscribing from the weekly email also offers to change preferences
    const leave = `${links.unsubscribe}${kind === 'edition' ? `&manage=${claimed.tokens.manage}` : ''}`;
    const insertLinks = (text: string, format = (link: string) => link) =>
      text
        .replaceAll(marks.confirm, () => format(links.confirm))
        .replaceAll(marks.unsubscribe, () => format(leave))
        .replaceAll(marks.manage, () => format(links.manage));
    const [html, text] = [insertLinks(email.html, escapeMarkup), insertLinks(email.text)];
    return { ...email, html, text, headers: makeHeaders(context.from, claimed, links) };
  };
}

function makeLinks({ publicUrl }: MailContext, { tokens }: Claimed): Links {
  const linkOf = (purpose: Purpose) => `${publicUrl}/${purpose}?token=${tokens[purpose]}`;
  return { confirm: linkOf('confirm'), unsubscribe: linkOf('unsubscribe'), manage: linkOf('manage') };
}

/** Makes the headers of RFC 8058 (one-click unsubscribe) and RFC 2919 (List-Id). */
function makeHeaders({ address }: Sender, { kind, type }: Claimed, links: Links): Record<string, string> {
  if (kind === 'confirmation') return {};
  return {
    'List-Id': `<${type}.${address.split('@')[1]}>`,
    'List-Unsubscribe': `<${links.unsubscribe}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}

/** Returns a function that reads an edition, once, with what is needed to select and describe its parts. */
function openEditionReader({ city, store: { editions, listings } }: MailContext) {
  const read = async (name: string) => {
    const edition = await editions.edition(name);
    return {
      content: readContent(edition, city),
      introduction: edition?.introduction ?? null,
      earlier: readContents(await editions.earlier(name), city),
      suppressed: await listings.suppressions(),
    };
  };
  const known = new Map<string, ReturnType<typeof read>>();
  return (name: string) => known.getOrInsertComputed(name, read);
}

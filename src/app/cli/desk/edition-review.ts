/** What an operator does before an edition is sent, for the commands and the desk: look at it, introduce it, leave listings out, approve it. */

import { renderWeeklyEmail } from '../../../page/email/weekly-email.ts';
import { previewContent, readComing } from '../../../service/mail/editions/decide-edition.ts';
import { formatListingId, type ListingId } from '../../../shared/edition/edition.ts';
import { parseIntroduction } from '../../../shared/edition/introduction.ts';
import { missingError, refusedError } from '../../../shared/errors.ts';
import { formatCount } from '../../../shared/text/numbers.ts';
import { makeSuppressionTest } from '../../../shared/words.ts';
import type { Mail } from '../../operations/connect-mail.ts';
import type { Service } from '../../operations/service.ts';
import type { Report } from '../options.ts';

/** Renders the next edition for a subscriber without preferences, or an example. Its links do not work. */
export async function renderComing({ store, now }: Service, { context }: Mail) {
  const { city, postalAddress, publicUrl } = context;
  const latest = async () => (await Array.fromAsync(store.listings.listings())).flat();
  const { coming, content, earlier, isExample } = await previewContent(context, latest, now());
  const { introduction } = coming;
  const home = `${publicUrl}/`;
  const links = { home, unsubscribe: `${home}unsubscribe?token=`, manage: `${home}manage?token=` };
  const facts = { city, content, introduction, earlier, links, postalAddress, isExample };
  return { coming, content, isExample, email: renderWeeklyEmail(facts) };
}

const readNext = ({ loaded, store, now }: Service) => readComing({ city: loaded.city, store }, now());

/** Stores the introduction of the next edition; an empty one removes it. Throws `usage` for one that cannot be printed. */
export async function introduceEdition(service: Service, given: string): Promise<Report> {
  const introduction = parseIntroduction(given);
  const { edition } = await readNext(service);
  await prepare(service, edition, { introduction });
  const done = introduction === null ? 'has no introduction now' : 'has this introduction now';
  return {
    json: { edition, introduction },
    text: `the edition of ${edition} ${done}\nLook at it: npx shingle weekly preview`,
  };
}

/** Approves the next edition as it was seen. Throws `refused` if it has changed since, or has no news. */
export async function approveEdition(service: Service, digest: string): Promise<Report> {
  const { edition, total, digest: now } = await readNext(service);
  if (total === 0) throw refusedError(`the edition of ${edition} has no new businesses yet`);
  if (digest !== now)
    throw refusedError(
      `the edition of ${edition} has changed since you saw it: look at it again before you approve it`,
    );
  await prepare(service, edition, { digest });
  const news = formatCount(total, 'new business', 'new businesses');
  return { json: { edition, total, digest }, text: `the edition of ${edition} is approved, with ${news}` };
}

async function prepare(
  { store }: Service,
  edition: string,
  review: Parameters<typeof store.editions.prepare>[1],
) {
  if (await store.editions.prepare(edition, review)) return;
  throw refusedError(`the edition of ${edition} exists already`);
}

/**
 * Leaves the new listings with a name or key, or exactly one, out of the weekly email, or takes them back. The page and the API still have
 * them. Throws `missing` if there are none.
 */
export async function leaveOut(
  service: Service,
  meant: string | ListingId,
  { undo = false }: { undo?: boolean },
) {
  const { editions } = service.store;
  const isMeant =
    typeof meant === 'string'
      ? makeSuppressionTest([meant.trim()])
      : ({ source, key }: ListingId) => source === meant.source && key === meant.key;
  const coming = (await readNext(service)).made.listings.filter(isMeant);
  const leftOut = (await listLeftOut(service)).filter(isMeant);
  const [changing, unchanged] = undo ? [leftOut, coming] : [coming, leftOut];
  // the command may be repeated because it was interrupted after its commit
  const names = (changing.length > 0 ? changing : unchanged).map(({ name }) => name);
  if (names.length === 0) {
    const text = typeof meant === 'string' ? meant : meant.key;
    throw missingError(`no new business has the name or key "${text}"`);
  }
  await editions.leaveOut(changing, undo ? undefined : service.now());
  const done = undo ? 'back in the next edition' : 'left out of the weekly email';
  return { json: { names, left_out: !undo }, text: `${done}: ${names.join(', ')}` };
}

/** Lists the new listings that were left out. */
export async function listLeftOut({ store }: Service) {
  const leftOut = new Set((await store.editions.leftOut()).map(formatListingId));
  const { listings } = await store.editions.news();
  return listings.filter((listing) => leftOut.has(formatListingId(listing)));
}

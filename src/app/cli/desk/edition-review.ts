/** What an operator does before an edition is sent: look at it, introduce it, leave listings out, approve it. */

import { renderEditionEmail } from '../../../page/email/edition-email.ts';
import { previewContent, readComing } from '../../../service/mail/editions/decide-edition.ts';
import { formatListingId, type ListingId } from '../../../shared/edition/edition.ts';
import { parseIntroduction } from '../../../shared/edition/introduction.ts';
import { ShingleError } from '../../../shared/errors.ts';
import { makeSuppressionTest } from '../../../shared/words.ts';
import type { Mail } from '../../operations/connect-mail.ts';
import type { Service } from '../../operations/service.ts';

/** Renders the next edition for a subscriber without preferences, or an example. Its links do not work. */
export async function renderComing({ store, now }: Service, { context }: Mail) {
  const { city, postalAddress, publicUrl } = context;
  const latest = async () => (await Array.fromAsync(store.listings.listings())).flat();
  const { coming, content, earlier, isExample } = await previewContent(context, latest, now());
  const { introduction } = coming;
  const home = `${publicUrl}/`;
  const links = { home, unsubscribe: `${home}unsubscribe?token=`, manage: `${home}manage?token=` };
  const facts = { city, content, introduction, earlier, links, postalAddress, isExample };
  return { coming, content, isExample, email: renderEditionEmail(facts) };
}

const readNext = ({ loaded, store, now }: Service) => readComing({ city: loaded.city, store }, now());

/** Stores the introduction of the next edition; an empty one removes it. Throws `usage` for one that cannot be printed. */
export async function introduceEdition(service: Service, given: string) {
  const introduction = parseIntroduction(given);
  const { edition } = await readNext(service);
  await prepare(service, edition, { introduction });
  return { edition, introduction };
}

/** Approves the next edition as it was seen. Throws `refused` if it has changed since, or has no news. */
export async function approveEdition(service: Service, digest: string) {
  const { edition, total, digest: now } = await readNext(service);
  if (total === 0) throw new ShingleError('refused', `the edition of ${edition} has no new businesses yet`);
  if (digest !== now)
    throw new ShingleError(
      'refused',
      `the edition of ${edition} has changed since you saw it: look at it again before you approve it`,
    );
  await prepare(service, edition, { digest, approvedAt: service.now() });
  return { edition, total, digest };
}

async function prepare(
  { store }: Service,
  edition: string,
  review: Parameters<typeof store.editions.prepare>[1],
) {
  if (await store.editions.prepare(edition, review)) return;
  throw new ShingleError('refused', `the edition of ${edition} exists already`);
}

/** The listings that an operator means: those with a name or key, or exactly one. */
type Meant = string | ListingId;

function makeTest(meant: Meant): (listing: ListingId & { name: string }) => boolean {
  if (typeof meant === 'string') return makeSuppressionTest([meant.trim()]);
  return ({ source, key }) => source === meant.source && key === meant.key;
}

/** Leaves the new listings with this name or key out of the weekly email. The page and the API still have them. */
export const leaveOut = (service: Service, given: Meant) => review(service, given, 'leaveOut');

/** Takes back what `leaveOut` did. */
export const takeBack = (service: Service, given: Meant) => review(service, given, 'takeBack');

/** Returns the names of the listings. Throws `missing` if no new listing has this name or key. */
async function review(service: Service, given: Meant, act: 'leaveOut' | 'takeBack') {
  const { editions } = service.store;
  const lists = [(await readNext(service)).made.listings, await listLeftOut(service)];
  const [found = [], done = []] = lists.map((all: readonly (ListingId & { name: string })[]) =>
    all.filter(makeTest(given)),
  );
  const [changing, unchanged] = act === 'leaveOut' ? [found, done] : [done, found];
  // the command may be repeated because it was interrupted after its commit
  const names = (changing.length > 0 ? changing : unchanged).map(({ name }) => name);
  const meant = typeof given === 'string' ? given : given.key;
  if (names.length === 0) throw new ShingleError('missing', `no new business has the name or key "${meant}"`);
  await editions[act](changing, service.now());
  return { names };
}

/** Lists the new listings that were left out. */
export async function listLeftOut({ store }: Service) {
  const leftOut = new Set((await store.editions.leftOut()).map(formatListingId));
  const { listings } = await store.editions.news();
  return listings.filter((listing) => leftOut.has(formatListingId(listing)));
}

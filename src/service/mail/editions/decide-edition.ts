/** Creates editions: chooses their week, listings and recipients. Sends no mail. */

import { hasRegisterEnded } from '../../../shared/city/register-end.ts';
import { addMs, findToday, HOUR_MS, type Instant, toLocalDay } from '../../../shared/day.ts';
import {
  compareRecency,
  countPart,
  type EditionContent,
  MOST_LISTINGS_SHOWN,
  makeEditionContent,
  nameContent,
  type StoredContent,
} from '../../../shared/edition/edition.ts';
import type { StoredListing } from '../../../shared/listing.ts';
import { parsePreferences } from '../../../shared/signup/preferences.ts';
import type { MailContext } from '../mail-context.ts';
import { readContents } from './edition-store.ts';
import { findNewestSlot, findNextSlot, type Slot, weeklyOf } from './slots.ts';

/** Maximum delay of a weekly email. After that, its listings go into the next one. */
export const LATE_MS = 48 * HOUR_MS;

export type WeeklyContext = Pick<MailContext, 'city'> & {
  store: Pick<MailContext['store'], 'editions' | 'listings'>;
};

export type Decision = {
  edition: string;
  /**
   * `already`: the edition exists. `archive`: the register has ended, so it has no news. `nobody`: it is early, and nobody
   * would get it.
   */
  outcome: 'decided' | 'empty' | 'nobody' | 'already' | 'nothing-yet' | 'archive';
  /** Whether the slot is in the future, because the database is new. */
  early: boolean;
  content: EditionContent | null;
  recipients: number;
  /** Number of subscribers who get nothing, because no listing matches their preferences. */
  unmatched: number;
};

/** Finds the newest slot since the first run, unless it already has an edition. `isLate`: too late to send one. */
export async function findDueSlot(
  context: WeeklyContext,
  now: Instant,
): Promise<(Slot & { isLate: boolean }) | undefined> {
  const { since, slot, early, isCreated } = await findSlot(context, now);
  if (since === null || early || isCreated || (await hasEnded(context, now))) return undefined;
  return { ...slot, isLate: isTooLate(slot, now) };
}

const isTooLate = ({ at }: Slot, now: Instant): boolean => Date.parse(now) - Date.parse(at) > LATE_MS;

/** Records a skipped slot. Its listings go into the next edition. */
export async function skipLateEdition(
  { store }: WeeklyContext,
  { edition }: Slot,
  now: Instant,
): Promise<void> {
  const skipped = { state: 'skipped', reason: 'late', content: null } as const;
  await store.editions.decide({ edition, ...skipped, decidedAt: now, expiresAt: now }, []);
}

/**
 * Creates the edition of the newest slot or, in a new database, of the next one. An early edition that nobody would get is
 * not stored, because then none could be sent when it is due. With `dry`, stores nothing.
 */
export async function decideEdition(context: WeeklyContext, now: Instant, dry: boolean): Promise<Decision> {
  const { editions } = context.store;
  const found = await findSlot(context, now);
  const { since, slot, early, last, isCreated } = found;
  const nothing = { edition: slot.edition, early, content: null, recipients: 0, unmatched: 0 };
  if (since === null) return { ...nothing, outcome: 'nothing-yet' };
  if (isCreated) return { ...nothing, outcome: 'already', edition: last!.edition };
  if (await hasEnded(context, now)) return { ...nothing, outcome: 'archive' };
  const { runs, listings } = await editions.news();
  const made = await makeContent(context, found, listings, now);
  const content = nameContent(made, context.city);
  const isEmpty = content.total === 0;
  const isFor = (preferences: string | null) =>
    countPart(content, parsePreferences(preferences, context.city)) > 0;
  const people = isEmpty ? {} : await editions.recipients(isFor);
  const decision = { ...nothing, content, ...people };
  if (early && decision.recipients === 0) return { ...decision, outcome: isEmpty ? 'empty' : 'nobody' };
  const stored = {
    edition: slot.edition,
    state: isEmpty ? 'skipped' : 'open',
    reason: isEmpty ? 'empty' : null,
    decidedAt: now,
    content: JSON.stringify(made),
    expiresAt: addMs(now, LATE_MS),
    isFor,
  } as const;
  const isDecided = dry || (await editions.decide(stored, runs));
  return { ...decision, outcome: !isDecided ? 'already' : isEmpty ? 'empty' : 'decided' };
}

/** Returns the next slot without an edition, and how many new businesses its edition has so far. */
export async function readComing(context: WeeklyContext, now: Instant) {
  const found = await findSlot(context, now);
  const { since, slot, isCreated } = found;
  const isOver = isCreated || since === null || isTooLate(slot, now);
  const { edition, at } = isOver ? findNextSlot(slot, weeklyOf(context.city), context.city.timeZone) : slot;
  const { listings } = await makeContent(context, found, (await context.store.editions.news()).listings, now);
  return { edition, at, total: listings.length };
}

async function hasEnded({ city, store }: WeeklyContext, now: Instant): Promise<boolean> {
  const latestFiling = await store.listings.latestFiling();
  return hasRegisterEnded(city, { latestFiling, day: findToday(city, now) });
}

/** Makes a preview of the next edition or, without news, an example from the latest listings. */
export async function previewContent(
  context: WeeklyContext,
  latest: () => Promise<readonly StoredListing[]>,
  now: Instant,
): Promise<{ content: EditionContent; earlier: EditionContent[]; isExample: boolean }> {
  const { editions } = context.store;
  const found = await findSlot(context, now);
  const made = await makeContent(context, found, (await editions.news()).listings, now);
  const { city } = context;
  if (made.listings.length > 0) {
    const earlier = readContents(await editions.earlier(made.edition), city);
    return { content: nameContent(made, city), earlier, isExample: false };
  }
  const newest = (await latest()).toSorted(compareRecency).slice(0, MOST_LISTINGS_SHOWN);
  const example = nameContent(await makeContent(context, found, newest, now), city);
  return { content: example, earlier: [], isExample: true };
}

/** Finds the newest slot, or the next one if the database is newer (`early`). `isCreated`: it has an edition. */
async function findSlot({ city, store: { editions } }: WeeklyContext, now: Instant) {
  const weekly = weeklyOf(city);
  const newest = findNewestSlot(weekly, city.timeZone, now);
  const next = findNextSlot(newest, weekly, city.timeZone);
  const [since, last] = [await editions.since(), await editions.last(next.edition)];
  const early = since !== null && newest.at < since;
  const slot = early ? next : newest;
  return { since, last, early, slot, isCreated: last !== undefined && last.edition >= slot.edition };
}

async function makeContent(
  { city, store }: WeeklyContext,
  { slot, last, since }: Awaited<ReturnType<typeof findSlot>>,
  news: readonly StoredListing[],
  now: Instant,
): Promise<StoredContent> {
  return makeEditionContent({
    edition: slot.edition,
    from: toLocalDay(city.timeZone, last?.decidedAt ?? since ?? now),
    to: toLocalDay(city.timeZone, now),
    today: findToday(city, now),
    news,
    suppressed: await store.listings.suppressions(),
  });
}

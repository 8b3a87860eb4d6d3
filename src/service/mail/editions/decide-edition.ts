/** Creates editions: chooses their week, listings and recipients. Sends no mail. */

import { createHash } from 'node:crypto';
import { hasRegisterEnded } from '../../../shared/city/register-end.ts';
import { addMs, findToday, HOUR_MS, type Instant, toLocalDay } from '../../../shared/day.ts';
import {
  compareRecency,
  countPart,
  type EditionContent,
  type ListingId,
  type Making,
  MOST_LISTINGS_SHOWN,
  makeEditionContent,
  nameContent,
  type StoredContent,
} from '../../../shared/edition/edition.ts';
import type { StoredListing } from '../../../shared/listing.ts';
import { parsePreferences } from '../../../shared/signup/preferences.ts';
import type { MailContext } from '../mail-context.ts';
import { readContents } from './edition-store.ts';
import { fateOfUnapproved, findNewestSlot, findNextSlot, type Slot, weeklyOf } from './weekly-schedule.ts';

/** Maximum delay of a weekly email. After that, its listings go into the next one. */
export const LATE_MS = 48 * HOUR_MS;
/** How long an edition waits for its approval. */
const APPROVAL_MS = 24 * HOUR_MS;

export type WeeklyContext = Pick<MailContext, 'city'> & {
  store: Pick<MailContext['store'], 'editions' | 'listings'>;
};

export type Decision = {
  edition: string;
  /**
   * `already`: the edition exists. `archive`: the register has ended, so it has no news. `nobody`: it is early, and nobody
   * would get it. `waiting`: the operator has not approved what it contains now. `unapproved`: it is skipped for that.
   */
  outcome: 'decided' | 'empty' | 'nobody' | 'already' | 'nothing-yet' | 'archive' | 'waiting' | 'unapproved';
  /** Whether the slot is in the future, because the database is new. */
  early: boolean;
  content: EditionContent | null;
  /** What the edition is approved as (`digestEdition`), or `null` without content. */
  digest: string | null;
  recipients: number;
  /** Number of subscribers who get nothing, because no listing matches their preferences. */
  unmatched: number;
};

/** Finds the newest slot since the first run, unless it already has an edition. */
export async function findDueSlot(context: WeeklyContext, now: Instant) {
  const found = await findSlot(context, now);
  const { slot, standing } = found;
  const isLate = standing === 'late';
  if (!(isLate || standing === 'due') || (await hasEnded(context, now))) return undefined;
  const isAsked = !isLate && needsApproval(context);
  /** Whether the edition waits for the operator's approval. */
  const isWaiting = isAsked && (await prepareEdition(context, found, now)).approval === 'waiting';
  return { ...slot, isLate, isWaiting };
}

/**
 * How the newest slot stands. `nothing-yet`: no run was kept. `made`: it has an edition. `early`: the database is newer, so the next slot
 * is meant. `due`: its edition can be made. `late`: its edition is no longer sent.
 */
type Standing = 'nothing-yet' | 'made' | 'early' | 'due' | 'late';

const needsApproval = ({ city }: WeeklyContext): boolean => weeklyOf(city).approval === true;

/** Records a skipped slot. Its listings go into the next edition. */
export async function skipEdition(
  { store }: WeeklyContext,
  { edition }: Slot,
  reason: 'late' | 'unapproved',
  now: Instant,
): Promise<boolean> {
  return store.editions.decide({ edition, reason, content: null, decidedAt: now, expiresAt: now }, []);
}

/**
 * Creates the edition of the newest slot or, in a new database, of the next one. An early edition that nobody would get is
 * not stored, because then none could be sent when it is due. With `dry`, stores nothing.
 */
export async function decideEdition(context: WeeklyContext, now: Instant, dry: boolean): Promise<Decision> {
  const { editions } = context.store;
  const found = await findSlot(context, now);
  const { slot, last, standing } = found;
  const early = standing === 'early';
  const { edition } = slot;
  const nothing = { edition, early, content: null, digest: null, recipients: 0, unmatched: 0 };
  if (standing === 'nothing-yet') return { ...nothing, outcome: standing };
  if (standing === 'made') return { ...nothing, outcome: 'already', edition: last!.edition };
  if (await hasEnded(context, now)) return { ...nothing, outcome: 'archive' };
  const { made: due, makeAt, runs, review, digest, approval } = await prepareEdition(context, found, now);
  const made = early ? await makeAt(now) : due; // it may have other statuses than the one approved
  const content = nameContent(made, context.city);
  const isEmpty = content.total === 0;
  const isFor = (preferences: string | null) =>
    countPart(content, parsePreferences(preferences, context.city)) > 0;
  const people = isEmpty ? {} : await editions.recipients(isFor);
  const decision = { ...nothing, content, digest, ...people };
  if (early && decision.recipients === 0) return { ...decision, outcome: isEmpty ? 'empty' : 'nobody' };
  if (approval === 'waiting') return { ...decision, outcome: approval };
  if (approval === 'skipped') {
    const isSkipped = dry || (await skipEdition(context, slot, 'unapproved', now));
    return { ...decision, outcome: isSkipped ? 'unapproved' : 'already' };
  }
  const stored = {
    edition,
    reason: isEmpty ? 'empty' : null,
    decidedAt: now,
    content: JSON.stringify(made),
    introduction: review.introduction,
    expiresAt: addMs(now, LATE_MS),
    isFor,
  } as const;
  const isDecided = dry || (await editions.decide(stored, runs));
  return { ...decision, outcome: !isDecided ? 'already' : isEmpty ? 'empty' : 'decided' };
}

/** Returns the next slot without an edition, and what its edition has so far. */
export async function readComing(context: WeeklyContext, now: Instant) {
  const found = await findSlot(context, now);
  const isComing = found.standing === 'early' || found.standing === 'due';
  const slot = isComing ? found.slot : findNextSlot(found.slot, context.city);
  const { made, review, digest } = await prepareEdition(context, { ...found, slot }, now);
  const asks = needsApproval(context) && made.listings.length > 0;
  return {
    ...slot,
    total: made.listings.length,
    leftOut: made.leftOut,
    made,
    introduction: review.introduction,
    digest,
    /** When it is no longer waiting for an approval. */
    until: addMs(slot.at, APPROVAL_MS),
    /** Whether the operator has approved it as it is now, or `null` if nobody asks for that. */
    isApproved: asks ? review.digest === digest : null,
    /** Whether the operator has approved something else, which has changed since. */
    hadApproval: asks && review.digest !== null && review.digest !== digest,
  };
}

/** An edition that waits for its approval, and when it no longer does. */
export type Unapproved = { edition: string; total: number; until: Instant };

/** Finds the edition that the operator should approve: from a day before it is due, if it has news. */
export async function findUnapproved(context: WeeklyContext, now: Instant): Promise<Unapproved | undefined> {
  if (!needsApproval(context) || (await hasEnded(context, now))) return undefined;
  const { edition, at, total, until, isApproved } = await readComing(context, now);
  const isNear = addMs(at, -APPROVAL_MS) <= now;
  return isNear && isApproved === false ? { edition, total, until } : undefined;
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
) {
  const { city } = context;
  const coming = await readComing(context, now);
  if (coming.made.listings.length > 0) {
    const earlier = readContents(await context.store.editions.earlier(coming.edition), city);
    return { coming, content: nameContent(coming.made, city), earlier, isExample: false };
  }
  const newest = (await latest()).toSorted(compareRecency).slice(0, MOST_LISTINGS_SHOWN);
  const { from, to } = coming.made;
  const making = { edition: coming.edition, from, to, news: newest };
  const example = await makeContent(context, making, sendTimeOf(coming, now));
  return { coming, content: nameContent(example, city), earlier: [], isExample: true };
}

type Found = Awaited<ReturnType<typeof findSlot>>;

/** Finds the newest slot, or the next one if the database is newer, with the time of the first run and the last edition. */
async function findSlot({ city, store: { editions } }: WeeklyContext, now: Instant) {
  const newest = findNewestSlot(city, now);
  const next = findNextSlot(newest, city);
  const [since, last] = [await editions.since(), await editions.last(next.edition)];
  const isEarly = since !== null && newest.at < since;
  const slot = isEarly ? next : newest;
  const isMade = last !== undefined && last.edition >= slot.edition;
  const isLate = Date.parse(now) - Date.parse(slot.at) > LATE_MS;
  const standing: Standing =
    since === null ? 'nothing-yet' : isMade ? 'made' : isEarly ? 'early' : isLate ? 'late' : 'due';
  return { since, last, slot, standing };
}

/** Returns when an edition is due to be sent. */
const sendTimeOf = ({ at }: Slot, now: Instant): Instant => (now < at ? at : now);

/** Makes the content of the edition of a slot as it is when due, and compares it with what the operator approved. */
async function prepareEdition(
  context: WeeklyContext,
  { slot, last, since }: Omit<Found, 'standing'>,
  now: Instant,
) {
  const { city, store } = context;
  const { runs, listings } = await store.editions.news();
  const from = toLocalDay(city.timeZone, last?.decidedAt ?? since ?? now);
  const announced = await readAnnounced(context, slot, listings);
  const makeAt = (at: Instant) => {
    const days = { edition: slot.edition, from, to: toLocalDay(city.timeZone, at) };
    return makeContent(context, { ...days, news: listings, announced }, at);
  };
  const made = await makeAt(sendTimeOf(slot, now));
  const review = await store.editions.review(slot.edition);
  const digest = digestEdition(made, review.introduction);
  const isUnapproved = needsApproval(context) && made.listings.length > 0 && review.digest !== digest;
  const isOverdue = Date.parse(now) - Date.parse(slot.at) >= APPROVAL_MS;
  const approval = !isUnapproved ? 'given' : isOverdue ? fateOfUnapproved(city) : 'waiting';
  return { made, makeAt, runs, review, digest, approval };
}

async function makeContent(
  { city, store }: WeeklyContext,
  making: Omit<Making, 'today' | 'suppressed' | 'leftOut'>,
  now: Instant,
): Promise<StoredContent> {
  const suppressed = await store.listings.suppressions();
  const leftOut = await store.editions.leftOut();
  return makeEditionContent({ ...making, today: findToday(city, now), suppressed, leftOut });
}

/** Reads what editions have announced since the oldest of these listings was filed. */
async function readAnnounced(
  { store }: WeeklyContext,
  { edition }: Slot,
  news: readonly StoredListing[],
): Promise<ListingId[]> {
  const [oldest = edition] = news.map(({ filedOn }) => filedOn).toSorted();
  const earlier = news.length === 0 ? [] : await store.editions.earlier(edition);
  return earlier
    .filter((one) => one.edition >= oldest)
    .flatMap(({ content }) => (JSON.parse(content!) as StoredContent).listings);
}

/** Identifies what an operator sees of an edition: its listings in order, those left out, and the introduction. */
function digestEdition({ listings, leftOut }: StoredContent, introduction: string | null): string {
  const seen = JSON.stringify([listings, leftOut, introduction]);
  return createHash('sha256').update(seen).digest('hex').slice(0, 16);
}

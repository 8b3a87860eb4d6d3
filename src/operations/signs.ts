/** The facts that indicate concerns. A serving process keeps most of them in memory; a command reads them once. */

import type { SourceState } from '../import/runs.ts';
import { addMs, DAY_MS, type Day, findToday, type Instant } from '../listings/day.ts';
import type { Alert, Instance } from '../mail/alerts/alert-store.ts';
import type { MailStanding } from '../mail/outbox-store.ts';
import type { ConfirmationLimits } from '../subscribers/confirmations.ts';
import type { BackupFacts } from './data/backups.ts';
import { findConfirmationLimits } from './mail.ts';
import type { Service } from './service.ts';

/** Interval at which an instance reports that it runs. */
export const PULSE_MS = 60_000;
const LOST_PULSES = 5;
/** Days whose messages are counted. */
export const UNDELIVERED_DAYS = 7;

/** Signs that change slowly or cost a query, so they are read every minute. */
export type SlowSigns = {
  instances: readonly Instance[];
  /** The newest alert to the operator. */
  alert: Alert | undefined;
  /** Counts for the last seven days. */
  undelivered: { finished: number; undelivered: number } | undefined;
  mail: MailStanding | undefined;
  /** The state of the daily backups, if Shingle makes them. */
  backups: BackupFacts | undefined;
};

export const NO_SLOW_SIGNS: SlowSigns = {
  instances: [],
  alert: undefined,
  undelivered: undefined,
  mail: undefined,
  backups: undefined,
};

/** All facts that indicate concerns, except the disk. */
export type Signs = Omit<SlowSigns, 'instances' | 'backups'> & {
  backups?: SlowSigns['backups'];
  states: readonly SourceState[];
  /** The newest filing of each source, without those dated in the future. */
  newest: ReadonlyMap<string, Day>;
  limits: ConfirmationLimits;
  /** Since when an instance runs the schedule. `undefined` if none does. */
  scheduledSince: Instant | undefined;
};

export async function readSlowSigns(service: Service): Promise<SlowSigns> {
  const { store, now } = service;
  const { alerts } = store;
  return {
    instances: await alerts.instances(),
    alert: await alerts.newest(),
    mail: await store.outbox.standing(now(), findConfirmationLimits(service)),
    backups: await store.readBackups(),
    undelivered: await alerts.countUndelivered(addMs(now(), -UNDELIVERED_DAYS * DAY_MS)),
  };
}

/** Lists the instances that have reported in the last five minutes. */
export function listRunning(instances: readonly Instance[], now: Instant): Instance[] {
  const lostMs = LOST_PULSES * PULSE_MS;
  return instances.filter(({ seenAt }) => seenAt > addMs(now, -lostMs) && seenAt <= addMs(now, lostMs));
}

type AllSigns = Signs & Pick<SlowSigns, 'instances'>;

/** Completes the signs. `now` has those that change fast, which a serving process keeps in memory. */
export function completeSigns(
  service: Service,
  slow: SlowSigns,
  now: Pick<Signs, 'states' | 'newest'> & { mail?: MailStanding | undefined },
): AllSigns {
  const { mail = slow.mail, ...seen } = now;
  const scheduledSince = findScheduledSince(slow.instances, service.now());
  return { ...slow, ...seen, mail, limits: findConfirmationLimits(service), scheduledSince };
}

/** Reads all signs from the store. */
export async function readSigns(service: Service): Promise<AllSigns> {
  const { store, loaded, now } = service;
  const sources = loaded.city.sources.map(({ id }) => id);
  return completeSigns(service, await readSlowSigns(service), {
    states: await store.filings.sourceStates(),
    newest: await store.listings.newestFilings(sources, findToday(loaded.city, now())),
  });
}

/** Returns since when an instance runs the schedule, or `undefined` if none does. */
function findScheduledSince(instances: readonly Instance[], now: Instant): Instant | undefined {
  const keeping = listRunning(instances, now).filter(({ command }) => command === 'start');
  return keeping.map(({ startedAt }) => startedAt).toSorted()[0];
}

/**
 * Reads the facts that indicate concerns. A serving process keeps most of them in memory; a command reads them once.
 */

import type { SourceState } from '../import/runs.ts';
import { addMs, DAY_MS, type Day, findToday, type Instant } from '../listings/day.ts';
import type { Alert, Instance } from '../mail/alerts/alert-store.ts';
import type { MailStanding } from '../mail/outbox-store.ts';
import type { ConfirmationLimits } from '../subscribers/confirmations.ts';
import type { BackupFacts } from './data/backups.ts';
import { findConfirmationLimits } from './mail.ts';
import type { Service } from './service.ts';

export const PULSE_MS = 60_000;
const LOST_PULSES = 5;
export const UNDELIVERED_DAYS = 7;

export type Signs = {
  states: readonly SourceState[];
  /** The date of each source's newest filing, ignoring filings dated in the future. */
  newest: ReadonlyMap<string, Day>;
  instances: readonly Instance[];
  /** Since when an instance has run the schedule, or `undefined` if none does. */
  scheduledSince: Instant | undefined;
  mail: MailStanding | undefined;
  limits: ConfirmationLimits;
  undelivered: { finished: number; undelivered: number } | undefined;
  alert: Alert | undefined;
  /** The state of the daily backups, if Shingle makes them. */
  backups: BackupFacts | undefined;
};

/** Returns the signs to use until a service has read them. */
export function makeNoSigns(service: Service): Signs {
  return {
    ...{ states: [], newest: new Map(), instances: [], scheduledSince: undefined },
    ...{ mail: undefined, limits: findConfirmationLimits(service) },
    ...{ undelivered: undefined, alert: undefined, backups: undefined },
  };
}

export async function readSigns(service: Service): Promise<Signs> {
  const { store, loaded, now } = service;
  const limits = findConfirmationLimits(service);
  const sources = loaded.city.sources.map(({ id }) => id);
  const instances = await store.alerts.instances();
  const scheduling = listRunning(instances, now()).filter(({ command }) => command === 'start');
  return {
    states: await store.filings.sourceStates(),
    newest: await store.listings.newestFilings(sources, findToday(loaded.city, now())),
    instances,
    scheduledSince: scheduling.map(({ startedAt }) => startedAt).toSorted()[0],
    mail: await store.outbox.standing(now(), limits),
    limits,
    undelivered: await store.alerts.countUndelivered(addMs(now(), -UNDELIVERED_DAYS * DAY_MS)),
    alert: await store.alerts.newest(),
    backups: await store.readBackups(),
  };
}

/** Lists the instances that have reported in the last five minutes. */
export function listRunning(instances: readonly Instance[], now: Instant): Instance[] {
  const lostMs = LOST_PULSES * PULSE_MS;
  return instances.filter(({ seenAt }) => seenAt > addMs(now, -lostMs) && seenAt <= addMs(now, lostMs));
}

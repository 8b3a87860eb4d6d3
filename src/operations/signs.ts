/** Reads what concerns are found in. Serving processes keep most of it in memory; a command reads it once. */

import { addMs, DAY_MS, findToday, type Instant } from '../listings/day.ts';
import type { Alert, Instance } from '../mail/alerts/alert-store.ts';
import type { MailStanding } from '../mail/outbox-store.ts';
import type { Signs } from './concerns.ts';
import type { BackupFacts } from './data/backups.ts';
import { findConfirmationLimits } from './mail.ts';
import { UNDELIVERED_DAYS } from './mail-concerns.ts';
import type { Service } from './service.ts';

/** An instance says that it runs every minute. */
export const PULSE_MS = 60_000;
const LOST_PULSES = 5;

/** What changes slowly, or costs a query: looked at every minute. */
export type SlowSigns = {
  instances: readonly Instance[];
  alert: Alert | undefined;
  undelivered: { finished: number; undelivered: number } | undefined;
  mail: MailStanding | undefined;
  backups: BackupFacts | undefined;
};

export const NO_SLOW_SIGNS: SlowSigns = {
  ...{ instances: [], alert: undefined, undelivered: undefined, mail: undefined, backups: undefined },
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

/** Those of which a sign of life came lately. */
export function listRunning(instances: readonly Instance[], now: Instant): Instance[] {
  const lostMs = LOST_PULSES * PULSE_MS;
  return instances.filter(({ seenAt }) => seenAt > addMs(now, -lostMs) && seenAt <= addMs(now, lostMs));
}

/** Everything, from the store. */
export async function readSigns(service: Service): Promise<{ signs: Signs; slow: SlowSigns }> {
  const { store, loaded, now } = service;
  const slow = await readSlowSigns(service);
  const signs: Signs = {
    ...slow,
    limits: findConfirmationLimits(service),
    states: await store.filings.sourceStates(),
    newest: await store.listings.newestFilings(
      loaded.city.sources.map(({ id }) => id),
      findToday(loaded.city, now()),
    ),
    scheduledSince: findScheduledSince(slow.instances, now()),
  };
  return { signs, slow };
}

/** Since when some instance keeps the schedule; `undefined` if none does. */
export function findScheduledSince(instances: readonly Instance[], now: Instant): Instant | undefined {
  const keeping = listRunning(instances, now).filter(({ command }) => command === 'start');
  return keeping.map(({ startedAt }) => startedAt).toSorted()[0];
}

/**
 * Watches for concerns once a minute and on every change: records since when they last, and sends due alerts. If there
 * are several instances, only one does so at a time. A failure never ends the service.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../errors.ts';
import type { Log } from '../logger.ts';
import type { Instance } from '../mail/alerts/alert-store.ts';
import { tellOperator } from '../mail/alerts/alerts.ts';
import type { Concern } from '../mail/alerts/concern.ts';
import { runIfAlone } from '../mail/delivery.ts';
import { makeRandomName } from '../subscribers/tokens.ts';
import { formatPublicUrl, openMailTransport } from './mail.ts';
import type { Service } from './service.ts';
import { NO_SLOW_SIGNS, PULSE_MS, readSlowSigns, type SlowSigns } from './signs.ts';

const LOOK_MS = 1_000;
const CLOSE_MS = 8_000; // an alert may be in progress; the next start sends it again

export type Watch = ReturnType<typeof startWatch>;

export type WatchOrder = {
  command: Instance['command'];
  log: Log;
  /** Returns whether the last poll could read the database. */
  seesStore(): boolean;
  /** Returns the current conditions that need a person. */
  concerns(): readonly Concern[];
  /** Returns whether mail is paused, which prevents alerts, too. */
  isMailPaused(): boolean;
};

export function startWatch(service: Service, order: WatchOrder) {
  const { store, now } = service;
  const instance = { instance: makeRandomName(), command: order.command, startedAt: now() };
  const stop = new AbortController();
  let slow = NO_SLOW_SIGNS;
  let seen: { at: number; what: string } | undefined;

  async function look(): Promise<void> {
    if (!order.seesStore()) return; // the known state is old, and nothing can be recorded
    const at = Date.parse(now());
    const what = `${order.isMailPaused()} ${JSON.stringify(order.concerns())}`;
    const isMinute = seen === undefined || Math.abs(at - seen.at) >= PULSE_MS;
    if (!isMinute && seen!.what === what) return;
    seen = { at: isMinute ? at : seen!.at, what };
    if (isMinute) {
      await store.alerts.pulse(instance, now());
      slow = await readSlowSigns(service);
    }
    await runIfAlone(
      (waitMs, work) => store.alone('alerts', waitMs, work),
      () => observe(service, order),
    );
  }

  const running = (async () => {
    while (!stop.signal.aborted) {
      await look().catch((error: unknown) => order.log.warn(`the watch failed: ${messageOf(error)}`));
      await sleep(LOOK_MS, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  })();
  return {
    /** Returns the signs of the last check. */
    slow: (): SlowSigns => slow,
    async close(): Promise<void> {
      stop.abort();
      const enough = new AbortController();
      await Promise.race([running, sleep(CLOSE_MS, undefined, enough)]).finally(() => enough.abort());
      await store.alerts.pulse(instance, undefined).catch(() => undefined); // else it counts as running for 5 minutes
    },
  };
}

async function observe(service: Service, { concerns, isMailPaused, log }: WatchOrder): Promise<void> {
  const { config, loaded, store, now } = service;
  const observed = await store.alerts.observe(concerns(), now());
  const { alertEmail, mail } = config;
  if (alertEmail === undefined || isMailPaused()) return;
  await tellOperator(
    {
      alerts: store.alerts,
      city: loaded.city,
      from: mail.from,
      to: alertEmail,
      now,
      serviceUrl: formatPublicUrl(config),
      openTransport: () => openMailTransport(config),
      sent: () => store.outbox.resume(),
      warn: log.warn,
    },
    observed,
    concerns(),
  );
}

/**
 * Watches for concerns once a minute and on every change: logs them, records when they began, and sends alerts. Only
 * one of several instances records and sends at a time. A failure never ends the service.
 */

import { renderAlertEmail } from '../../page/email/alert-email.ts';
import { isFullDisk } from '../../service/database/disk-room.ts';
import {
  type Concern,
  type ConcernKind,
  type Instance,
  type LastingConcern,
  tellOperator,
} from '../../service/mail/alerts.ts';
import { makeRandomName } from '../../service/subscribers/tokens.ts';
import type { Metrics } from '../../service/web/metrics.ts';
import { messageOf } from '../../shared/errors.ts';
import type { Log } from '../../shared/logger.ts';
import { keepLooking, runIfAlone } from '../../shared/polling.ts';
import { BEAT_MS, NO_SIGNS, PULSE_MS, readSigns, type Signs } from './concerns.ts';
import { formatPublicUrl, openMailTransport } from './connect-mail.ts';
import type { Service } from './service.ts';

/** Concerns that are not logged here: the first import may be in progress, and mail logs its own problems. */
const LOGGED_ELSEWHERE: readonly ConcernKind[] = ['never-ingested', 'mail-paused', 'alert'];

export type WatchOrder = {
  command: Instance['command'];
  /** What was asked of this process. */
  metrics: Pick<Metrics, 'takeUsage'>;
  log: Log;
  seesStore(): boolean;
  concerns(read: Signs): readonly Concern[];
  /** Returns whether mail is paused. A pause also prevents alerts. */
  isMailPaused(read: Signs): boolean;
};

export function openConcernWatch(service: Service, order: WatchOrder) {
  const { store, now } = service;
  const alertContext = findAlertContext(service, order.log);
  const instance = { instance: makeRandomName(), command: order.command, startedAt: now() };
  let stopLooking: (() => Promise<void>) | undefined;
  let signs = NO_SIGNS;
  let unwritable: string | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let beatAt = Number.NEGATIVE_INFINITY;
  let seen: string | undefined;
  let problem: unknown;
  let logged = new Set<string>();

  async function look(): Promise<void> {
    if (!order.seesStore()) return; // without the store, signs are outdated and nothing can be recorded
    const at = Date.parse(now());
    const isMinute = Math.abs(at - readAt) >= PULSE_MS;
    if (unwritable !== undefined || Math.abs(at - beatAt) >= BEAT_MS) {
      unwritable = await store.alerts.pulse(instance, now()).then(() => undefined, messageOf);
      beatAt = at;
    }
    if (isMinute) {
      await storeUsage();
      signs = await readSigns(service);
      readAt = at;
    }
    signs = { ...signs, unwritable };
    const concerns = order.concerns(signs);
    logNew(concerns);
    const isMailPaused = order.isMailPaused(signs);
    const state = `${isMailPaused} ${JSON.stringify(concerns)}`;
    if (!isMinute && state === seen) return;
    seen = state;
    if (unwritable !== undefined) return; // nothing can be recorded
    await runIfAlone(store, 'alerts', async () => {
      const lasting = await store.alerts.observe(concerns, now());
      if (alertContext !== undefined && !isMailPaused) await tellOperator(alertContext, lasting);
    });
  }

  /** Stores counts of requests. Those that cannot be stored are lost: they are no one's data. */
  async function storeUsage(): Promise<void> {
    const counts = order.metrics.takeUsage();
    if (counts.size > 0) await store.usage.add(now().slice(0, 10), counts).catch(() => undefined);
  }

  function logNew(concerns: readonly Concern[]): void {
    const sentences = concerns
      .filter(({ kind }) => !LOGGED_ELSEWHERE.includes(kind))
      .map(({ summary, detail = summary }) => detail);
    for (const sentence of sentences) if (!logged.has(sentence)) order.log.warn(sentence);
    logged = new Set(sentences);
  }

  async function lookAgain(): Promise<void> {
    await look();
    problem = undefined;
  }

  function fail(error: unknown): void {
    if (isFullDisk(error)) return; // is a concern
    problem = error;
    order.log.warn(`concerns cannot be recorded: ${messageOf(error)}`);
  }

  return {
    signs: (): Signs => signs,
    /** Returns the error of the latest look, or `undefined`. */
    problem: () => problem,
    /** Marks the service as running, and forgets instances that ended without a word. Returns a function that ends the mark. */
    async mark(): Promise<() => void> {
      if ((await store.isServed()) === false) await store.alerts.forgetInstances().catch(() => undefined);
      const stopMarking = store.markServing();
      await store.alerts.pulse(instance, now()).catch(() => undefined);
      return stopMarking;
    },
    start(): void {
      stopLooking = keepLooking(lookAgain, fail);
    },
    async close(): Promise<void> {
      await stopLooking?.();
      await storeUsage();
      // otherwise the instance counts as running for a while, and then as killed
      await store.alerts.pulse(instance, undefined).catch(() => undefined);
    },
  };
}

/** Returns the context for sending alerts, or `undefined` if ALERT_EMAIL is not set. */
function findAlertContext({ config, loaded, store, now }: Service, { warn }: Log) {
  const { alertEmail: to, mail } = config;
  if (to === undefined) return undefined;
  return {
    alerts: store.alerts,
    from: mail.from,
    to,
    now,
    warn,
    writeAlert: (concerns: readonly LastingConcern[]) =>
      renderAlertEmail({ city: loaded.city, serviceUrl: formatPublicUrl(config) }, concerns),
    openTransport: () => openMailTransport(config),
    sent: () => store.outbox.resume(),
  };
}

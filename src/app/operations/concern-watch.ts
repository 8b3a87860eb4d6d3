/**
 * Watches for concerns once a minute and on every change: logs them, records when they began, and sends alerts. Only
 * one of several instances records and sends at a time. A failure never ends the service.
 */

import { renderAlertEmail } from '../../page/email/alert-email.ts';
import { isFullDisk } from '../../service/database/disk-room.ts';
import type { Concern, ConcernKind, Instance, LastingConcern } from '../../service/mail/alerts.ts';
import { describeFailure, judgeAttempt } from '../../service/mail/failures.ts';
import { sendAlone } from '../../service/mail/smtp.ts';
import { makeRandomName } from '../../service/subscribers/tokens.ts';
import type { Metrics } from '../../service/web/metrics.ts';
import { addMs, HOUR_MS } from '../../shared/day.ts';
import { messageOf } from '../../shared/errors.ts';
import type { Log } from '../../shared/logger.ts';
import { keepLooking, runIfAlone } from '../../shared/polling.ts';
import { BEAT_MS, findConcerns, PULSE_MS, readSigns, type Signs } from './concerns.ts';
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
  /** Adds the newer facts that this process has in memory. */
  addNews(read: Signs): Signs;
};

export function openConcernWatch(service: Service, order: WatchOrder) {
  const { store, now } = service;
  const instance = { instance: makeRandomName(), command: order.command, startedAt: now() };
  let stopLooking: (() => Promise<void>) | undefined;
  let signs: Signs | undefined;
  let unwritable: string | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let beatAt = Number.NEGATIVE_INFINITY;
  let before: string | undefined;
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
    signs = { ...signs!, unwritable };
    const seen = order.addNews(signs);
    const concerns = findConcerns(service, seen);
    logNew(concerns);
    const isMailPaused = (seen.mail.pausedUntil ?? '') > now(); // a pause also prevents alerts
    const state = `${isMailPaused} ${JSON.stringify(concerns)}`;
    if (!isMinute && state === before) return;
    before = state;
    if (unwritable !== undefined) return; // nothing can be recorded
    await runIfAlone(store, 'alerts', async () => {
      const lasting = await store.alerts.observe(concerns, now());
      if (!isMailPaused) await tellOperator(service, order.log, lasting);
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
    /** Returns the signs with what is newer, or `undefined` before the first look. */
    signs: (): Signs | undefined => signs && order.addNews(signs),
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

/** Hours to wait before an alert names a concern that may resolve itself. Failed runs, for example, are retried. */
const TOLD_AFTER_HOURS: Partial<Record<ConcernKind, number>> = {
  failed: 2,
  'never-ingested': 2,
  confirmations: 1,
  'public-url': 1,
  unwritable: 1,
};

/** Sends the alert that is due to ALERT_EMAIL, if it is set. The caller must hold the lock `alerts`. */
export async function tellOperator(
  { config, loaded, store, now }: Service,
  { warn }: Pick<Log, 'warn'>,
  concerns: readonly LastingConcern[],
): Promise<void> {
  const { alertEmail: to, mail } = config;
  if (to === undefined) return;
  const isDue = ({ kind, since, tellFrom = since }: LastingConcern) =>
    now() >= tellFrom && since <= addMs(now(), -(TOLD_AFTER_HOURS[kind] ?? 0) * HOUR_MS);
  if (!concerns.some(isDue)) return store.alerts.drop();
  const alert = await store.alerts.claim(now());
  if (alert === undefined) return;
  const email = renderAlertEmail({ city: loaded.city, serviceUrl: formatPublicUrl(config) }, concerns);
  const { message, madeAt } = alert;
  const outgoing = { message, from: mail.from, to, madeAt, what: 'alert', ...email };
  const attempt = await sendAlone(openMailTransport(config), outgoing);
  await store.alerts.finish(judgeAttempt({ ...alert, doubts: 0 }, attempt, now())); // the alert store counts doubts
  if (attempt.end === 'failure') warn(`the alert is not sent: ${describeFailure(attempt)}`);
  else await store.outbox.resume(); // mail works
}

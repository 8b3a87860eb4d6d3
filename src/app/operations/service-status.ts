/** Reads the state of a service for `shingle status`, which `--json` prints as it is. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Source } from '../../register/profile/define.ts';
import { databaseIn, describeUnusable, readRefusal } from '../../service/database/data-folder.ts';
import { readFreeBytes } from '../../service/database/disk-room.ts';
import { type AlertStore, type Concern, makeConcern, nameConcern } from '../../service/mail/alerts.ts';
import { readComing } from '../../service/mail/editions/decide-edition.ts';
import { describeDeferral } from '../../service/mail/failures.ts';
import { findNextRun, type SourceState } from '../../service/runs/runs.ts';
import { hasRegisterEnded } from '../../shared/city/register-end.ts';
import { countDays, findToday, formatMoment, type Instant, isAhead, toLocalDay } from '../../shared/day.ts';
import { BEAT_MS, findConcerns, findScheduleStart, listRunning, readSigns, type Signs } from './concerns.ts';
import { formatPublicUrl } from './connect-mail.ts';
import type { Service } from './service.ts';
import { countSuppressed } from './suppression-matches.ts';
import { VERSION } from './version.ts';

/** An instance that misses its report for longer may have been killed. One that ends by itself removes its report. */
const KILLED_MS = 2 * BEAT_MS + 5_000;
const ASKED_MS = 2_000;
const UNIT = '/etc/systemd/system/shingle.service';

export type ServiceStatus = Awaited<ReturnType<typeof readStatus>>;
export type SourceStatus = ReturnType<typeof describeSource>;
export type MailStatus = ServiceStatus['mail'];

export async function readStatus(service: Service) {
  const { config, loaded, store, now } = service;
  const unwritable =
    config.databaseUrl === undefined ? describeUnusable(databaseIn(config.dataFolder)) : undefined;
  const read = await readSigns(service);
  // on one machine a lock tells at once whether a process serves the folder
  const isServed = await store.isServed();
  const running = isServed === false ? [] : listRunning(read.instances, now(), KILLED_MS);
  const isSilent = running.length === 0 && isServed === true;
  const isStopped = running.length === 0 && !isSilent;
  // what only a serving process knows is outdated without one
  const signs = { ...read, unwritable, ...(isStopped && { ownOrigin: undefined, served: [] }) };
  const { types, lastEdition = null, reports } = await store.listStats.read();
  const { database, databaseBytes, ...stored } = await store.describe();
  const listings = stored.listings - (await countSuppressed(service));
  const observed = await store.alerts.observed();
  const newestFiling = [...signs.newest.values()].toSorted().at(-1) ?? null;
  const today = toLocalDay(loaded.city.timeZone, now());
  const hasEnded = hasRegisterEnded(loaded.city, {
    latestFiling: newestFiling,
    day: findToday(loaded.city, now()),
  });
  const seenAt = signs.instances.find((one) => !isAhead(one.seenAt, now()))?.seenAt ?? null;
  const importing = service.importing() ?? null;
  const concerns = findConcerns(service, signs);
  const refusal = readRefusal(config.dataFolder);
  const why = refusal && `. Its last start ended at ${formatMoment(refusal.at)}: ${refusal.why}`;
  const start = existsSync(UNIT) ? 'sudo systemctl start shingle' : 'npx shingle start';
  if (isStopped)
    concerns.unshift(
      makeConcern('not-running', { why: why ?? '', start }, seenAt === null ? {} : { since: seenAt }),
    );
  const hasReason = concerns.some(({ kind }) => ['disk', 'unwritable', 'damaged'].includes(kind));
  const failure = running.length > 0 ? await askFailure(config) : undefined;
  const isNamed = hasReason || concerns.some(({ summary }) => failure?.includes(summary));
  if ((isSilent || failure !== undefined) && !isNamed)
    concerns.unshift(makeConcern('silent', { start, what: failure ?? 'it has not reported' }));
  return {
    at: now(),
    city: `${loaded.city.name}, ${loaded.city.region}`,
    subscriptions: types,
    service: {
      instances: running.length,
      schedule: findScheduleStart(running, now()) !== undefined,
      seenAt,
      /** Whether it runs and cannot report, because nothing can be stored. */
      isSilent,
      /** Whether it was not stopped, and nothing else explains why it ended. */
      isLost: isStopped && seenAt !== null && refusal === undefined && !hasReason,
    },
    data: {
      listings,
      newestFiling,
      ageDays: newestFiling === null ? null : countDays(newestFiling, today),
      hasEnded,
    },
    sources: loaded.city.sources.map((source) => describeSource(source, signs.states, now())),
    /** `reports`: how many delivery reports had each verdict. */
    mail: { ...(await readMail(service, signs, hasEnded)), lastEdition, reports },
    disk: {
      freeBytes: readFreeBytes(config.dataFolder),
      databaseBytes,
      newestBackupAt: signs.backups?.newestAt ?? null,
    },
    versions: { shingle: VERSION, node: process.versions.node, database },
    /** The import in progress on this machine: its process, since when, and its source. */
    importing,
    // an import in progress needs no other one
    concerns: concerns
      .filter(({ kind }) => importing === null || kind !== 'never-ingested')
      .map((concern) => describeConcern(concern, observed)),
  };
}

/** Asks the service of this machine why it fails, because it may not be able to store that. */
async function askFailure({ host, port }: Service['config']): Promise<string | undefined> {
  try {
    const url = formatPublicUrl({ publicUrl: undefined, host, port });
    const answer = await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(ASKED_MS) });
    const { status, detail } = (await answer.json()) as { status: string; detail?: string };
    return status === 'fail' ? detail : undefined;
  } catch {
    return undefined; // it runs on another machine or port, or does not answer
  }
}

function describeConcern(concern: Concern, observed: Awaited<ReturnType<AlertStore['observed']>>) {
  const { kind, source = null, summary, detail: sentence = summary, steps } = concern;
  const name = nameConcern(concern);
  const known = observed.find((one) => one.concern === name);
  return { kind, source, sentence, since: known?.since ?? concern.since ?? null, steps };
}

function describeSource(source: Source, states: readonly SourceState[], now: Instant) {
  const { last, goodAt } = states.find((one) => one.source === source.id) ?? { last: null, goodAt: null };
  const isImported = source.from.place !== undefined && last !== null;
  return {
    source: source.id,
    run: last?.run ?? null,
    state: last?.state ?? null,
    goodAt,
    startedAt: last?.startedAt ?? null,
    /** When the next run is due. `null` for a source without a place or without a run. */
    nextAt: isImported ? findNextRun(source, last, now) : null,
  };
}

async function readMail(service: Service, { alert, mail }: Signs, hasEnded: boolean) {
  const { config, store } = service;
  const { smtp } = config.mail;
  const counts = await store.outbox.countMessages();
  const deferred = await store.outbox.deferred();
  const waiting = counts.filter(({ state }) => state === 'pending' || state === 'sending');
  return {
    way: smtp === undefined ? `files in ${join(config.dataFolder, 'mail')}` : `${smtp.host}:${smtp.port}`,
    pausedUntil: mail.pausedUntil,
    problem: mail.problem,
    waiting: waiting.reduce((sum, { count }) => sum + count, 0),
    /** Messages that are tried again: how many, when the next one is, and why. */
    deferred:
      deferred === undefined
        ? null
        : { count: deferred.count, nextAt: deferred.nextAt, reason: describeDeferral(deferred) },
    /** The next weekly email: its day, when it is due, its new businesses so far, and whether it is approved. */
    nextEdition: hasEnded ? null : await describeComing(service),
    /** Whether ALERT_EMAIL is set, and the newest alert. */
    alerts: {
      on: config.alertEmail !== undefined,
      last: alert?.state ?? null,
      lastAt: alert?.endedAt ?? null,
    },
  };
}

async function describeComing({ loaded, store, now }: Service) {
  const coming = await readComing({ city: loaded.city, store }, now());
  const { edition, at, total, leftOut, isApproved: approved } = coming;
  return { edition, at, total, leftOut, approved };
}

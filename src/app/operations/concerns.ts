/**
 * Finds conditions that need the operator's attention, from signs that a serving process keeps in memory and a
 * command reads once. Their texts are in `data/concerns.json`. Health and the summaries are public, so they name no
 * path, address or message of another program.
 */

import type { Config } from '../../config.ts';
import type { City, Source } from '../../register/profile/define.ts';
import { readDatabaseBytes } from '../../service/database/data-folder.ts';
import { findRoomProblem, LEAST_BYTES, readFreeBytes } from '../../service/database/disk-room.ts';
import { isOfTables } from '../../service/database/engines/postgres-errors.ts';
import { type Concern, type Instance, makeConcern } from '../../service/mail/alerts.ts';
import { findUnapproved } from '../../service/mail/editions/decide-edition.ts';
import { fateOfUnapproved } from '../../service/mail/editions/weekly-schedule.ts';
import { HELD_DAYS } from '../../service/runs/hold-rules.ts';
import { everyHoursOf, type SourceState } from '../../service/runs/runs.ts';
import type { Health } from '../../service/web/context.ts';
import { expectsFilings, isStale, STALE_DAYS } from '../../shared/city/register-end.ts';
import { addMs, DAY_MS, findToday, formatMoment, HOUR_MS, type Instant, isAhead } from '../../shared/day.ts';
import { messageOf } from '../../shared/errors.ts';
import { describeStops } from '../../shared/report.ts';
import { findConfirmationLimits } from './connect-mail.ts';
import { isBuildProblem } from './current-index.ts';
import type { Service } from './service.ts';

export const PULSE_MS = 60_000;
export const BEAT_MS = 15_000; // an instance that misses two may have been killed
const LOST_PULSES = 5;
const UNDELIVERED_DAYS = 7;
const ROOM_FOR_BACKUPS = 3; // `disk-soon` warns when fewer backups fit, so there is time to make room
const BACKUP_GRACE_MS = HOUR_MS; // a backup takes minutes
const STARTUP_MS = HOUR_MS; // added to the time that the first imports may take
const MISSED_IMPORTS = 2; // data is old after this many imports, unless the profile says when
const LONG_WAIT_MS = 600_000; // people who sign up do not wait longer for an email
const UNDELIVERED_SHARE = 0.05; // large mail providers review senders above this share
const FEWEST_UNDELIVERED = 10;
const FEWEST_IF_MOST = 3; // if most emails were refused, something is wrong in a small list, too
const MOST_ALERT_ATTEMPTS = 3;

/** The kinds that only a serving process knows. */
export const SERVED = ['limits-full', 'trust-proxy'] as const;

/** What `readSigns` reads. Only a serving process knows why nothing can be written (`unwritable`). */
export type Signs = Awaited<ReturnType<typeof readSigns>> & { unwritable?: string | undefined };

export async function readSigns(service: Service) {
  const { store, loaded, now } = service;
  const sources = loaded.city.sources.map(({ id }) => id);
  const observed = await store.alerts.observed();
  return {
    states: await store.filings.sourceStates(),
    /** The date of each source's newest filing, ignoring filings dated in the future. */
    newest: await store.listings.newestFilings(sources, findToday(loaded.city, now())),
    instances: await store.alerts.instances(),
    mail: await store.outbox.standing(now(), findConfirmationLimits(service)),
    undelivered: await store.alerts.countUndelivered(addMs(now(), -UNDELIVERED_DAYS * DAY_MS)),
    alert: await store.alerts.newest(),
    /** The state of the daily backups, if Shingle makes them. */
    backups: await store.readBackups(now()),
    /** The origin of our pages, if PUBLIC_URL is another one. Only a serving process knows, and it stores the concern, named by the origin. */
    ownOrigin: observed.find(({ concern }) => concern.startsWith('public-url '))?.concern.split(' ')[1],
    /** Whether emails become files, although a mail server took some before. */
    isServerGone: service.config.mail.smtp === undefined && (await store.outbox.wasServed()),
    /** What else only a serving process knows, and stores as concerns. */
    served: SERVED.filter((kind) => observed.some(({ concern }) => concern === kind)),
    /** The edition that waits for the operator's approval, from a day before it is due. */
    unapproved: await findUnapproved({ city: loaded.city, store }, now()),
  };
}

/** Lists the instances that have reported in the last five minutes, so that a pause of the machine raises no concern. */
export function listRunning(
  instances: readonly Instance[],
  now: Instant,
  lostMs = LOST_PULSES * PULSE_MS,
): Instance[] {
  return instances.filter(({ seenAt }) => seenAt > addMs(now, -lostMs) && seenAt <= addMs(now, lostMs));
}

/** Returns when a running instance started the schedule, or `undefined` if none runs it. */
export function findScheduleStart(instances: readonly Instance[], now: Instant): Instant | undefined {
  const scheduling = listRunning(instances, now).filter(({ command }) => command === 'start');
  return scheduling.map(({ startedAt }) => startedAt).toSorted()[0];
}

/**
 * Judges the health of a serving process. `problem`: an error of the latest look at the database. `signs`: none before the first
 * look.
 */
export function judgeHealth(
  service: Service,
  { problem, ready, signs }: { problem: unknown; ready: boolean; signs: Signs | undefined },
): Health {
  const loss = service.store.findLoss();
  const unread = isOfTables(problem)
    ? ['tables of the database are missing, or cannot be used']
    : problem === undefined
      ? []
      : [describeUnread(problem)];
  const found = findConcerns(service, signs).filter(({ kind }) => kind !== 'approval');
  const concerns = found.map(({ summary }) => summary);
  const detail = [...new Set(loss === undefined ? [...unread, ...concerns] : [loss, ...unread])];
  if (!ready || loss !== undefined)
    return { status: 'fail', detail: detail.length > 0 ? detail : ['the listings are not loaded yet'] };
  return { status: detail.length > 0 ? 'warn' : 'ok', detail };
}

/** The parts of a service that concerns depend on. */
type Watched = Pick<Service, 'config' | 'now'> & { loaded: { city: City } };

type Watching = ReturnType<typeof watch>;

/** Puts together what concerns are found from. */
function watch(service: Watched, signs: Signs) {
  const now = service.now();
  return {
    ...signs,
    city: service.loaded.city,
    config: service.config,
    now,
    scheduledSince: findScheduleStart(signs.instances, now),
    limits: findConfirmationLimits(service),
  };
}

export function findConcerns(service: Watched, signs: Signs | undefined): Concern[] {
  if (signs === undefined) return [];
  const watching = watch(service, signs);
  const { config } = watching;
  const { sources } = watching.city;
  const found = [
    findDiskConcern(config, signs.unwritable),
    findWrongAddress(watching),
    ...signs.served.map((kind) => makeConcern(kind)),
    ...sources.flatMap((source) => listRunConcerns(watching, source)),
    ...sources.map((source) => findStaleSource(watching, source)),
    findBackupConcern(watching),
    signs.isServerGone ? makeConcern('mail-files') : undefined,
    findPause(watching),
    findWaitingConfirmations(watching),
    findUndelivered(watching),
    findApproval(watching),
    config.alertEmail === undefined ? undefined : findAlertProblem(watching),
  ];
  return found.filter((one) => one !== undefined);
}

/** Asks for the approval of an edition. Only the operator is told: nothing is wrong with the service. */
function findApproval({ unapproved, city }: Watching): Concern | undefined {
  if (unapproved === undefined) return undefined;
  const { edition, total, until } = unapproved;
  return makeConcern('approval', {
    edition,
    total,
    until: formatMoment(until),
    otherwise: fateOfUnapproved(city),
  });
}

function describeUnread(problem: unknown): string {
  const says = messageOf(problem);
  if (isBuildProblem(problem)) return says;
  return isDamage(says) ? makeConcern('damaged').summary : 'the database cannot be read';
}

const isDamage = (problem: string): boolean => /^the database \S+ is damaged/.test(problem);

/** Finds why nothing, or little, can be stored. A full disk is one concern, whatever else it stops. */
function findDiskConcern(config: Config, unwritable: string | undefined): Concern | undefined {
  const minFreeBytes = Math.max(config.minFreeBytes, LEAST_BYTES);
  const problem = findRoomProblem({ ...config, minFreeBytes });
  if (problem !== undefined) return makeConcern('disk', { problem });
  if (unwritable !== undefined)
    return makeConcern(isDamage(unwritable) ? 'damaged' : 'unwritable', { problem: unwritable });
  if (config.databaseUrl !== undefined) return undefined;
  const wanted = config.minFreeBytes + ROOM_FOR_BACKUPS * readDatabaseBytes(config.dataFolder);
  if (readFreeBytes(config.dataFolder) >= wanted) return undefined;
  return makeConcern('disk-soon', { backups: ROOM_FOR_BACKUPS });
}

function findWrongAddress({ ownOrigin: origin, config }: Watching): Concern | undefined {
  if (origin === undefined) return undefined;
  const isMended = config.publicUrl === origin;
  const publicUrl = isMended
    ? 'another one in the running service: restart it'
    : (config.publicUrl ?? 'not set');
  return makeConcern('public-url', { origin, publicUrl }, { source: origin });
}

/** Finds a failed or late backup. Without a schedule, operators make backups themselves, so none is late. */
function findBackupConcern({ now, backups, scheduledSince, unwritable }: Watching): Concern | undefined {
  if (backups === undefined || backups.neededSince === null || unwritable !== undefined) return undefined;
  const { problem, newestAt, neededSince } = backups;
  if (problem !== null) return makeConcern('backup', {}, problem);
  const midnight = `${now.slice(0, 10)}T00:00:00.000Z`;
  if (scheduledSince === undefined || (newestAt ?? '') >= midnight) return undefined;
  const dueAt = [midnight, neededSince, scheduledSince].toSorted().at(-1)!;
  if (now <= addMs(dueAt, BACKUP_GRACE_MS)) return undefined;
  const what =
    newestAt === null ? 'there is no backup' : `the newest backup is from ${newestAt.slice(0, 10)}`;
  return makeConcern('backup', { what }, { since: newestAt ?? neededSince });
}

function listRunConcerns(watching: Watching, source: Source): (Concern | undefined)[] {
  const { id, from } = source;
  const state = watching.states.find((one) => one.source === id);
  const ingest = `npx shingle ingest --source ${id}${from.place === undefined ? ' --from PLACE' : ''}`;
  if (state === undefined || state.last === null)
    return [makeConcern('never-ingested', { source: id, ingest }, { source: id })];
  const last = { ...state.last, goodAt: state.goodAt, ingest };
  const bad = [findBadRun(watching, source, last), findWrongClock(watching, source, last)];
  if (!expectsFilings(watching.city)) return bad;
  return [...bad, findOld(watching, source, last)];
}

/** The newest run of a source. `ingest` is the command to import the source. */
type LastRun = NonNullable<SourceState['last']> & Pick<SourceState, 'goodAt'> & { ingest: string };

/** Finds a failed or held run. If a first run is held, nothing is served, so even the summary gives the reasons. */
function findBadRun({ now }: Watching, { id }: Source, last: LastRun): Concern | undefined {
  const { run, state, detail, startedAt, ingest } = last;
  if (state !== 'held' && state !== 'failed') return undefined;
  const isKept = startedAt > addMs(now, -HELD_DAYS * DAY_MS);
  const accept = isKept
    ? `Accept it as it is: npx shingle ingest --accept ${run}`
    : `It is too old to be accepted. Import again: ${ingest}`;
  const values = { source: id, run, detail, ingest, accept };
  const concern = makeConcern(state, values, { source: id, since: startedAt });
  if (state === 'failed' || last.goodAt !== null) return concern;
  const firstDetail = `the first run of ${id} is held: ${detail}`;
  return { ...concern, summary: describeHeldFirstRun(id, last), detail: firstDetail };
}

/** Finds a run that a wrong clock has dated. Until the next run, `data_as_of` and the age of the data mean nothing. */
function findWrongClock({ now }: Watching, { id }: Source, last: LastRun): Concern | undefined {
  const at = [last.startedAt, last.goodAt ?? ''].find((one) => isAhead(one, now));
  if (at === undefined) return undefined;
  const values = { source: id, run: last.run, at: formatMoment(at), ingest: last.ingest };
  return makeConcern('clock', values, { source: id });
}

/** Finds outdated data. After a restart, waits for the first imports before alerting. */
function findOld(watching: Watching, source: Source, last: LastRun): Concern | undefined {
  const { city, config, now, scheduledSince } = watching;
  const isScheduled = source.from.place !== undefined && scheduledSince !== undefined;
  const usual = isScheduled ? MISSED_IMPORTS * everyHoursOf(source) : undefined;
  const hours = source.freshForHours ?? usual;
  if (hours === undefined) return undefined;
  const since = addMs(last.goodAt ?? last.startedAt, hours * HOUR_MS);
  if (now <= since) return undefined;
  // imports of other sources may come first
  const graceMs = STARTUP_MS + city.sources.length * config.ingest.timeoutMs;
  const tellFrom = scheduledSince && addMs(scheduledSince, graceMs);
  const values = { source: source.id, hours, ingest: last.ingest };
  return makeConcern('old', values, { source: source.id, since, ...(tellFrom && { tellFrom }) });
}

/** Finds a register that has stopped, unless its profile says that it has ended or is rarely published. */
function findStaleSource({ city, now, newest: days }: Watching, source: Source): Concern | undefined {
  if (source.accepts?.stale !== undefined) return undefined;
  const newest = days.get(source.id);
  if (newest === undefined || !isStale(city, newest, findToday(city, now))) return undefined;
  return makeConcern('stale', { source: source.id, days: STALE_DAYS, newest }, { source: source.id });
}

/** Describes why first runs are held and which command accepts them. Quotes no values of the register. */
export function describeHeldFirstRuns(sources: readonly Source[], states: readonly SourceState[]): string[] {
  const ours = states.filter(({ source }) => sources.some(({ id }) => id === source));
  return ours.flatMap(({ source, goodAt, last }) =>
    goodAt === null && last?.state === 'held' ? [describeHeldFirstRun(source, last)] : [],
  );
}

function describeHeldFirstRun(source: string, { run, findings }: Pick<LastRun, 'run' | 'findings'>): string {
  const why = describeStops(findings) ?? `"npx shingle runs show ${run}" says why`;
  return `the first run of ${source} is held: ${why}. To look closer, run "npx shingle runs show ${run}"; to accept it as it is, run "npx shingle ingest --accept ${run}"`;
}

function findPause({ mail }: Watching): Concern | undefined {
  if (mail.problem === null) return undefined;
  const until = formatMoment(mail.pausedUntil!);
  return makeConcern('mail-paused', { until, problem: mail.problem });
}

function findWaitingConfirmations({ mail, limits, now }: Watching): Concern | undefined {
  const { waiting, waitingSince } = mail;
  const { confirmationsAnHour: hour, recipientDomain } = limits;
  const domain = `${recipientDomain.hour} an hour and ${recipientDomain.day} a day to one domain`;
  const isLong = waitingSince !== null && waitingSince < addMs(now, -LONG_WAIT_MS);
  const sentences: string[] = [];
  if (waiting >= hour)
    sentences.push(`${waiting} confirmation emails are waiting: the limit is ${hour} an hour`);
  if (isLong)
    sentences.push(
      `a confirmation email has waited longer than ${LONG_WAIT_MS / 60_000} minutes: the limits are ${hour} an hour, and ${domain}`,
    );
  if (sentences.length === 0) return undefined;
  const values = { what: sentences.join('; '), hour, domain };
  return makeConcern('confirmations', values, waitingSince === null ? {} : { since: waitingSince });
}

function findUndelivered({ undelivered: { finished, undelivered } }: Watching): Concern | undefined {
  const fewest = undelivered > finished / 2 ? FEWEST_IF_MOST : FEWEST_UNDELIVERED;
  if (undelivered < fewest || undelivered <= finished * UNDELIVERED_SHARE) return undefined;
  const percent = UNDELIVERED_SHARE * 100;
  return makeConcern('undelivered', { percent, days: UNDELIVERED_DAYS, undelivered, finished });
}

function findAlertProblem({ alert }: Watching): Concern | undefined {
  if (alert === undefined) return undefined;
  const { state, attempts, outcome, endedAt, madeAt } = alert;
  const isPutOff = state === 'pending' && attempts >= MOST_ALERT_ATTEMPTS;
  if (state !== 'failed' && !isPutOff) return undefined;
  const what = isPutOff ? 'cannot be sent' : 'was refused';
  return makeConcern('alert', { what, outcome }, { since: isPutOff ? madeAt : (endedAt ?? madeAt) });
}

/**
 * Finds conditions that need the operator's attention. Health, the log, `shingle status`, the metrics and the alert use
 * the same sentences. Health and the summaries are public, so they name no path, address or message of another program.
 */

import type { City, Source } from '../city/define.ts';
import type { Config } from '../config.ts';
import { readDatabaseBytes } from '../database/data-folder.ts';
import { findRoomTrouble, readFreeBytes } from '../database/room.ts';
import { HELD_DAYS } from '../import/held-runs.ts';
import { findNextRun, type SourceState } from '../import/runs.ts';
import { addDays, addMs, DAY_MS, type Day, findToday, HOUR_MS, type Instant } from '../listings/day.ts';
import type { Alert } from '../mail/alerts/alert-store.ts';
import type { Concern } from '../mail/alerts/concern.ts';
import type { MailStanding } from '../mail/outbox-store.ts';
import { describeStops } from '../registers/invariants/finding.ts';
import { STALE_DAYS } from '../registers/invariants/register.ts';
import type { ConfirmationLimits } from '../subscribers/confirmations.ts';
import type { Health } from '../web/context.ts';
import type { Service } from './service.ts';
import { type Signs, UNDELIVERED_DAYS } from './signs.ts';

const ROOM_FOR_BACKUPS = 3; // `disk-soon` leaves time to make room, because each daily backup and each import needs space
const BACKUP_GRACE_MS = HOUR_MS; // a backup takes minutes
const OVERDUE_MS = HOUR_MS; // in addition to the time that earlier imports may take

/** Judges the health of a serving process. `sees` is whether the latest poll could read the database. */
export function judgeHealth(
  service: Service,
  { sees, ready, signs }: { sees: boolean; ready: boolean; signs: Signs },
): Health {
  const missing = service.store.healthy() ? [] : [describeLostStore(service)];
  if (!ready || missing.length > 0)
    return {
      status: 'fail',
      detail: [...missing, ...describeHeldFirstRuns(service.loaded.city.sources, signs.states)],
    };
  const unread = sees ? [] : ['the database cannot be read'];
  const detail = [...unread, ...findConcerns(service, signs).map(({ summary }) => summary)];
  return { status: detail.length > 0 ? 'warn' : 'ok', detail };
}

function describeLostStore({ store }: Service): string {
  return store.isMoved()
    ? 'the data was moved to PostgreSQL: set DATABASE_URL and restart Shingle'
    : 'the database was deleted or replaced: restart Shingle';
}

type Watching = { city: City; config: Config; now: Instant };

export function findConcerns(
  { loaded, config, now }: Pick<Service, 'config' | 'now'> & { loaded: { city: City } },
  signs: Signs,
): Concern[] {
  const watching = { city: loaded.city, config, now: now() };
  const { sources } = loaded.city;
  const found = [
    findDiskConcern(config),
    ...sources.flatMap((source) => listRunConcerns(watching, source, signs)),
    ...sources.map((source) => findStale(watching, source, signs.newest.get(source.id))),
    findBackupConcern(watching, signs),
    ...listMailConcerns(watching, signs),
  ];
  return found.filter((one) => one !== undefined);
}

function findDiskConcern(config: Config): Concern | undefined {
  const noRoom = findRoomTrouble(config);
  const room = `free space on the disk of SHINGLE_DATA, or move the data to a larger one`;
  if (noRoom !== undefined)
    return {
      kind: 'disk',
      summary: 'the disk is nearly full: signups and ingest are paused (MIN_FREE_BYTES)',
      detail: noRoom,
      steps: [`Make room: ${room}`],
    };
  if (config.databaseUrl !== undefined) return undefined;
  const wanted = config.minFreeBytes + ROOM_FOR_BACKUPS * readDatabaseBytes(config.dataFolder);
  if (readFreeBytes(config.dataFolder) >= wanted) return undefined;
  const summary = `the disk is filling up: there is no room for ${ROOM_FOR_BACKUPS} more backups`;
  return { kind: 'disk-soon', summary, steps: [`Make room soon: ${room}`] };
}

/** Finds a failed or late backup. Without a schedule, operators make backups themselves, so none is late. */
function findBackupConcern({ now }: Watching, { backups, scheduledSince }: Signs): Concern | undefined {
  if (backups === undefined || backups.neededSince === null) return undefined;
  const { trouble, newestAt, neededSince } = backups;
  const steps = ['Make one now: npx shingle backup FILE', 'Then look at the log of the service'];
  if (trouble !== null) return { kind: 'backup', ...trouble, steps };
  const midnight = `${now.slice(0, 10)}T00:00:00.000Z`;
  if (scheduledSince === undefined || (newestAt ?? '') >= midnight) return undefined;
  const dueAt = [midnight, neededSince, scheduledSince].toSorted().at(-1)!;
  if (now <= addMs(dueAt, BACKUP_GRACE_MS)) return undefined;
  const summary =
    newestAt === null ? 'there is no backup' : `the newest backup is from ${newestAt.slice(0, 10)}`;
  return { kind: 'backup', summary, since: newestAt ?? neededSince, steps };
}

function listRunConcerns(
  watching: Watching,
  source: Source,
  { states, scheduledSince }: Signs,
): (Concern | undefined)[] {
  const { id, from } = source;
  const state = states.find((one) => one.source === id);
  const ingest = `npx shingle ingest --source ${id}${from.place === undefined ? ' --from PLACE' : ''}`;
  if (state === undefined || state.last === null) {
    const summary = `source ${id} has never been imported`;
    return [{ kind: 'never-ingested', source: id, summary, steps: [`Import it: ${ingest}`] }];
  }
  const last = { ...state.last, goodAt: state.goodAt, ingest, scheduledSince };
  const isEnded = isArchive(watching.city);
  return [
    findBadRun(watching, source, last),
    isEnded ? undefined : findOld(watching, source, last),
    isEnded ? undefined : findOverdue(watching, source, last),
  ];
}

/** The newest run of a source, and since when the schedule imports the source. `ingest` is the command to import it. */
type LastRun = NonNullable<SourceState['last']> &
  Pick<SourceState, 'goodAt'> &
  Pick<Signs, 'scheduledSince'> & { ingest: string };

/** Finds a failed or held run. If a first run is held, nothing is served, so the summary says everything. */
function findBadRun({ now }: Watching, source: Source, last: LastRun): Concern | undefined {
  const { run, state, detail, startedAt, ingest } = last;
  if (state !== 'held' && state !== 'failed') return undefined;
  const what = `run ${run} of ${source.id} ${state === 'held' ? 'was held' : state}`;
  const concern = {
    kind: state,
    source: source.id,
    since: startedAt,
    summary: `${what} (see "npx shingle runs show ${run}")`,
    detail: `${what}: ${detail}`,
  };
  const look = `Look closer: npx shingle runs show ${run}`;
  if (state === 'failed') return { ...concern, steps: [look, `When it is fixed: ${ingest}`] };
  const isKept = startedAt > addMs(now, -HELD_DAYS * DAY_MS);
  const accept = isKept
    ? `Accept it as it is: npx shingle ingest --accept ${run}`
    : `It is too old to be accepted. Import again: ${ingest}`;
  if (last.goodAt !== null) return { ...concern, steps: [look, accept] };
  const summary = describeHeldFirstRun(source.id, last);
  return {
    ...concern,
    summary,
    detail: describeStops(last.findings) ? summary : `${summary} (${detail})`,
    steps: [look, 'See examples: npx shingle check', accept],
  };
}

/** Finds old data. After a start, imports get time to end before an alert. */
function findOld(watching: Watching, { id, freshForHours }: Source, last: LastRun): Concern | undefined {
  if (freshForHours === undefined) return undefined;
  const since = addMs(last.goodAt ?? last.startedAt, freshForHours * HOUR_MS);
  if (watching.now <= since) return undefined;
  const summary = `${id} has had no successful import for more than ${freshForHours} hours`;
  const tellFrom = last.scheduledSince && addMs(last.scheduledSince, graceMs(watching));
  const steps = [`Import it: ${last.ingest}`];
  return { kind: 'old', source: id, summary, since, ...(tellFrom && { tellFrom }), steps };
}

/** Returns how many milliseconds late an import may be, because imports of other sources may come first. */
function graceMs({ city, config }: Watching): number {
  return OVERDUE_MS + city.sources.length * config.ingest.timeoutMs;
}

function isArchive({ asOf, archive }: City): boolean {
  return asOf !== undefined || archive === true;
}

/** Finds an overdue import, counted from its due time or from a later start of the schedule. */
function findOverdue(watching: Watching, source: Source, last: LastRun): Concern | undefined {
  const { scheduledSince } = last;
  if (source.from.place === undefined || scheduledSince === undefined) return undefined;
  const since = findNextRun(source, last);
  if (watching.now <= addMs([since, scheduledSince].toSorted()[1]!, graceMs(watching))) return undefined;
  return {
    kind: 'overdue',
    source: source.id,
    since,
    summary: `the import of ${source.id} is overdue: the schedule did not start it`,
    steps: ['Restart the service, and look at its log', `Import it now: ${last.ingest}`],
  };
}

/** Finds a register that has stopped, unless its profile says that it has ended or is rarely published. */
function findStale({ city, now }: Watching, source: Source, newest: Day | undefined): Concern | undefined {
  if (isArchive(city) || source.accepts?.stale !== undefined) return undefined;
  if (newest === undefined || newest >= addDays(findToday(city, now), -STALE_DAYS)) return undefined;
  const summary = `the newest filing of ${source.id} is more than ${STALE_DAYS} days old`;
  return {
    kind: 'stale',
    source: source.id,
    summary,
    detail: `${summary} (${newest})`,
    steps: [
      'Check whether the publisher has moved the register. If so, change `from` in the profile',
      'If it has ended, say so in the profile: archive: true',
      "If it is rarely published, say why: accepts: { stale: '...' } of the source",
    ],
  };
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
  return `the first run of ${source} is held: ${why}. To look closer, run "npx shingle check"; to accept it as it is, run "npx shingle ingest --accept ${run}"`;
}

const LONG_WAIT_MS = 600_000; // by then, people on the page have given up
const UNDELIVERED_SHARE = 0.05; // large mail providers review senders above this share
const FEWEST_UNDELIVERED = 10;
const MOST_ALERT_ATTEMPTS = 3;

type MailSigns = Pick<Signs, 'mail' | 'limits' | 'undelivered' | 'alert'>;

function listMailConcerns(
  { now, config }: { now: Instant; config: Pick<Config, 'alertEmail'> },
  { mail, limits, undelivered, alert }: MailSigns,
): (Concern | undefined)[] {
  return [
    mail && findPause(mail),
    mail && findWaitingConfirmations(mail, limits, now),
    undelivered && findUndelivered(undelivered),
    config.alertEmail === undefined ? undefined : alert && findAlertTrouble(alert),
  ];
}

const TEST = 'npx shingle mail test ADDRESS';

function findPause({ trouble, pausedUntil }: MailStanding): Concern | undefined {
  if (trouble === null) return undefined;
  const summary = `mail is paused until ${pausedUntil}`;
  return {
    kind: 'mail-paused',
    summary,
    detail: `${summary}: ${trouble}`,
    steps: [`See what is wrong: ${TEST}`],
  };
}

function findWaitingConfirmations(
  { waiting, waitingSince }: MailStanding,
  { confirmationsAnHour, recipientDomain }: ConfirmationLimits,
  now: Instant,
): Concern | undefined {
  const hour = `the limit is ${confirmationsAnHour} an hour`;
  const domain = `${recipientDomain.hour} an hour and ${recipientDomain.day} a day to one domain`;
  const isLong = waitingSince !== null && waitingSince < addMs(now, -LONG_WAIT_MS);
  const sentences: string[] = [];
  if (waiting >= confirmationsAnHour) sentences.push(`${waiting} confirmation emails are waiting: ${hour}`);
  if (isLong)
    sentences.push(
      `a confirmation email has waited longer than ${LONG_WAIT_MS / 60_000} minutes: the limits are ${confirmationsAnHour} an hour, and ${domain}`,
    );
  if (sentences.length === 0) return undefined;
  return {
    kind: 'confirmations',
    summary: sentences.join('; '),
    detail: `confirmation emails wait: ${hour}, and ${domain}`,
    ...(waitingSince !== null && { since: waitingSince }),
    steps: [
      'If many people of one organization sign up, add its domain to limits.recipientDomain.providers of the profile',
      'If you do not expect these signups, someone may be abusing the form. You do not need to do anything: the limits apply, and what cannot be sent is dropped after 24 hours',
    ],
  };
}

function findUndelivered({ finished, undelivered }: NonNullable<Signs['undelivered']>): Concern | undefined {
  if (undelivered < FEWEST_UNDELIVERED || undelivered <= finished * UNDELIVERED_SHARE) return undefined;
  return {
    kind: 'undelivered',
    summary: `more than ${UNDELIVERED_SHARE * 100} % of the emails of the last ${UNDELIVERED_DAYS} days were not delivered`,
    steps: [
      'See how many: npx shingle subscribers stats',
      'See which addresses were refused: npx shingle subscribers list',
      'Check SPF, DKIM and DMARC of your domain, and what your mail server logs',
    ],
  };
}

function findAlertTrouble({ state, attempts, outcome, endedAt, madeAt }: Alert): Concern | undefined {
  const isPutOff = state === 'waiting' && attempts >= MOST_ALERT_ATTEMPTS;
  if (state !== 'refused' && !isPutOff) return undefined;
  const summary = `the alert to ALERT_EMAIL ${isPutOff ? 'cannot be sent' : 'was refused'}`;
  return {
    kind: 'alert',
    summary,
    detail: `${summary} (${outcome})`,
    since: isPutOff ? madeAt : (endedAt ?? madeAt),
    steps: [`Try the address: ${TEST}`],
  };
}

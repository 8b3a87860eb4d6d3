/** `shingle status`: shows the state of the service on one screen, and what to do. Prints no address. */

import { wrapText } from '../../page/email/email-layout.ts';
import { formatMoment } from '../../shared/day.ts';
import { SIGNUP_TYPES, SIGNUPS } from '../../shared/signup/signups.ts';
import { formatCount } from '../../shared/text/numbers.ts';
import { EXIT } from '../exit-codes.ts';
import type { Service } from '../operations/service.ts';
import {
  type MailStatus,
  readStatus,
  type ServiceStatus,
  type SourceStatus,
} from '../operations/service-status.ts';
import { type Report, toSnakeCase } from './options.ts';
import { describeProgress } from './send-now.ts';

const WIDTH = 80;
const SHORTEST_LABEL = 'Subscribers'.length;
const LONGEST_LABEL = 30;
const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

export async function showStatus(service: Service): Promise<Report> {
  const status = await readStatus(service);
  const needsYou = status.concerns.length > 0;
  return {
    json: toSnakeCase({ ...status, needsYou }),
    text: describeStatus(status).join('\n'),
    code: needsYou ? EXIT.held : EXIT.done,
  };
}

function describeStatus(status: ServiceStatus): string[] {
  const { at, city, sources } = status;
  const line = openLines(sources.map(({ source }) => `  ${source}`));
  return [
    `${city}${formatMoment(at).padStart(WIDTH - city.length)}`,
    ...listFacts(status).flatMap(([label, text]) => line(label, text)),
    '',
    ...describeConcerns(status),
  ];
}

/** Lists what is known of a service, with labels; those of sources are indented. */
export function listFacts(status: ServiceStatus): [label: string, text: string][] {
  const { at, importing, sources, mail, subscriptions, disk, versions } = status;
  const sum = (state: 'pending' | 'bounced') =>
    Object.values(subscriptions).reduce((all, type) => all + type[state], 0);
  const bounced =
    sum('bounced') === 0 ? '0 bounced' : `${sum('bounced')} bounced (who: npx shingle subscribers list)`;
  const confirmed = SIGNUP_TYPES.map((type) => `${subscriptions[type].confirmed} ${SIGNUPS[type].counted}`);
  const backup = disk.newestBackupAt;
  const paused = mail.problem === null ? '' : `; paused until ${formatMoment(mail.pausedUntil!)}`;
  const backups = versions.database.startsWith('PostgreSQL')
    ? 'back it up with pg_dump or your provider'
    : backup === null
      ? 'no backup yet'
      : `newest backup ${formatSpan(at, backup)} ago`;
  const reports = Object.entries(mail.reports).map(([verdict, n]) => `${n} ${verdict.replaceAll('-', ' ')}`);
  const since = importing && `running since ${formatMoment(importing.since)} (process ${importing.pid})`;
  return [
    ['Service', describeService(status)],
    ['Data', describeData(status)],
    ...(since === null ? [] : [['Import', since] as [string, string]]),
    ...sources.map((one): [string, string] => [`  ${one.source}`, describeSourceStatus(one, status)]),
    ['Mail', `${mail.way}, ${mail.waiting} waiting${paused || describeDeferred(mail, at)}`],
    ['Edition', describeEditions(mail, at)],
    ...(reports.length === 0 ? [] : [['Reports', reports.join(', ')] as [string, string]]),
    ['Alerts', describeAlerts(mail, at)],
    ['Subscribers', `${confirmed.join(', ')}, ${sum('pending')} not confirmed, ${bounced}`],
    ['Disk', `${formatBytes(disk.freeBytes)} free, database ${formatBytes(disk.databaseBytes)}, ${backups}`],
    ['Versions', `Shingle ${versions.shingle}, Node ${versions.node}, ${versions.database}`],
  ];
}

/** Returns a function that formats a label with its text, and wraps long texts. */
function openLines(labels: readonly string[]): (label: string, text: string) => string[] {
  const longest = Math.max(SHORTEST_LABEL, ...labels.map(({ length }) => length));
  const width = Math.min(LONGEST_LABEL, longest);
  return (label, text) => wrapAfter(`${label.padEnd(width)} `, text, width + 1);
}

/** Wraps a text after its mark, and indents all later lines. */
function wrapAfter(mark: string, text: string, by = mark.length): string[] {
  const [first = '', ...rest] = wrapText(text, WIDTH - by).split('\n');
  return [mark + first, ...rest.map((line) => ' '.repeat(by) + line)];
}

function describeService({
  at,
  service: { instances, schedule, seenAt, isSilent, isLost },
}: ServiceStatus): string {
  const running = schedule ? 'running' : 'running without a schedule (shingle serve)';
  if (instances > 0) return instances === 1 ? running : `${running}, ${instances} instances`;
  if (isSilent) return 'running, but it cannot report';
  if (seenAt === null) return 'not running';
  return `not running, last seen ${formatSpan(at, seenAt)} ago${isLost ? '; it may have been killed' : ''}`;
}

function describeData({ data, importing, sources }: ServiceStatus): string {
  const { listings, newestFiling, ageDays, hasEnded } = data;
  const count = formatCount(listings, 'listing');
  const isHeld = sources.some(({ state }) => state === 'held');
  const next = isHeld ? ': a held run waits for you' : ': run npx shingle ingest';
  if (newestFiling === null) return listings > 0 ? count : `no listings yet${importing === null ? next : ''}`;
  const age = ageDays === 0 ? 'today' : ageDays === 1 ? 'yesterday' : `${ageDays} days ago`;
  return `${count}, newest filed ${newestFiling} (${age})${hasEnded ? '; shown as an archive' : ''}`;
}

function describeSourceStatus(
  { run, state, startedAt, nextAt }: SourceStatus,
  { at, service }: ServiceStatus,
): string {
  if (run === null || startedAt === null) return 'never imported';
  const when = nextAt === null || nextAt <= at ? 'now' : `in ${formatSpan(nextAt, at)}`;
  const next = nextAt === null ? 'imported by hand' : `${service.schedule ? 'next' : 'due'} ${when}`;
  return `run ${run} ${state} ${formatSpan(at, startedAt)} ago, ${next}`;
}

function describeEditions({ lastEdition, nextEdition }: MailStatus, at: string): string {
  const next = nextEdition === null ? 'none to come' : describeComing(nextEdition, at);
  if (lastEdition === null) return `none sent yet; ${next}`;
  const { edition, state, reason, bounced } = lastEdition;
  const came = state === 'skipped' ? `skipped (${reason})` : describeProgress(lastEdition);
  return `${edition}: ${came}${bounced === 0 ? '' : `, ${bounced} bounced`}; ${next}`;
}

function describeDeferred({ deferred }: MailStatus, at: string): string {
  if (deferred === null) return '';
  const { count, nextAt, reason } = deferred;
  const when = nextAt <= at ? 'now' : `in ${formatSpan(nextAt, at)}`;
  return `; ${count} to be sent again ${when}: ${reason}`;
}

function describeComing(next: NonNullable<MailStatus['nextEdition']>, at: string): string {
  const { at: due, total, approved } = next;
  const when = due <= at ? 'next one due now' : `next in ${formatSpan(due, at)}`;
  const state = approved === null ? '' : approved ? ', approved' : ', not approved yet';
  return `${when}, with ${formatCount(total, 'new business', 'new businesses')} so far${state}`;
}

function describeAlerts({ alerts: { on, last, lastAt } }: MailStatus, at: string): string {
  if (!on) return 'off: set ALERT_EMAIL to get an email when something needs your attention';
  if (last === null) return 'on, none yet';
  return `on, last ${last}${lastAt === null ? '' : ` ${formatSpan(at, lastAt)} ago`}`;
}

function describeConcerns({ concerns }: ServiceStatus): string[] {
  if (concerns.length === 0) return ['Nothing needs your attention'];
  const described = concerns.flatMap(({ sentence, since, steps }) => [
    ...wrapAfter('- ', `${sentence}${since === null ? '' : `, since ${formatMoment(since)}`}`),
    ...steps.flatMap((step) => wrapAfter('    ', step)),
  ]);
  return ['What to do', ...described];
}

/** Formats the time between two instants, in the largest unit that gives at least 2. */
function formatSpan(later: string, earlier: string): string {
  const minutes = Math.max(0, Math.round((Date.parse(later) - Date.parse(earlier)) / 60_000));
  if (minutes < 1) return 'less than a minute';
  if (minutes < 120) return formatCount(minutes, 'minute');
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} hours` : `${Math.round(minutes / (24 * 60))} days`;
}

function formatBytes(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${(bytes / 1000 ** power).toFixed(power > 2 ? 1 : 0)} ${UNITS[power]}`;
}

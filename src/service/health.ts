/** What health says. Everybody may ask for it, so it names no path, address or message of another program: those go to the log. */

import type { Source } from '../city/define.ts';
import { describeStops } from '../ingest/findings/finding.ts';
import { STALE_DAYS } from '../ingest/findings/register.ts';
import type { SourceState } from '../ingest/ports.ts';
import { addDays, findToday } from '../listings/day.ts';
import type { Log } from '../logger.ts';
import type { ListingIndex } from '../search/listing-index.ts';
import type { Health } from '../server/context.ts';
import { findRoomTrouble } from '../storage/room.ts';
import { describeHeldFirstRuns } from './held-run.ts';
import type { Service } from './service.ts';

/** A sentence for everybody, and what the operator reads in the log where that is more. */
type Trouble = { summary: string; detail?: string };

export type HealthSigns = {
  /** Whether the database could be read at the last look. */
  sees: boolean;
  ready: boolean;
  states: readonly SourceState[];
  mail: readonly string[];
  index: ListingIndex | undefined;
};

export function judgeHealth(service: Service, { sees, ready, states, mail, index }: HealthSigns): Health {
  const missing = service.store.healthy() ? [] : ['the database was deleted or replaced: restart Shingle'];
  if (!ready || missing.length > 0)
    return {
      status: 'fail',
      detail: [...missing, ...describeHeldFirstRuns(service.loaded.city.sources, states)],
    };
  const unread = sees ? [] : ['the database cannot be read'];
  const troubles = findTroubles(service, states).map(({ summary }) => summary);
  const stale = index !== undefined && hasOnlyStaleFilings(service, index) ? [STALE] : [];
  const detail = [...unread, ...troubles, ...stale, ...mail];
  return { status: detail.length > 0 ? 'warn' : 'ok', detail };
}

const STALE = `the newest filing is more than ${STALE_DAYS} days old`;

/** Filings of days to come do not make a register fresh. A profile may accept that its register is rarely published. */
function hasOnlyStaleFilings({ loaded, now }: Service, index: ListingIndex): boolean {
  const isAccepted = loaded.city.sources.every(({ accepts }) => accepts?.stale !== undefined);
  if (isAccepted || loaded.city.asOf !== undefined || loaded.city.archive === true || index.size === 0)
    return false;
  const today = findToday(loaded.city, now());
  const late = index.filedSince(addDays(today, 1)).total;
  return index.filedSince(addDays(today, -STALE_DAYS)).total === late;
}

/** Logs what health leaves out, when it begins. Mail and the database log theirs where they fail. */
export function openTroubleLog(service: Service, log: Log): (states: readonly SourceState[]) => void {
  let logged = new Set<string>();
  return (states) => {
    const details = findTroubles(service, states).flatMap(({ detail }) => detail ?? []);
    for (const detail of details) if (!logged.has(detail)) log.warn(detail);
    logged = new Set(details);
  };
}

function findTroubles(service: Service, states: readonly SourceState[]): Trouble[] {
  const noRoom = findRoomTrouble(service.config);
  const summary = 'the disk is nearly full: signups and ingest are paused (MIN_FREE_BYTES)';
  return [
    ...(noRoom === undefined ? [] : [{ summary, detail: noRoom }]),
    ...service.loaded.city.sources.flatMap((source) => sourceTroubles(service, source, states)),
  ];
}

function sourceTroubles(service: Service, source: Source, states: readonly SourceState[]): Trouble[] {
  const state = states.find((one) => one.source === source.id);
  if (state === undefined || state.last === null)
    return [{ summary: `source ${source.id} has never been ingested` }];
  const { state: end, run, detail, findings } = state.last;
  const [waiting] = describeHeldFirstRuns([source], states);
  if (waiting !== undefined)
    return [{ summary: waiting, detail: describeStops(findings) ? waiting : `${waiting} (${detail})` }];
  const summary = `run ${run} of ${source.id} ${end}`;
  const hasEndedBadly = end === 'held' || end === 'failed';
  const troubles: Trouble[] = hasEndedBadly
    ? [{ summary: `${summary} (see "npx shingle runs show ${run}")`, detail: `${summary}: ${detail}` }]
    : [];
  const isStale = service.loaded.city.asOf === undefined && source.freshForHours !== undefined;
  const goodAt = Date.parse(state.goodAt ?? state.last.startedAt);
  if (isStale && Date.parse(service.now()) - goodAt > source.freshForHours! * 3_600_000)
    troubles.push({ summary: `${source.id} is older than its limit of ${source.freshForHours} hours` });
  return troubles;
}

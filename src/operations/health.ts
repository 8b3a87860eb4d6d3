/** Judges health. It is public, so it names no path, address or message of another program. The log has those. */

import type { Log } from '../logger.ts';
import type { Concern, ConcernKind } from '../mail/alerts/concern.ts';
import type { Health } from '../web/context.ts';
import { describeHeldFirstRuns, findConcerns } from './concerns.ts';
import type { Service } from './service.ts';
import type { Signs } from './signs.ts';

export type HealthSigns = {
  /** Whether the last poll could read the database. */
  sees: boolean;
  ready: boolean;
  signs: Signs;
};

export function judgeHealth(service: Service, { sees, ready, signs }: HealthSigns): Health {
  const missing = service.store.healthy() ? [] : [describeLostStore(service)];
  if (!ready || missing.length > 0)
    return {
      status: 'fail',
      detail: [...missing, ...describeHeldFirstRuns(service.loaded.city.sources, signs.states)],
    };
  const unread = sees ? [] : ['the database cannot be read'];
  const detail = [...unread, ...listConcerns(service, signs).map(({ summary }) => summary)];
  return { status: detail.length > 0 ? 'warn' : 'ok', detail };
}

function describeLostStore({ store }: Service): string {
  return store.isMoved()
    ? 'the data was moved to PostgreSQL: set DATABASE_URL and restart Shingle'
    : 'the database was deleted or replaced: restart Shingle';
}

/** Lists the current concerns. */
export function listConcerns({ loaded, config, now }: Service, signs: Signs): Concern[] {
  return findConcerns({ city: loaded.city, config, now: now() }, signs);
}

/** Concerns not logged here: the first import is in progress, and mail logs its own problems. */
const LOGGED_ELSEWHERE: readonly ConcernKind[] = ['never-ingested', 'mail-paused', 'alert'];

/** Opens a function that logs each concern when it begins. */
export function openConcernLog(log: Log): (concerns: readonly Concern[]) => void {
  let logged = new Set<string>();
  return (concerns) => {
    const sentences = concerns
      .filter(({ kind }) => !LOGGED_ELSEWHERE.includes(kind))
      .map(({ summary, detail = summary }) => detail);
    for (const sentence of sentences) if (!logged.has(sentence)) log.warn(sentence);
    logged = new Set(sentences);
  };
}

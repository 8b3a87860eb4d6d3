/**
 * Records who unsubscribed or was erased, in a file next to the database, so that a restored copy does not bring them back. It
 * contains random names that only the database can resolve, and no address.
 */

import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncNames, writeDurably } from '../database/data-folder.ts';
import { findFullDiskError } from '../database/room.ts';
import { messageOf, ShingleError } from '../errors.ts';
import type { Instant } from '../listings/day.ts';
import { SIGNUP_TYPES, type SignupType } from './ports.ts';

export const UNSUBSCRIBE_LOG = 'departures.log';

export type UnsubscribeRecord =
  | { what: 'erased'; subscriber: string; at: Instant }
  | { what: 'left'; subscriber: string; type: SignupType; at: Instant };

export type UnsubscribeLog = {
  /** On disk when it returns. Throws `store` if that fails. */
  append(departure: UnsubscribeRecord): void;
  all(): UnsubscribeRecord[];
};

/** Records nothing: for engines whose backups are not ours to restore. */
export const NO_UNSUBSCRIBE_LOG: UnsubscribeLog = { append: () => undefined, all: () => [] };

export function openUnsubscribeLog(path: string): UnsubscribeLog {
  return {
    append(departure) {
      const isNew = !existsSync(path);
      try {
        writeDurably(path, `\n${formatRecord(departure)}\n`, 'a'); // starts a new line: an entry cut short by a full disk or a crash must not spoil this one
        if (isNew) syncNames(dirname(path));
      } catch (error) {
        throw (
          findFullDiskError(error, dirname(path)) ??
          new ShingleError('store', `${path} cannot be written: ${messageOf(error)}`, { cause: error })
        );
      }
    },
    all: () => (existsSync(path) ? readFileSync(path, 'utf8').split('\n').flatMap(parseRecord) : []),
  };
}

/** Adds to one log what only another one has. */
export function mergeUnsubscribeLog(from: string, to: string): void {
  const [theirs, ours] = [from, to].map((path) =>
    existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [],
  );
  const missing = new Set(theirs).difference(new Set([...ours!, '']));
  if (missing.size > 0) writeDurably(to, `\n${[...missing].join('\n')}\n`, 'a');
}

function formatRecord(departure: UnsubscribeRecord): string {
  const { at, what, subscriber } = departure;
  return departure.what === 'left'
    ? `${at} ${what} ${subscriber} ${departure.type}`
    : `${at} ${what} ${subscriber}`;
}

/** A line cut short by a crash belongs to a change that was never acknowledged. */
function parseRecord(line: string): UnsubscribeRecord[] {
  const [at = '', what, subscriber = '', type] = line.split(' ');
  if (!/^[0-9a-f]{32}$/.test(subscriber)) return [];
  if (what === 'erased') return [{ what, subscriber, at }];
  const left = SIGNUP_TYPES.find((one) => one === type);
  return what === 'left' && left !== undefined ? [{ what, subscriber, type: left, at }] : [];
}

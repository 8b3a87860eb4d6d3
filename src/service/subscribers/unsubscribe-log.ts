/**
 * Records who unsubscribed or was erased, in a file next to the database, so that a restored copy cannot sign them up
 * again. The file contains no addresses, only random names that the database can resolve.
 */

import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Instant } from '../../shared/day.ts';
import { messageOf, storeError } from '../../shared/errors.ts';
import { isSignupType, type SignupType } from '../../shared/signup/signups.ts';
import { syncNames, writeDurably } from '../database/data-folder.ts';
import { findFullDiskError } from '../database/disk-room.ts';

export const UNSUBSCRIBE_LOG = 'departures.log';

export type UnsubscribeRecord =
  | { what: 'erased'; subscriber: string; at: Instant }
  | { what: 'left'; subscriber: string; type: SignupType; at: Instant };

export type UnsubscribeLog = ReturnType<typeof openUnsubscribeLog>;

/** A log that records nothing, for engines whose backups we cannot restore. */
export const NO_UNSUBSCRIBE_LOG: UnsubscribeLog = { append: () => undefined, all: () => [] };

export function openUnsubscribeLog(path: string) {
  return {
    /** Adds a record, which is on disk when this returns. Throws `store` if it cannot be written. */
    append(record: UnsubscribeRecord): void {
      const isNew = !existsSync(path);
      try {
        // a full disk or a crash may have truncated the previous line, so start a new one
        writeDurably(path, `\n${formatRecord(record)}\n`, 'a');
        if (isNew) syncNames(dirname(path));
      } catch (error) {
        throw (
          findFullDiskError(error, dirname(path)) ??
          storeError(`${path} cannot be written: ${messageOf(error)}`, error)
        );
      }
    },
    all: (): UnsubscribeRecord[] => readLines(path).flatMap(parseRecord),
  };
}

/** Returns whether someone was erased after `copy` was made. */
export function hasErasedSince(log: string, copy: string): boolean {
  return [...findMissing(log, copy)].flatMap(parseRecord).some(({ what }) => what === 'erased');
}

/** Adds the records of `from` that `to` lacks. */
export function mergeUnsubscribeLog(from: string, to: string): void {
  const missing = findMissing(from, to);
  if (missing.size > 0) writeDurably(to, `\n${[...missing].join('\n')}\n`, 'a');
}

function findMissing(from: string, to: string): Set<string> {
  return new Set(readLines(from)).difference(new Set([...readLines(to), '']));
}

function readLines(path: string): string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
}

function formatRecord(record: UnsubscribeRecord): string {
  const type = record.what === 'left' ? ` ${record.type}` : '';
  return `${record.at} ${record.what} ${record.subscriber}${type}`;
}

/** Parses a line. Returns `[]` for a truncated line, because its change was never acknowledged. */
function parseRecord(line: string): UnsubscribeRecord[] {
  const [at = '', what, subscriber = '', type] = line.split(' ');
  if (!/^[0-9a-f]{32}$/.test(subscriber)) return [];
  if (what === 'erased') return [{ what, subscriber, at }];
  return what === 'left' && isSignupType(type) ? [{ what, subscriber, type, at }] : [];
}

/**
 * Who has left or was erased, in a file beside the database: a copy restored later must not bring anybody back. It holds
 * random names that mean something in the database alone, and no address.
 */

import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf, ShingleError } from '../errors.ts';
import type { Instant } from '../listings/day.ts';
import { SIGNUP_TYPES, type SignupType } from '../subscriptions/ports.ts';
import { syncNames, writeDurably } from './data-folder.ts';

export type UnsubscribeRecord =
  | { what: 'erased'; subscriber: string; at: Instant }
  | { what: 'left'; subscriber: string; type: SignupType; at: Instant };

export type UnsubscribeLog = {
  /** Durable when it returns. Throws `store` when it cannot be. */
  append(departure: UnsubscribeRecord): void;
  all(): UnsubscribeRecord[];
};

/** Nothing is noted: for engines whose copies are not ours to restore. */
export const NO_UNSUBSCRIBE_LOG: UnsubscribeLog = { append: () => undefined, all: () => [] };

export function openUnsubscribeLog(path: string): UnsubscribeLog {
  return {
    append(departure) {
      const isNew = !existsSync(path);
      try {
        writeDurably(path, `\n${formatRecord(departure)}\n`, 'a'); // what a full disk or a crash cut short must not spoil this line
        if (isNew) syncNames(dirname(path));
      } catch (error) {
        throw new ShingleError('store', `${path} cannot be written: ${messageOf(error)}`, { cause: error });
      }
    },
    all: () => (existsSync(path) ? readFileSync(path, 'utf8').split('\n').flatMap(parseRecord) : []),
  };
}

function formatRecord(departure: UnsubscribeRecord): string {
  const { at, what, subscriber } = departure;
  return departure.what === 'left'
    ? `${at} ${what} ${subscriber} ${departure.type}`
    : `${at} ${what} ${subscriber}`;
}

/** A line that a crash cut short names nobody whose departure was acknowledged. */
function parseRecord(line: string): UnsubscribeRecord[] {
  const [at = '', what, subscriber = '', type] = line.split(' ');
  if (!/^[0-9a-f]{32}$/.test(subscriber)) return [];
  if (what === 'erased') return [{ what, subscriber, at }];
  const left = SIGNUP_TYPES.find((one) => one === type);
  return what === 'left' && left !== undefined ? [{ what, subscriber, type: left, at }] : [];
}

/** Remembers what was served to which client for at least a day, in fixed memory: a filter of fingerprints. */

import { DAY_MS } from '../../../shared/day.ts';
import type { Key } from './bucket.ts';

const LINES_LOG2 = 18;
const LINES = 1 << LINES_LOG2;
const SLOTS = 16; // of each day in a line, so that a look at both days reads the 64 bytes of one line
const LINE = 2 * SLOTS;
/** The most that a day remembers: half of its slots. The longer the chains, the more a fingerprint is mistaken. */
const MOST = (LINES * SLOTS) / 2;

/**
 * Opens the filter: two days of slots with 16 bits each. A fingerprint is added to the newer day and kept until that day
 * is overwritten, 24 to 48 hours later. A thing is found though it was never added, and then served free of charge,
 * with a probability of about 2 * 8 / 65,535, when both days are full.
 */
export function openServed(elapsed: () => number) {
  const slots = new Uint16Array(LINES * LINE);
  const words = new Uint32Array(slots.buffer);
  const counts = [0, 0];
  let newer = 0;
  let startedAt = elapsed();

  /** Begins the next day when it is time, in the slots of the day before the last. */
  function turn(): void {
    const days = Math.floor((elapsed() - startedAt) / DAY_MS);
    if (days === 0) return;
    startedAt += days * DAY_MS;
    for (let i = 0; i < Math.min(2, days); i++) {
      newer = 1 - newer;
      if (counts[newer] === 0) continue;
      counts[newer] = 0;
      for (let at = (newer * SLOTS) / 2; at < words.length; at += LINE / 2) words.fill(0, at, at + SLOTS / 2);
    }
  }

  return {
    bytes: slots.byteLength,
    /** Returns how full the newer day is, from 0 to 1. When it is full, everything counts as new. */
    filled(): number {
      turn();
      return counts[newer]! / MOST;
    },
    /**
     * Returns whether this was not added in the last 24 hours, and perhaps the 24 hours before, and adds it unless the day
     * is full. `id` is below 2^32.
     */
    isNew(key: Key, id: number): boolean {
      const line = (scatter(id ^ key[0]) >>> (32 - LINES_LOG2)) * LINE;
      const mark = scatter(id ^ key[1]) >>> 16 || 1; // 0 is an empty slot
      if (slots[findSlot(line + (1 - newer) * SLOTS, mark)] === mark) return false;
      const slot = findSlot(line + newer * SLOTS, mark);
      if (slots[slot] === mark) return false;
      if (slots[slot] === 0 && counts[newer]! < MOST) {
        slots[slot] = mark;
        counts[newer]!++;
      }
      return true;
    },
  };

  /** Returns the slot with this fingerprint in a day of a line or, without one, the first empty slot or the last one. */
  function findSlot(from: number, mark: number): number {
    let slot = from;
    for (const last = from + SLOTS - 1; slot < last; slot++)
      if (slots[slot] === mark || slots[slot] === 0) return slot;
    return slot;
  }
}

/** Spreads the bits of a number (the finalizer of MurmurHash3). Clients cannot choose the numbers: both keys are secret. */
function scatter(number: number): number {
  let mixed = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

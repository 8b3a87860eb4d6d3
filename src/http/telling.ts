/** What is told to the other instances of one shared budget, and what is heard from them. Sends nothing itself. */

import { type Account, type Accounts, SLICES, type Ties, usedOf } from './accounts.ts';
import type { Budget, Key } from './budget.ts';

const LATE_MS = 20_000; // how late what others took may come to stand in its slice, and how far clocks may be apart
const MOST = 2_000; // at once: more would keep other writers waiting

export type Kind = 'burst' | 'rows' | 'signup';

/** What one client took here since it was last told, and the first slice of which this instance wants to hear. */
export type Taking = { kind: Kind; client: string; slice: number; taken: number; since: number };

/** What all instances together served to one client in one slice. */
export type Sum = { kind: string; client: string; slice: number; taken: number };

export type Telling = {
  readonly kind: Kind;
  hasMore(): boolean;
  /** What is to be told now, oldest first; then `confirm` or `undo` before the next time. */
  takings(): Taking[];
  /** Takes in what everybody took, in the order of slices. */
  confirm(sums: readonly Sum[]): void;
  /** Nobody was told: it is told the next time. */
  undo(): void;
  /** Slices before this one count no more for anybody. `now` is that of the clock: perhaps nobody has asked for long. */
  ended(now: number): number;
};

export function openTelling(kind: Kind, cells: Budget, accounts: Accounts, ties: Ties): Telling {
  const { untold } = accounts;
  const margin = 1 + Math.ceil(LATE_MS / accounts.sliceMs);
  let told = new Map<Account, Taking>();
  let heard = new Map<string, Account>();

  /** Told under the name of today, and asked for under that of yesterday too. */
  function tell(account: Account): Taking[] {
    const { newest: slice, oldest } = accounts.slices();
    untold.delete(account);
    account.telling = Math.min(account.untold, usedOf(cells, account.key)); // the rest has left the window meanwhile
    account.untold = 0;
    const since = Math.max(oldest, account.toldAt - margin);
    const [client, before] = namesOf(account.key);
    const taking = { kind, client, slice, taken: account.telling, since };
    told.set(account, taking);
    heard.set(client, account).set(before, account);
    return [taking, { ...taking, client: before, taken: 0 }];
  }

  return {
    kind,
    hasMore: () => untold.size > 0,
    takings: () => [...untold.values().take(MOST)].flatMap(tell),
    confirm(sums) {
      const { oldest } = accounts.slices();
      for (const [account, taking] of told) {
        startAnew(account, taking, oldest);
        accounts.refresh(account);
      }
      for (const { client, slice, taken } of sums) {
        const slices = heard.get(client)?.slices;
        slices?.set(slice, (slices.get(slice) ?? 0) + taken);
      }
      [told, heard] = [new Map(), new Map()];
    },
    undo() {
      for (const account of told.keys()) {
        account.untold += account.telling;
        account.telling = 0;
        if (accounts.refresh(account)) untold.add(account);
        else ties.lost(); // forgotten meanwhile
      }
      [told, heard] = [new Map(), new Map()];
    },
    ended: (now) => Math.floor(now / accounts.sliceMs) - SLICES - margin,
  };
}

/** Makes room for what is heard, and lets go of what has left the window. */
function startAnew(account: Account, { slice, since }: Taking, oldest: number): void {
  for (const known of account.slices.keys())
    if (known >= since || known < oldest) account.slices.delete(known);
  account.sumSince = -1;
  account.telling = 0;
  account.toldAt = slice;
}

function namesOf([, , ...halves]: Key): [string, string] {
  const [a, b, c, d] = halves.map((half) => half.toString(16).padStart(8, '0'));
  return [`${a}${b}`, `${c}${d}`];
}

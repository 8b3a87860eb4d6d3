/** What is told to the other instances of one shared budget, and what is heard from them. Sends nothing itself. */

import { type Account, type Accounts, type Ties, usedOf } from './accounts.ts';
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
  /** Slices before this one count no more for anybody. */
  ended(): number;
};

export function openTelling(kind: Kind, cells: Budget, accounts: Accounts, ties: Ties): Telling {
  const { untold } = accounts;
  const margin = 1 + Math.ceil(LATE_MS / accounts.sliceMs);
  let told = new Map<string, { account: Account; taking: Taking }>();

  function tell(account: Account): Taking {
    const { newest: slice, oldest } = accounts.slices();
    untold.delete(account);
    account.telling = Math.min(account.untold, usedOf(cells, account.key)); // the rest has left the window meanwhile
    account.untold = 0;
    const since = Math.max(oldest, account.toldAt - margin);
    const taking = { kind, client: nameOf(account.key), slice, taken: account.telling, since };
    told.set(taking.client, { account, taking });
    return taking;
  }

  return {
    kind,
    hasMore: () => untold.size > 0,
    takings: () => [...untold.values().take(MOST)].map(tell),
    confirm(sums) {
      const { oldest } = accounts.slices();
      for (const { account, taking } of told.values()) {
        startAnew(account, taking, oldest);
        accounts.refresh(account);
      }
      for (const { client, slice, taken } of sums) told.get(client)?.account.slices.set(slice, taken);
      told = new Map();
    },
    undo() {
      for (const { account } of told.values()) {
        account.untold += account.telling;
        account.telling = 0;
        if (accounts.refresh(account)) untold.add(account);
        else ties.lost(); // forgotten meanwhile
      }
      told = new Map();
    },
    ended: () => accounts.slices().oldest - margin,
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

function nameOf(key: Key): string {
  return key.map((half) => half.toString(16).padStart(8, '0')).join('');
}

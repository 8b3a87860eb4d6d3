/** A small service over a real database in which the n-th call fails: to the database, the disk or the mail transport. */

import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openEmailWriter } from '../../src/app/operations/email-writer.ts';
import { openRepositories, type Repositories } from '../../src/service/data/store.ts';
import type { Engine, Reader, Transaction } from '../../src/service/database/engines/engine.ts';
import { openSqlite } from '../../src/service/database/engines/sqlite.ts';
import { type Delivery, openDelivery } from '../../src/service/mail/delivery.ts';
import type { WeeklyContext } from '../../src/service/mail/editions/decide-edition.ts';
import type { MailTransport } from '../../src/service/mail/smtp.ts';
import { RECIPIENT_DOMAIN_DEFAULTS } from '../../src/service/subscribers/address.ts';
import {
  openSubscriptionService,
  type SubscriptionService,
} from '../../src/service/subscribers/subscription-service.ts';
import { openUnsubscribeLog } from '../../src/service/subscribers/unsubscribe-log.ts';
import { ShingleError } from '../../src/shared/errors.ts';
import { installProbe } from '../../src/shared/probe.ts';
import { aFolder } from '../a-folder.ts';
import { MONDAY } from '../service/mail/a-mailing.ts';
import { CITY } from '../service/web/a-door.ts';

/**
 * Where it fails. `database`: any statement, begin or commit, and nothing of it is kept. `answer`: a commit that was made
 * and not heard of. `disk`: every named point of an operation, and the note of a departure. `mail`: a message.
 */
export type Seam = 'database' | 'answer' | 'disk' | 'mail';

/** The call that fails, the first being 1; with `onward`, all later ones too. `calls`: how many there were. */
export type Plan = { seam: Seam; at: number; onward: boolean; calls: number };

export type World = {
  ports: Repositories;
  subscriptions: SubscriptionService;
  delivery: Delivery;
  weekly: WeeklyContext;
  /** Addresses of what the mail server took, in its order. */
  taken: string[];
  clock: { now: number };
  now(): string;
  /** Nothing fails from now on. */
  mend(): void;
  close(): Promise<void>;
};

export const LIMITS = { confirmationsAnHour: 200, recipientDomain: RECIPIENT_DOMAIN_DEFAULTS };

let made = 0;

/** Opens a copy of the database; what a plan says fails only once it has been opened. */
export async function aWorld(template: string, plan: Plan): Promise<World> {
  const folder = join(room, String(++made));
  mkdirSync(folder);
  copyFileSync(template, join(folder, 'shingle.db'));
  let isArmed = false;
  const strike = (seam: Seam, failure: () => Error): void => {
    if (!isArmed || plan.seam !== seam) return;
    plan.calls++;
    if (plan.calls === plan.at || (plan.onward && plan.calls > plan.at)) throw failure();
  };
  const engine = failing(openSqlite(folder), strike);
  const { append: note, all } = openUnsubscribeLog(join(folder, 'departures.log'));
  const append: typeof note = (departure) => {
    strike('disk', noSpace);
    note(departure);
  };
  const ports = await openRepositories(engine, { unsubscribeLog: { append, all } });
  const taken: string[] = [];
  const post: MailTransport = {
    async send(_lane, { to }, isWanted) {
      if (!(await isWanted())) return { end: 'canceled' };
      strike('mail', noSpace);
      taken.push(to);
      return { end: 'sent', code: '250' };
    },
    close: () => undefined,
  };
  const clock = { now: MONDAY + 3_600_000 };
  const now = () => new Date(clock.now).toISOString();
  const shared = { city: CITY, now, store: ports, ...LIMITS };
  const from = { name: 'Rivermouth openings', address: 'news@rivermouth.example' };
  const publicUrl = 'https://rivermouth.example';
  installProbe(() => strike('disk', noSpace));
  isArmed = true;
  return {
    ...{ ports, taken, clock, now, weekly: shared },
    subscriptions: openSubscriptionService(shared),
    delivery: openDelivery(
      { ...shared, transport: post, from, postalAddress: '1 Quay Street', publicUrl },
      openEmailWriter,
    ),
    mend() {
      isArmed = false;
    },
    async close() {
      installProbe(undefined);
      await engine.close();
      rmSync(folder, { recursive: true });
    },
  };
}

const room = aFolder();

type Strike = (seam: Seam, failure: () => Error) => void;
const noSpace = () => Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
const cannot = () => new ShingleError('store', 'the database is temporarily unavailable');

function failing(engine: Engine, strike: Strike): Engine {
  const reading = <T extends Reader>(on: T) => ({
    read: (async (sql, params) => {
      strike('database', cannot);
      return on.read(sql, params);
    }) as Reader['read'],
    stream: ((sql, params) => {
      strike('database', cannot);
      return on.stream(sql, params);
    }) as Reader['stream'],
  });
  return {
    ...engine,
    ...reading(engine),
    async transaction(work) {
      strike('database', cannot); // begin
      const result = await engine.transaction(async (tx) => {
        const wrapped: Transaction = {
          ...reading(tx),
          async write(sql, rows) {
            strike('database', cannot);
            return tx.write(sql, rows);
          },
        };
        const done = await work(wrapped);
        strike('database', cannot); // commit
        return done;
      });
      strike('answer', cannot);
      return result;
    },
  };
}

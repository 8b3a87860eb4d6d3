/** Delivers an edition to some people, from a real store over real SMTP, with a clock that the test moves. */

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after } from 'node:test';
import type { Store } from '../../../src/service/data/store.ts';
import { openMailer } from '../../../src/service/mail/delivery.ts';
import type { MailTransport, Outgoing, SmtpSettings } from '../../../src/service/mail/smtp.ts';
import { openSmtpTransport } from '../../../src/service/mail/smtp.ts';
import { parseAddress } from '../../../src/service/subscribers/address.ts';
import { makeToken } from '../../../src/service/subscribers/tokens.ts';
import type { EditionContent } from '../../../src/shared/edition/edition.ts';
import { addSubscribers } from '../../a-subscriber.ts';
import { PATIENCE_MS } from '../../patience.ts';
import { aMailing } from './a-mailing.ts';

const DECIDED = Date.parse('2026-11-23T17:00:00Z');
const MINUTE = 60_000;
const EDITION = '2026-11-23';

export type Row = {
  address: string;
  state: string;
  outcome: string | null;
  attempts: number;
  doubts: number;
};

export type ADelivery = Awaited<ReturnType<typeof aDelivery>>;

/** Everybody whose message is in that state. */
export const inState = (mail: ADelivery, wanted: string): string[] =>
  mail.rows().flatMap(({ address, state }) => (state === wanted ? [address] : []));

export type Timeouts = { connectMs?: number; socketMs?: number; messageMs?: number };
const PATIENT: Timeouts = { connectMs: PATIENCE_MS, socketMs: PATIENCE_MS, messageMs: PATIENCE_MS };

/** Removed after the test file. `addresses`: 20 people unless said otherwise. */
export async function aDelivery(
  settings: Partial<SmtpSettings> & { port: number },
  given: { addresses?: readonly string[]; timeouts?: Timeouts } = {},
) {
  const { addresses = somePeople(20), timeouts = PATIENT } = given;
  let post = postTo(settings, timeouts);
  after(() => post.close());
  const { store, folder, clock, context, delivery } = await aMailing({
    post: { send: (...sending) => post.send(...sending), close: () => post.close() },
  });
  clock.now = DECIDED;
  const people = await decidedFor(store, addresses);
  const { outbox, subscribers, editions } = store;
  const { now } = context;
  const warned: string[] = [];
  const warn = (sentence: string) => void warned.push(sentence);
  const { look } = openMailer({ ...context, delivery, warn, pruneFiles: async () => undefined });
  const round = () => store.alone('mail', 0, delivery.round);
  return {
    ...{ store, people, round, warned },
    /** Lets so many minutes pass, and delivers whenever something is due, as the service does. `each` is asked after every step. */
    async pass(minutes: number, stepMinutes = 5, each: (minute: number) => void = () => undefined) {
      let next = '';
      for (let minute = stepMinutes; minute <= minutes; minute += stepMinutes) {
        clock.now += stepMinutes * MINUTE;
        if (now() >= next) {
          await look();
          const [{ pausedUntil }, nextAt] = [await outbox.standing(now()), await outbox.nextAt()];
          next = [pausedUntil ?? '', nextAt ?? ''].toSorted()[1]!; // before, there is nothing to do
        }
        each(minute);
      }
    },
    /** Sends another way from now on. */
    through(another: Partial<SmtpSettings>) {
      post.close();
      post = postTo({ ...settings, ...another }, PATIENT);
    },
    standing: () => outbox.standing(now()),
    progress: () => editions.progress(EDITION),
    /** Who has been refused as no mailbox. */
    async refused() {
      const all = await subscribers.all();
      return all.flatMap(({ address, refusedAt }) => (refusedAt === null ? [] : [address])).sort();
    },
    rows: () => rowsIn(folder),
    isFinished: async () => (await editions.progress(EDITION)).waiting === 0,
    /** Presses the link of an earlier email; answered when it is written. */
    async leaves(address: string) {
      const hash = aLinkFor(folder, address);
      const held = { hash, purpose: 'unsubscribe' as const, at: now() };
      if ((await subscribers.leave(held)) === undefined) throw new Error(`${address} cannot leave`);
    },
  };
}

/** `p00@b.example` and so on. */
export function somePeople(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `p${String(i).padStart(2, '0')}@b.example`);
}

export function postTo(
  settings: Partial<SmtpSettings> & { port: number },
  timeouts?: Timeouts,
): MailTransport {
  const plain = { secure: false, requireTls: false, user: undefined, password: undefined };
  return openSmtpTransport({ host: '127.0.0.1', ...plain, ...settings }, timeouts);
}

export const aLetter = (to: string): Outgoing => ({
  ...{ message: 'm1', from: { name: 'Openings', address: 'news@rivermouth.example' }, to, subject: 'S' },
  ...{ html: '<p>H</p>', text: 'T', madeAt: '2026-11-23T17:00:00.000Z', what: 'weekly', headers: {} },
});

async function decidedFor(store: Store, addresses: readonly string[]): Promise<string[]> {
  const decidedAt = new Date(DECIDED).toISOString();
  await addSubscribers(store, addresses, { at: decidedAt });
  const content = JSON.stringify(CONTENT);
  const expiresAt = new Date(DECIDED + 48 * 60 * MINUTE).toISOString();
  await store.editions.decide({ ...{ edition: EDITION, reason: null, decidedAt, content }, expiresAt }, []);
  return addresses.map((address) => parseAddress(address)!.address).sort();
}

/** A link to leave, as an earlier edition would have given: what the store keeps of it. */
function aLinkFor(folder: string, address: string): string {
  const { hash } = makeToken();
  const db = new DatabaseSync(join(folder, 'shingle.db'), { timeout: PATIENCE_MS });
  db.prepare(
    `insert into token (hash, subscriber, purpose, type, made_at)
     select ?, subscriber, 'unsubscribe', 'weekly', '2026-11-16' from subscriber where address = ?`,
  ).run(hash, address);
  db.close();
  return hash;
}

function rowsIn(folder: string): Row[] {
  const db = new DatabaseSync(join(folder, 'shingle.db'), { readOnly: true });
  const rows = db
    .prepare(
      `select p.address, m.state, m.outcome, m.attempts, m.doubts from message as m
       join subscriber as p on p.subscriber = m.subscriber order by p.address`,
    )
    .all() as Row[];
  db.close();
  return rows;
}

const CONTENT: EditionContent = {
  ...{ edition: EDITION, from: '2026-11-16', to: EDITION, total: 1 },
  listings: [
    {
      ...{ name: 'CAFÉ ÉTOILE', category: 'Restaurants', neighborhood: 'Café Row', status: 'open' },
      ...{ filing_date: '2026-11-20', source: 'licences', key: 'k1' },
    },
  ],
  byCategory: [{ value: 'Restaurants', count: 1 }],
  byNeighborhood: [{ value: 'Café Row', count: 1 }],
};

/** Delivers an edition to many people, with every mark on disk, and compares it with a bare loop over the same library with the same pool settings. */

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createTransport } from 'nodemailer';
import { openEmailWriter } from '../src/app/operations/email-writer.ts';
import { renderWeeklyEmail } from '../src/page/email/weekly-email.ts';
import { defineCity, skip } from '../src/register/profile/define.ts';
import { csv } from '../src/register/profile/formats.ts';
import { openRepositories } from '../src/service/data/store.ts';
import type { Engine } from '../src/service/database/engines/engine.ts';
import { openSqlite } from '../src/service/database/engines/sqlite.ts';
import { openDelivery } from '../src/service/mail/delivery.ts';
import { openSmtpTransport } from '../src/service/mail/smtp.ts';
import type { EditionContent } from '../src/shared/edition/edition.ts';
import { formatPreferences } from '../src/shared/signup/preferences.ts';
import { startChild } from './children.ts';
import { ROWS } from './data.ts';
import { mib } from './process.ts';
import { median, type Result } from './report.ts';

const ROUNDS = 3;
const RECIPIENTS = 10_000;
const LONGEST_MS = 10_000; // for a delivery, finished or not, because each message waits for the disk
const SETS = 200;
const KINDS = ['Restaurants', 'Legal', 'Cleaning'];
const QUARTERS = Array.from({ length: 6 }, (_, i) => `Quarter ${i}`);
const COUNTED = 1_000; // messages of the round in which syncs are counted
const AT = '2026-11-23T16:00:00.000Z';
const FROM = { name: 'Rivermouth openings', address: 'news@rivermouth.example' };
const CITY = defineCity({
  name: 'Rivermouth',
  region: 'CA',
  timeZone: 'America/Los_Angeles',
  operator: { name: 'Rivermouth Library', contact: 'listings@rivermouth.example' },
  sources: [
    {
      ...{ id: 'licences', publisher: 'City', homepage: 'https://data.rivermouth.example', license: 'CC0' },
      ...{
        checked: 'documentation',
        from: csv(),
        delivers: 'snapshot',
        columns: ['id'],
        verdict: () => skip(''),
      },
    },
  ],
});

/** Takes the number of recipients from `--listings`. */
export async function benchDelivery(listings: number): Promise<Result> {
  const recipients = listings === ROWS ? RECIPIENTS : listings;
  const sink = await aSink();
  const bare: Delivered[] = [];
  const ours: Delivered[] = [];
  const parts: Delivered[] = [];
  let peak = 0;
  const before = process.memoryUsage().rss;
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(await bareLoop(sink.port, recipients));
    const seen = () => {
      peak = Math.max(peak, process.memoryUsage().rss);
    };
    const both = [
      () => edition(sink.port, { recipients, sets: [null], seen }).then((one) => ours.push(one)),
      () => edition(sink.port, { recipients, sets: distinctSets(), seen }).then((one) => parts.push(one)),
    ];
    for (const deliver of round % 2 === 0 ? both : both.toReversed()) await deliver();
  }
  const syncs = await countSyncs(() => edition(sink.port, { recipients: COUNTED, sets: [null] }));
  sink.child.kill('SIGTERM');
  const ratio = median(ours.map(({ rate }, i) => rate / bare[i]!.rate));
  const bareCpu = median(bare.map(({ cpuMs }) => cpuMs));
  const times = median(parts.map(({ rate }, i) => ours[i]!.rate / rate));
  const cpu = median(parts.map(({ cpuMs }, i) => cpuMs / ours[i]!.cpuMs));
  const ms = median(ours.map(({ cpuMs }) => cpuMs));
  const rows = [
    {
      what: 'bare loop, 2 connections, 100 messages each',
      value: `${median(bare.map(({ rate }) => rate)).toFixed(0)} a second`,
    },
    {
      what: `an edition to ${recipients.toLocaleString('en')}`,
      value: `${median(ours.map(({ rate }) => rate)).toFixed(0)} a second`,
    },
    { what: `${SETS} distinct preferences / none: time`, value: `${times.toFixed(2)} (median of ${ROUNDS})` },
    {
      what: `${SETS} distinct preferences / none: CPU time`,
      value: `${cpu.toFixed(2)} (median of ${ROUNDS})`,
    },
    {
      what: 'CPU time a message, bare loop and edition',
      value: `${bareCpu.toFixed(2)} and ${ms.toFixed(2)} ms (medians of ${ROUNDS})`,
    },
    { what: 'edition / bare loop', value: `${ratio.toFixed(2)} (median of ${ROUNDS})` },
    { what: 'syncs a message', value: syncs?.toFixed(2) ?? 'needs strace' },
    { what: 'resident before, highest', value: `${mib(before)}, ${mib(peak)}` },
  ];
  return { bench: 'delivery', listings: recipients, rows, figures: { ratio, peak, times, cpu, ms } };
}

async function aSink(): Promise<{ child: ChildProcess; port: number }> {
  const script = fileURLToPath(new URL('./mail-sink.ts', import.meta.url));
  const child = startChild(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = (await once(child.stdout!, 'data')) as [Buffer];
  return { child, port: Number(said.toString()) };
}

/** Nothing but the library's own pool, composing and sending the same letter. */
async function bareLoop(port: number, recipients: number): Promise<Delivered> {
  const pool = createTransport({
    ...{ pool: true, host: '127.0.0.1', port, ignoreTLS: true, maxConnections: 2, maxMessages: 100 },
  });
  const letter = renderWeeklyEmail({
    city: CITY,
    content: content(),
    links: LINKS,
    postalAddress: '1 Quay Street',
  });
  const measure = startMeasuring();
  let next = 0;
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
  }, LONGEST_MS);
  const lane = async () => {
    while (next < recipients && !isLate) {
      const to = `p${next++}@b.example`;
      await pool.sendMail({ from: FROM, to, envelope: { from: FROM.address, to: [to] }, ...letter });
    }
  };
  await Promise.all([lane(), lane()]);
  clearTimeout(late);
  pool.close();
  return measure(next);
}

const LINKS = {
  home: 'https://rivermouth.example/',
  unsubscribe: `https://rivermouth.example/unsubscribe?token=${'x'.repeat(43)}`,
  manage: `https://rivermouth.example/manage?token=${'x'.repeat(43)}`,
};

/** Messages, how many a second, and the CPU time of each. */
type Delivered = { sent: number; rate: number; cpuMs: number };

/** Returns a function that says how many messages were sent since, in which time. */
function startMeasuring(): (sent: number) => Delivered {
  const start = performance.now();
  const cpu = process.cpuUsage();
  return (sent) => {
    const { user, system } = process.cpuUsage(cpu);
    const rate = (sent * 1000) / (performance.now() - start);
    return { sent, rate, cpuMs: (user + system) / 1000 / sent };
  };
}

/** Sets of preferences, each with something in the edition. */
function distinctSets(): string[] {
  const some = (values: readonly string[], bits: number) => values.filter((_, i) => (bits >> i) & 1);
  return Array.from({ length: SETS }, (_, i) => {
    const [kinds, places] = [some(KINDS, 1 + (i % 7)), some(QUARTERS, 1 + Math.floor(i / 7))];
    return formatPreferences({ categories: kinds, neighborhoods: places }, {})!;
  });
}

/** A whole edition: claimed, sent and marked one by one. */
async function edition(
  port: number,
  {
    recipients,
    sets,
    seen = () => undefined,
  }: { recipients: number; sets: readonly (string | null)[]; seen?: () => void },
): Promise<Delivered> {
  const folder = mkdtempSync(join(tmpdir(), 'shingle-delivery-'));
  const engine = openSqlite(folder);
  const store = await openRepositories(engine);
  try {
    await fill(engine, recipients, sets);
    await store.editions.decide(
      {
        ...{ edition: '2026-11-23', reason: null, decidedAt: AT },
        ...{ content: JSON.stringify(content()), expiresAt: '2026-11-25T16:00:00.000Z' },
      },
      [],
    );
    const settings = {
      host: '127.0.0.1',
      port,
      secure: false,
      requireTls: false,
      user: undefined,
      password: undefined,
    };
    const post = openSmtpTransport(settings);
    const delivery = openDelivery(
      {
        ...{ city: CITY, store, transport: post, from: FROM },
        ...{ postalAddress: '1 Quay Street', publicUrl: 'https://rivermouth.example' },
        ...{ confirmationsAnHour: 200, recipientDomain: { hour: 10, day: 30 }, now: () => AT },
      },
      openEmailWriter,
    );
    const watch = setInterval(seen, 200);
    const late = setTimeout(delivery.stop, LONGEST_MS);
    const measure = startMeasuring();
    await store.alone('mail', 0, delivery.round);
    const { sent, failed } = await store.editions.progress('2026-11-23');
    const measured = measure(sent);
    clearInterval(watch);
    clearTimeout(late);
    post.close();
    if (sent === 0 || failed > 0) throw new Error(`${sent} of ${recipients} were sent, ${failed} failed`);
    return measured;
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
}

/** Adds confirmed subscribers in one commit. */
async function fill(engine: Engine, recipients: number, sets: readonly (string | null)[]): Promise<void> {
  const people = Array.from({ length: recipients }, (_, i) => `p${i}@b.example`);
  await engine.transaction(async (tx) => {
    await tx.write('insert into consent (version, words, first_used_at) values (?, ?, ?)', [['v', 'w', AT]]);
    await tx.write(
      'insert into subscriber (subscriber, identity, address, asked_at) values (?, ?, ?, ?)',
      people.map((who) => [who, who, who, AT]),
    );
    await tx.write(
      `insert into subscription (subscriber, type, state, source, consent, asked_at, confirmed_at, preferences)
       values (?, 'weekly', 'confirmed', 'operator', 'v', ?, ?, ?)`,
      people.map((who, i) => [who, AT, AT, sets[i % sets.length]!]),
    );
  });
}

/** 74 listings of every kind in every quarter, and counts, as a real edition has them. */
function content(): EditionContent {
  const listings = Array.from({ length: 74 }, (_, i) => ({
    ...{
      name: `Business Number ${i} LLC`,
      category: KINDS[i % 3]!,
      source: 's',
    },
    ...{
      neighborhood: QUARTERS[Math.floor(i / 3) % 6]!,
      status: 'open' as const,
      filing_date: '2026-11-20',
      key: String(i),
    },
  }));
  const counts = (name: string) => Array.from({ length: 6 }, (_, i) => ({ value: `${name} ${i}`, count: 4 }));
  return {
    ...{ edition: '2026-11-23', from: '2026-11-16', to: '2026-11-23', total: 74, listings },
    ...{
      byCategory: counts('Kind'),
      byNeighborhood: counts('Quarter'),
    },
  };
}

/** Counts how often the database is synced for each message of a delivery. Returns `undefined` without strace. */
async function countSyncs(work: () => Promise<Delivered>): Promise<number | undefined> {
  const log = join(mkdtempSync(join(tmpdir(), 'shingle-syncs-')), 'calls');
  const tracer = startChild(
    'strace',
    ['-f', '-y', '-qq', '-e', 'trace=fdatasync,fsync', '-o', log, '-p', String(process.pid)],
    {
      stdio: 'ignore',
    },
  );
  const failed = await Promise.race([once(tracer, 'error').then(() => true), sleep(1_000).then(() => false)]);
  if (failed) return undefined;
  const { sent } = await work();
  const ended = once(tracer, 'exit');
  tracer.kill('SIGINT');
  await ended;
  const all = readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line.includes('-wal>'));
  return all.length / sent;
}

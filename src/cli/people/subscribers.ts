/** `shingle subscribers`: manages email subscribers. Only this command prints subscribers' addresses. */

import type { Command } from 'commander';
import { formatCsv } from '../../data/csv-text.ts';
import { ShingleError } from '../../errors.ts';
import { toLocalDay } from '../../listings/day.ts';
import type { EditionStats, ListStats } from '../../mail/list-stats.ts';
import { makeConsent } from '../../subscribers/consent.ts';
import {
  findShownState,
  isSignupType,
  SIGNUP_TYPES,
  type SignupType,
  type Subscriber,
  type Subscription,
} from '../../subscribers/subscriber.ts';
import type { StoredData } from '../../subscribers/subscriber-store.ts';
import { addAction, type Report, requireAddress, toSnakeCase, withService } from '../options.ts';
import { describeProgress } from '../send-now.ts';

const TYPE = ['--type <type>', SIGNUP_TYPES.join(' or '), parseSignupType] as const;

const EDITIONS_SHOWN = 4; // older records of messages are deleted after 30 days

type Line = Pick<Subscriber, 'address' | 'refusedAt' | 'refusal'> &
  Omit<Subscription, 'state'> & { state: ReturnType<typeof findShownState> };

const OLD_BACKUPS =
  'earlier backups lose the address when they are restored; the daily ones are deleted after 7 days';
const OLD_DUMPS = 'earlier dumps of the database contain the address until you delete them';

/** The fields of each subscription, as JSON and CSV name them. */
const EXPORT_COLUMNS = {
  email: 'address',
  type: 'type',
  state: 'state',
  source: 'source',
  consent: 'consent',
  asked_at: 'askedAt',
  confirmed_at: 'confirmedAt',
  left_at: 'leftAt',
  refused_at: 'refusedAt',
  refusal: 'refusal',
} as const satisfies Record<string, keyof Line>;

export function subscribersCommand(program: Command): void {
  const subscribers = program.command('subscribers').description('manage email subscribers');
  const list = subscribers
    .command('list')
    .description('list all subscribers and the state of their subscriptions')
    .option(...TYPE);
  addAction(list, listSubscribers);
  const show = subscribers
    .command('show')
    .description('show everything stored about an address, with the words agreed to')
    .argument('<email>', 'the address');
  addAction(show, async (email: string) => {
    const stored = await readPerson(email);
    return { json: stored, text: describeStored(stored) };
  });
  subscribers
    .command('export')
    .description(
      'print the list as CSV, safe to open in a spreadsheet; with a type, in order of confirmation',
    )
    .option(...TYPE)
    .action(async ({ type }: { type?: SignupType }) => {
      const facts = Object.values(EXPORT_COLUMNS);
      const rows = (await readLines(type)).map((line) => facts.map((fact) => line[fact] ?? ''));
      process.stdout.write(formatCsv([Object.keys(EXPORT_COLUMNS), ...rows]));
    });
  const erase = subscribers
    .command('erase')
    .description('delete everything about an address')
    .argument('<email>', 'the address')
    .option('--dry-run', 'say what would be deleted; deletes nothing');
  addAction(erase, (email: string, options: { dryRun?: boolean }) =>
    options.dryRun ? previewErasure(email) : erasePerson(email),
  );
  const add = subscribers
    .command('add')
    .description('add a person whose written consent you hold')
    .argument('<email>', 'the address')
    .requiredOption('--confirmed', 'you have their consent and can prove it')
    .option('--type <type>', SIGNUP_TYPES.join(' or '), parseSignupType, 'weekly' as SignupType);
  addAction(add, addPerson);
  const stats = subscribers
    .command('stats')
    .description('count subscribers, and show the results of the last editions and delivery reports');
  addAction(stats, () =>
    withService(async ({ store, loaded }) => {
      const read = await store.listStats.read(EDITIONS_SHOWN);
      return { json: reportOf(read), text: describeStats(read, loaded.city.timeZone).join('\n') };
    }),
  );
}

async function listSubscribers({ type }: { type?: SignupType }): Promise<Report> {
  const lines = await readLines(type);
  const texts = lines.map(({ address, type: one, state, confirmedAt, askedAt, refusal }) => {
    const since = (confirmedAt ?? askedAt).slice(0, 10);
    const refused = refusal === null ? '' : `  (refused: ${refusal})`;
    return `${since}  ${one.padEnd(12)}  ${state.padEnd(9)}  ${address}${refused}`;
  });
  return {
    json: {
      subscribers: lines.map((line) =>
        Object.fromEntries(Object.entries(EXPORT_COLUMNS).map(([name, fact]) => [name, line[fact]])),
      ),
    },
    text: texts.join('\n') || 'no subscribers yet',
  };
}

async function previewErasure(email: string): Promise<Report> {
  const stored = await readPerson(email);
  const counts = Object.entries(stored).map(([name, rows]) => [name, rows.length] as const);
  const parts = counts.filter(([, count]) => count > 0).map(([name, count]) => `${nameOf(name)}: ${count}`);
  return {
    json: { erased: false, dry_run: true, rows: Object.fromEntries(counts) },
    text: `would be deleted: ${parts.join(', ')}; nothing was deleted`,
  };
}

async function erasePerson(email: string): Promise<Report> {
  const { identity } = requireAddress(email);
  return withService(async ({ store, now, config }) => {
    const person = await store.subscribers.find(identity);
    if (person === undefined || !(await store.subscribers.erase(person.subscriber, now())))
      throw new ShingleError('missing', 'no subscriber has this address');
    const copies = config.databaseUrl === undefined ? OLD_BACKUPS : OLD_DUMPS;
    return { json: { erased: true }, text: `erased; ${copies}` };
  });
}

async function addPerson(email: string, { type }: { type: SignupType }): Promise<Report> {
  const address = requireAddress(email);
  const added = await withService(({ store, loaded, now }) =>
    store.subscribers.addConfirmed({
      ...address,
      type,
      consent: makeConsent(type, loaded.city),
      at: now(),
    }),
  );
  return { json: { added }, text: `${added ? 'added' : 'already confirmed'}: ${address.address}` };
}

/** Reads everything stored about an address. Throws `missing` if nothing is stored. */
async function readPerson(email: string): Promise<StoredData> {
  const { identity } = requireAddress(email);
  const stored = await withService(({ store }) => store.subscribers.readStored(identity));
  if (stored === undefined) throw new ShingleError('missing', 'no subscriber has this address');
  return stored;
}

function describeStored(stored: StoredData): string {
  const paragraphs = Object.entries(stored).flatMap(([name, rows]) =>
    rows.map((row) => {
      const facts = Object.entries(row).filter(([, value]) => value !== null);
      return [nameOf(name), ...facts.map(([column, value]) => `  ${nameOf(column)}: ${value}`)].join('\n');
    }),
  );
  return paragraphs.join('\n');
}

function nameOf(column: string): string {
  return column.replaceAll('_', ' ');
}

/** Reads subscriptions. Sorts those of one type by confirmation, and all of them by first signup. */
async function readLines(type: SignupType | undefined): Promise<Line[]> {
  const people = await withService(({ store }) => store.subscribers.all());
  const lines = people.flatMap(({ address, refusedAt, refusal, subscriptions }) =>
    subscriptions.map((one) => ({
      ...{ address, refusedAt, refusal, ...one },
      state: findShownState(one, refusedAt),
    })),
  );
  if (type === undefined) return lines;
  const order = ({ confirmedAt, askedAt }: Line) => `${confirmedAt ?? '9'} ${askedAt}`;
  return lines.filter((line) => line.type === type).sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

function parseSignupType(text: string): SignupType {
  if (isSignupType(text)) return text;
  throw new ShingleError('usage', `the type must be ${SIGNUP_TYPES.join(' or ')}`);
}

function reportOf({ types, editions, announcements, reports }: ListStats) {
  const flatten = (all: readonly { progress: object }[]) =>
    toSnakeCase(all.map(({ progress, ...one }) => ({ ...one, ...progress })));
  const named = Object.entries(reports).map(([verdict, count]) => [verdict.replaceAll('-', '_'), count]);
  return {
    subscriptions: types,
    editions: flatten(editions),
    announcements: flatten(announcements),
    reports: Object.fromEntries(named),
  };
}

function describeStats({ types, editions, announcements, reports }: ListStats, timeZone: string): string[] {
  const counted = Object.entries(reports).map(
    ([verdict, count]) => `${count} ${verdict.replaceAll('-', ' ')}`,
  );
  return [
    ...Object.entries(types).map(
      ([type, { confirmed, pending, left, bounced }]) =>
        `${type.padEnd(12)}  ${confirmed} confirmed, ${pending} not confirmed, ${left} unsubscribed in the last 30 days, ${bounced} bounced`,
    ),
    ...editions.map(describeEdition),
    ...announcements.map(
      ({ type, subject, decidedAt, progress }) =>
        `"${subject}" to the ${type} on ${toLocalDay(timeZone, decidedAt)}: ${describeProgress(progress, null)}`,
    ),
    ...(counted.length === 0 ? [] : [`delivery reports: ${counted.join(', ')}`]),
  ];
}

function describeEdition({ edition, state, reason, progress, bounced }: EditionStats): string {
  if (state === 'skipped') return `edition of ${edition}: skipped (${reason})`;
  return `edition of ${edition}: ${describeProgress(progress, null)}${bounced === 0 ? '' : `, ${bounced} bounced`}`;
}

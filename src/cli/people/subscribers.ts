/** `shingle subscribers`: manages email subscribers. This is the only command that prints addresses. */

import type { Command } from 'commander';
import { formatCsv } from '../../data/csv-text.ts';
import { ShingleError } from '../../errors.ts';
import { makeConsent } from '../../subscribers/consent.ts';
import {
  findShownState,
  SIGNUP_TYPES,
  type SignupType,
  type Subscriber,
  type Subscription,
} from '../../subscribers/subscriber.ts';
import { JSON_OPTION, requireAddress, withService } from '../options.ts';
import { printJson, printLine } from '../terminal.ts';
import { addShowCommand, showErasure } from './stored-person.ts';
import { addStatsCommand } from './subscriber-stats.ts';

const TYPE = ['--type <type>', SIGNUP_TYPES.join(' or '), parseSignupType] as const;

type Line = Pick<Subscriber, 'address' | 'refusedAt' | 'refusal'> &
  Omit<Subscription, 'state'> & { state: ReturnType<typeof findShownState> };

const OLD_COPIES = {
  backups:
    'backups from before lose the address when they are restored; the daily ones are deleted after 7 days',
  dumps: 'dumps of the database from before contain the address until you delete them',
};

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
  addListCommand(subscribers);
  addShowCommand(subscribers);
  addExportCommand(subscribers);
  addEraseCommand(subscribers);
  addAddCommand(subscribers);
  addStatsCommand(subscribers);
}

function addListCommand(subscribers: Command): void {
  subscribers
    .command('list')
    .description('list all subscribers and the state of their subscriptions')
    .option(...TYPE)
    .option(...JSON_OPTION)
    .action(async (options: { type?: SignupType; json?: boolean }) => {
      const lines = await linesOf(options.type);
      if (options.json) printJson({ subscribers: lines.map(jsonLine) });
      else if (lines.length === 0) printLine('no subscribers yet');
      else for (const line of lines) printLine(textLine(line));
    });
}

function addExportCommand(subscribers: Command): void {
  subscribers
    .command('export')
    .description(
      'print the list as CSV, safe to open in a spreadsheet; with a type, in order of confirmation',
    )
    .option(...TYPE)
    .action(async (options: { type?: SignupType }) => {
      const lines = await linesOf(options.type);
      process.stdout.write(csvOf(lines));
    });
}

function addEraseCommand(subscribers: Command): void {
  subscribers
    .command('erase')
    .description('delete everything about an address')
    .argument('<email>', 'the address')
    .option('--dry-run', 'say what would be deleted; deletes nothing')
    .option(...JSON_OPTION)
    .action(async (text: string, options: { dryRun?: boolean; json?: boolean }) => {
      const { identity } = requireAddress(text);
      if (options.dryRun) return showErasure(identity, options.json === true);
      const { isErased, copies } = await withService(async ({ store, now, config }) => {
        const person = await store.subscribers.find(identity);
        const isErased = person !== undefined && (await store.subscribers.erase(person.subscriber, now()));
        return { isErased, copies: config.databaseUrl === undefined ? 'backups' : 'dumps' } as const;
      });
      if (!isErased) throw new ShingleError('missing', 'no subscriber has this address');
      if (options.json) printJson({ erased: true });
      else printLine(`erased; ${OLD_COPIES[copies]}`);
    });
}

function addAddCommand(subscribers: Command): void {
  subscribers
    .command('add')
    .description('add a person whose written consent you hold')
    .argument('<email>', 'the address')
    .requiredOption('--confirmed', 'you have their consent and can prove it')
    .option('--type <type>', SIGNUP_TYPES.join(' or '), parseSignupType, 'weekly' as SignupType)
    .option(...JSON_OPTION)
    .action(async (text: string, options: { type: SignupType; json?: boolean }) => {
      const address = requireAddress(text);
      const added = await withService(({ store, loaded, now }) =>
        store.subscribers.addConfirmed({
          ...address,
          type: options.type,
          consent: makeConsent(options.type, loaded.city),
          at: now(),
        }),
      );
      if (options.json) printJson({ added });
      else printLine(added ? `added: ${address.address}` : `already confirmed: ${address.address}`);
    });
}

/** One line for each subscription: of one type in order of confirmation, otherwise in order of the first signup. */
async function linesOf(type: SignupType | undefined): Promise<Line[]> {
  const people = await withService(({ store }) => store.subscribers.all());
  const lines = people.flatMap((person) => linesFor(person));
  if (type === undefined) return lines;
  const order = ({ confirmedAt, askedAt }: Line) => `${confirmedAt ?? '9'} ${askedAt}`;
  return lines.filter((line) => line.type === type).sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

function linesFor({ address, refusedAt, refusal, subscriptions }: Subscriber): Line[] {
  return subscriptions.map((one) => ({
    address,
    refusedAt,
    refusal,
    ...one,
    state: findShownState(one, refusedAt),
  }));
}

function textLine({ address, type, state, confirmedAt, askedAt, refusal }: Line): string {
  const since = (confirmedAt ?? askedAt).slice(0, 10);
  return `${since}  ${type.padEnd(12)}  ${state.padEnd(9)}  ${address}${refusal === null ? '' : `  (refused: ${refusal})`}`;
}

function jsonLine(line: Line) {
  return Object.fromEntries(Object.entries(EXPORT_COLUMNS).map(([name, fact]) => [name, line[fact]]));
}

function csvOf(lines: readonly Line[]): string {
  const rows = lines.map((line) => Object.values(EXPORT_COLUMNS).map((fact) => line[fact] ?? ''));
  return formatCsv([Object.keys(EXPORT_COLUMNS), ...rows]);
}

function parseSignupType(text: string): SignupType {
  const type = SIGNUP_TYPES.find((known) => known === text);
  if (type === undefined) throw new ShingleError('usage', `the type must be ${SIGNUP_TYPES.join(' or ')}`);
  return type;
}

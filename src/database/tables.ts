/** Every table that a move copies, in an order in which each refers only to earlier ones. Changes nothing. */

export type StoredTable = {
  name: string;
  columns: readonly string[];
  /** The key of its rows; `staged` has none, and is ordered by all its columns. */
  key: readonly string[];
  /** Has a single row that exists from the start and is replaced. */
  isOneRow?: true;
};

export const TABLES: readonly StoredTable[] = [
  {
    name: 'run',
    columns: [
      ...['run', 'source', 'state', 'baseline', 'snapshot', 'command', 'place', 'content', 'profile'],
      ...['started_at', 'ended_at', 'detail', 'read', 'openings', 'updates', 'skipped', 'rejected', 'added'],
      ...['changed', 'unchanged', 'folded', 'withdrawn', 'updated', 'mark', 'shape', 'findings'],
    ],
    key: ['run'],
  },
  {
    name: 'staged',
    columns: [
      ...['run', 'key', 'kind', 'name', 'category', 'neighborhood', 'status', 'filed_on', 'term_on'],
      'expires_on',
    ],
    key: [],
  },
  {
    name: 'listing',
    columns: [
      ...['source', 'key', 'name', 'category', 'neighborhood', 'status', 'filed_on', 'expires_on', 'run'],
      'absent_since',
    ],
    key: ['source', 'key'],
  },
  { name: 'suppression', columns: ['value', 'reason', 'added_at'], key: ['value'] },
  { name: 'outline', columns: ['one', 'drawing'], key: ['one'] },
  { name: 'catalogue', columns: ['one', 'version'], key: ['one'], isOneRow: true },
  {
    name: 'subscriber',
    columns: ['subscriber', 'identity', 'address', 'throttle', 'asked_at', 'refused_at', 'refusal'],
    key: ['subscriber'],
  },
  { name: 'consent', columns: ['version', 'words', 'first_used_at'], key: ['version'] },
  {
    name: 'subscription',
    columns: [
      ...['subscriber', 'type', 'state', 'source', 'consent', 'asked_at', 'confirmed_at', 'left_at'],
      'preferences',
    ],
    key: ['subscriber', 'type'],
  },
  {
    name: 'token',
    columns: ['hash', 'subscriber', 'purpose', 'type', 'made_at', 'expires_at', 'preferences'],
    key: ['hash'],
  },
  {
    name: 'edition',
    columns: ['edition', 'state', 'reason', 'decided_at', 'content', 'finished_at'],
    key: ['edition'],
  },
  { name: 'edition_run', columns: ['run', 'edition'], key: ['run'] },
  { name: 'announcement', columns: ['type', 'subject', 'words', 'decided_at'], key: ['type'] },
  { name: 'announced', columns: ['type', 'subscriber', 'announced_at'], key: ['type', 'subscriber'] },
  {
    name: 'message',
    columns: [
      ...['message', 'subscriber', 'kind', 'urgency', 'type', 'edition', 'state', 'made_at', 'next_at'],
      ...[
        'expires_at',
        'attempts',
        'doubts',
        'tried_at',
        'ended_at',
        'outcome',
        'mailbox',
        'domain',
        'client',
      ],
      ...['turn', 'preferences', 'announcement'],
    ],
    key: ['message'],
  },
  {
    name: 'bounce',
    columns: ['message', 'subscriber', 'made_at', 'reported_at', 'status', 'in_a_row'],
    key: ['message'],
  },
  { name: 'return_path_key', columns: ['one', 'key'], key: ['one'] },
  { name: 'report_tally', columns: ['verdict', 'reports'], key: ['verdict'] },
  {
    name: 'concern',
    columns: ['concern', 'kind', 'sentence', 'since', 'told_at', 'resolved_at'],
    key: ['concern'],
  },
  {
    name: 'alert',
    columns: [
      ...['one', 'message', 'state', 'made_at', 'attempts', 'doubts', 'ended_at', 'next_at', 'outcome'],
    ],
    key: ['one'],
  },
  {
    name: 'outbox',
    columns: ['one', 'paused_until', 'trouble', 'failures', 'copied', 'restored_at'],
    key: ['one'],
    isOneRow: true,
  },
];

/** Tables that a move neither copies nor reads. Only instances of the previous version write to the budgets; instances of the old place are not of the new. */
export const STAYING: readonly string[] = ['migration', 'budget', 'budget_seed', 'instance'];

/** The same row order on every engine: they differ in where they sort null. */
export function selectStatement({ name, columns, key }: StoredTable): string {
  const order = key.length > 0 ? key : columns.flatMap((column) => [`${column} is null`, column]);
  return `select ${columns.join(', ')} from ${name} order by ${order.join(', ')}`;
}

export function insertStatement({ name, columns }: StoredTable): string {
  return `insert into ${name} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`;
}

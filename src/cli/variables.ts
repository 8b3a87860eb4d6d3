/** The environment variables in words, for `--help`, `shingle config` and docs/configuration.md, and what is said of misspelled ones. */

import { takeUnknownVariables } from '../config.ts';
import { countEdits } from '../listings/edits.ts';

const MOST_EDITS = 4; // two letters swapped are two

export type Variable = {
  /** One, or two that belong together, separated by a comma. */
  names: string;
  meaning: string;
  /** What holds if it is not set. */
  standard?: string;
  /** What docs/configuration.md adds, as Markdown. */
  more?: string;
  isSecret?: true;
};

export const VARIABLES: readonly Variable[] = [
  {
    names: 'SHINGLE_CITY',
    meaning: 'the city: a path of a `city.yaml` or `city.ts`, or the name of a city that comes with Shingle',
    standard: '`./city.yaml` or `./city.ts` if the current folder has one, else `sample`',
  },
  {
    names: 'SHINGLE_DATA',
    meaning: 'the data folder',
    standard: '`./data`',
    more: 'It holds the database, its backups, and emails as files if there is no `SMTP_URL`.',
  },
  { names: 'HOST, PORT', meaning: 'where to listen', standard: '`127.0.0.1`, `3000`' },
  {
    names: 'PUBLIC_URL',
    meaning: 'the public address, for links on pages and in emails',
    standard: '`http://HOST:PORT`',
    more: 'Only its pages may post to `/signup`, `/api/signup` and `/mcp`: if it is not set, only pages of this machine may, and others get 403.',
  },
  {
    names: 'OPERATOR_NAME',
    meaning: 'who runs the service',
    standard: 'the one of the city',
    more: 'While placeholders are left in the city, Shingle refuses to send mail or to serve in public (78).',
  },
  {
    names: 'OPERATOR_CONTACT',
    meaning: 'where people ask for the removal of a listing',
    standard: 'the one of the city',
  },
  {
    names: 'SMTP_URL',
    meaning: 'the mail server',
    standard: 'emails are files',
    more: '`smtp://USER:PASSWORD@HOST:587` (STARTTLS) or `smtps://...:465`: see [Email](email.md).',
    isSecret: true,
  },
  {
    names: 'MAIL_FROM',
    meaning: 'the sender of emails',
    more: 'Such as `Openings <news@example.org>`. Required with `SMTP_URL`, and so is a public `PUBLIC_URL`.',
  },
  {
    names: 'MAIL_POSTAL_ADDRESS',
    meaning: 'the postal address at the end of every email',
    more: 'Required with `SMTP_URL`.',
  },
  {
    names: 'MAIL_BOUNCES',
    meaning: 'where delivery reports go',
    standard: 'to `MAIL_FROM`',
    more: 'Such as `bounces@example.org`, at most 22 characters before the `@`: see [Delivery reports](delivery-reports.md).',
  },
  {
    names: 'ALERT_EMAIL',
    meaning: 'your address: gets what needs your attention, at most once in 24 hours',
    standard: 'no alerts',
  },
  {
    names: 'TRUST_PROXY',
    meaning: 'the networks of your reverse proxies (CIDR), separated by commas',
    standard: 'none',
    more: 'Only their `X-Forwarded-For` is trusted: see [Reverse proxy](reverse-proxy.md).',
  },
  {
    names: 'DATABASE_URL',
    meaning: 'a PostgreSQL database, for several instances',
    standard: 'SQLite in `SHINGLE_DATA`',
    more: '`postgres://USER:PASSWORD@HOST:PORT/NAME`; list standbys as `HOST:PORT,HOST:PORT`: see [Several instances](instances.md).',
    isSecret: true,
  },
  {
    names: 'SHINGLE_INSTANCES',
    meaning: 'the number of instances, if requests are spread at random: rate limits are divided by it',
    standard: '`1`',
  },
  {
    names: 'EMBED',
    meaning: '`on` lets other sites show the listings of a search in a frame, at `/embed`',
    standard: '`off`: `/embed` is 404',
    more: 'A search then offers the HTML for it: see [the API](api.md#get-embed).',
  },
  {
    names: 'METRICS_PORT',
    meaning: 'the port of Prometheus metrics on the loopback interface',
    standard: 'no metrics',
  },
  {
    names: 'SOCRATA_APP_TOKEN',
    meaning: 'an app token for Socrata portals, which allow more requests with one',
    standard: 'none',
    isSecret: true,
  },
  {
    names: 'MIN_FREE_BYTES',
    meaning: 'the free disk space below which signups and ingest are refused',
    standard: '`67108864` (64 MiB)',
  },
  {
    names: 'INGEST_MEMORY_MB',
    meaning: 'memory in MiB for what ingest, check and init read',
    standard: '`512`',
    more: 'A process that needs more is ended, and its run fails.',
  },
  {
    names: 'INGEST_TIMEOUT_MINUTES',
    meaning: 'the longest time for ingest, check and init',
    standard: '`90`',
  },
  {
    names: 'SHINGLE_LIMITS',
    meaning: '`off` disables rate limits, for benchmarks and tests only',
    standard: '`on`',
  },
];

/** The section of the help, with a line for each variable. */
export function formatVariables(): string {
  const width = Math.max(...VARIABLES.map(({ names }) => names.length));
  const lines = VARIABLES.map(({ names, meaning, standard }) => {
    const text = standard === undefined ? meaning : `${meaning} (default: ${standard})`;
    return `  ${names.padEnd(width)}  ${text.replaceAll('`', '')}`;
  });
  return `\nEnvironment variables, also read from a file .env in the current folder:\n${lines.join('\n')}\n`;
}

/** A sentence for each name in the environment that looks like ours and is not. */
export function describeUnknownVariables(env?: NodeJS.ProcessEnv): string[] {
  const known = VARIABLES.flatMap(({ names }) => names.split(', '));
  return takeUnknownVariables(known, env).map((name) => {
    const edits = (other: string) => countEdits(name, other);
    const [nearest = ''] = known.toSorted((a, b) => edits(a) - edits(b));
    const hint = edits(nearest) > MOST_EDITS ? '' : `. Did you mean ${nearest}?`;
    return `${name} is not a variable of Shingle and is ignored${hint}`;
  });
}

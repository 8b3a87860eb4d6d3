/** What `--help` says of the environment variables, and of misspelled ones. docs/operating.md explains them in full; a test compares both with `config.ts`. */

import { takeUnknownVariables } from '../config.ts';
import { countEdits } from '../listings/edits.ts';

const MOST_EDITS = 4; // two letters swapped are two

const VARIABLES: [names: string, meaning: string][] = [
  [
    'SHINGLE_CITY',
    'the city: a path of a city.yaml or city.ts, or the name of a city that comes with Shingle',
  ],
  ['SHINGLE_DATA', 'the data folder (default: ./data)'],
  ['HOST, PORT', 'where to listen (default: 127.0.0.1, 3000)'],
  ['PUBLIC_URL', 'the public address, for links on pages and in emails'],
  ['OPERATOR_NAME', 'who runs the service'],
  ['OPERATOR_CONTACT', 'where people ask for the removal of a listing'],
  ['SMTP_URL', 'the mail server (default: emails are files)'],
  ['MAIL_FROM', 'the sender of emails'],
  ['ALERT_EMAIL', 'where you are told what needs your attention, at most once a day'],
  ['MAIL_POSTAL_ADDRESS', 'the postal address at the end of every email'],
  ['MAIL_BOUNCES', 'where delivery reports go (default: to MAIL_FROM)'],
  ['TRUST_PROXY', 'the networks of your reverse proxies'],
  ['DATABASE_URL', 'a PostgreSQL database, for several instances'],
  ['SHINGLE_INSTANCES', 'the number of instances, if requests are spread at random'],
  ['METRICS_PORT', 'the port of Prometheus metrics on the loopback interface'],
  ['SOCRATA_APP_TOKEN', 'an app token for Socrata portals'],
  ['MIN_FREE_BYTES', 'the free disk space below which signups and ingest are refused'],
  ['INGEST_MEMORY_MB', 'memory for what ingest, check and init read'],
  ['INGEST_TIMEOUT_MINUTES', 'the longest time for ingest, check and init'],
  ['SHINGLE_LIMITS', '"off" disables rate limits, for benchmarks and tests only'],
];

/** The section of the help, with a line for each variable. */
export function formatVariables(): string {
  const width = Math.max(...VARIABLES.map(([names]) => names.length));
  const lines = VARIABLES.map(([names, meaning]) => `  ${names.padEnd(width)}  ${meaning}`);
  return `\nEnvironment variables, also read from a file .env in the current folder:\n${lines.join('\n')}\n`;
}

/** A sentence for each name in the environment that looks like ours and is not. */
export function describeUnknownVariables(env?: NodeJS.ProcessEnv): string[] {
  const known = VARIABLES.flatMap(([names]) => names.split(', '));
  return takeUnknownVariables(known, env).map((name) => {
    const edits = (other: string) => countEdits(name, other);
    const [nearest = ''] = known.toSorted((a, b) => edits(a) - edits(b));
    const hint = edits(nearest) > MOST_EDITS ? '' : `. Did you mean ${nearest}?`;
    return `${name} is not a variable of Shingle and is ignored${hint}`;
  });
}

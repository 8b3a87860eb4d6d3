/** Reads lists of email domains from `src/data/mail-providers.csv`. */

import { openWordLists } from '../text/word-table.ts';

const lists = openWordLists('mail-providers.csv');

/** Domains of large mail providers, the default of `limits.recipientDomain.providers`. */
export const MAIL_PROVIDERS: readonly string[] = [...lists('provider').keys()];

/** The main domain of each alternative domain of a provider. Both reach the same mailboxes. */
export const DOMAIN_ALIASES: ReadonlyMap<string, string> = lists('alias');

/** Second-level domains under which a registry sells names, such as `co.uk`. */
export const REGISTRY_LABELS: ReadonlyMap<string, string> = lists('registry');

/** Labels below a US state under which many owners have names, such as `k12` in `school.k12.ca.us`. */
export const STATE_LABELS: ReadonlyMap<string, string> = lists('state');

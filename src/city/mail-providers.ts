/** Reads lists of email domains from `src/data/mail-providers.csv`. */

import { openWordLists } from '../data/word-table.ts';

const lists = openWordLists('mail-providers.csv');

/** Large mail providers, the default of `limits.recipientDomain.providers`. */
export const MAIL_PROVIDERS: readonly string[] = [...lists('provider').keys()];

/** Alternative domains of a provider, which reach the same mailboxes, with the provider's main domain. */
export const DOMAIN_ALIASES: ReadonlyMap<string, string> = lists('alias');

/** Labels below a country under which a registry sells names, such as `co.uk`. */
export const REGISTRY_LABELS: ReadonlyMap<string, string> = lists('registry');

/** Labels that many owners share below a state, the second label of `.us`, as in `school.k12.ca.us`. */
export const STATE_LABELS: ReadonlyMap<string, string> = lists('state');

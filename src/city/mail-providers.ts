/** Large mail providers, for `limits.recipientDomain.providers`: `src/data/mail-providers.csv`. */

import { openWordLists } from '../data/word-table.ts';

export const MAIL_PROVIDERS: readonly string[] = [...openWordLists('mail-providers.csv')('provider').keys()];

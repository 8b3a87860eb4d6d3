/** Large mail providers (`src/data/mail-providers.csv`), the default of `limits.recipientDomain.providers`. */

import { openWordLists } from '../data/word-table.ts';

export const MAIL_PROVIDERS: readonly string[] = [...openWordLists('mail-providers.csv')('provider').keys()];

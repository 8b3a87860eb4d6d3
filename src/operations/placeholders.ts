/** A city that is still a draft may be tried out, but not shown or sent to strangers: it does not say who runs it and where its data is from. */

import { describePlaceholderFix, findPlaceholders } from '../city/placeholders.ts';
import { type Config, isLoopback } from '../config.ts';
import { ShingleError } from '../errors.ts';
import type { Service } from './service.ts';

/** Throws `refused` where mail is sent, or the address is public, while the profile has placeholders. */
export function refusePlaceholders({ config, loaded }: Pick<Service, 'config' | 'loaded'>): void {
  const fields = findPlaceholders(loaded.city);
  const why = describePublicity(config);
  if (fields.length === 0 || why === undefined) return;
  const fix = describePlaceholderFix(fields, loaded.path);
  throw new ShingleError('refused', `${why}, but the city is still a draft. First ${fix}`);
}

/** Why strangers see this service, in a clause; nothing if they do not. */
function describePublicity({ mail, publicUrl, host }: Config): string | undefined {
  if (mail.smtp !== undefined) return 'SMTP_URL is set';
  if (publicUrl !== undefined)
    return isLoopback(new URL(publicUrl).hostname) ? undefined : 'PUBLIC_URL is a public address';
  return isLoopback(host) ? undefined : 'HOST lets other machines in';
}

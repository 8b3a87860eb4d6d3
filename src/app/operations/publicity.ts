/** Tells whether strangers can see a service, and what they must not see. */

import { type Config, isLoopback } from '../../config.ts';
import { findMailFolder } from '../../service/mail/mail-files.ts';
import { describePlaceholderFix, findPlaceholders } from '../../shared/city/placeholders.ts';
import { ShingleError } from '../../shared/errors.ts';
import type { Service } from './service.ts';

/** Throws `refused` if strangers can see a draft that does not say who runs it or where its data is from. */
export function refusePlaceholders({ config, loaded }: Pick<Service, 'config' | 'loaded'>): void {
  const fields = findPlaceholders(loaded.city);
  const why = describePublicity(config);
  if (fields.length === 0 || why === undefined) return;
  const fix = describePlaceholderFix(fields, loaded.path);
  throw new ShingleError('refused', `${why}, but the city is still a draft. First ${fix}`);
}

/** Returns the folder of emails, if they are files and only this machine can open the pages. */
export function findOpenMailFolder(config: Config): string | undefined {
  return describePublicity(config) === undefined ? findMailFolder(config.dataFolder) : undefined;
}

/** Returns a clause that says why strangers can see this service, or `undefined` if they cannot. */
function describePublicity({ mail, publicUrl, host }: Config): string | undefined {
  if (mail.smtp !== undefined) return 'SMTP_URL is set';
  if (publicUrl !== undefined)
    return isLoopback(new URL(publicUrl).hostname) ? undefined : 'PUBLIC_URL is a public address';
  return isLoopback(host) ? undefined : 'HOST lets other machines in';
}

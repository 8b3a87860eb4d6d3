/** A city that is still a draft may be tried out, but not sent to strangers: nobody could ask for a removal. */

import { findPlaceholders } from '../city/define.ts';
import { ShingleError } from '../errors.ts';
import type { Service } from './service.ts';

/** Throws `refused` where mail is sent, or the address is public, while the profile says nothing of its operator. */
export function refusePlaceholders({ config, loaded }: Pick<Service, 'config' | 'loaded'>): void {
  const fields = findPlaceholders(loaded.city);
  if (fields.length === 0) return;
  const isPublic = config.publicUrl !== undefined && !isLoopback(new URL(config.publicUrl).hostname);
  if (!isPublic && config.mail.smtp === undefined) return;
  const why = config.mail.smtp === undefined ? 'PUBLIC_URL is a public address' : 'SMTP_URL is set';
  throw new ShingleError(
    'refused',
    `${why}, but the profile still has placeholders. Fill in ${fields.join(', ')} in the profile${hintVariables(fields)}`,
  );
}

function hintVariables(fields: readonly string[]): string {
  const isOperator = fields.some((field) => field.startsWith('operator.'));
  return isOperator ? ', or set OPERATOR_NAME and OPERATOR_CONTACT for the operator' : '';
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/**
 * Which domain a confirmation counts against. A domain's owner can take mail under any number of subdomains, so all of them
 * count as one. Where a registry sells names under a second label (`co.uk`), the third label belongs to the owner. These
 * labels are listed here rather than taken from the Public Suffix List, which would be one more package to keep current. An
 * unlisted one makes strangers share a limit: their mail waits, and nobody gets more of it.
 */

import type { RecipientDomainLimits } from '../city/define.ts';
import { MAIL_PROVIDERS } from '../city/mail-providers.ts';

export const RECIPIENT_DOMAIN_DEFAULTS: RecipientDomainLimits = {
  hour: 10,
  day: 30,
  providers: MAIL_PROVIDERS,
};

/** Names of one provider that lead to the same mailboxes. */
const ALIASES: Readonly<Record<string, string>> = {
  'googlemail.com': 'gmail.com',
  ...{ 'me.com': 'icloud.com', 'mac.com': 'icloud.com' },
  ...{ 'protonmail.com': 'proton.me', 'pm.me': 'proton.me' },
  ...{ 'yandex.ru': 'yandex.com', 'ya.ru': 'yandex.com' },
};

const REGISTRY_LABELS = new Set(
  [
    'ac asn co com edu fed firm gen go gob gouv gov gv id in int k12 ltd me mil ne net nhs nic nom',
    'or org plc police priv pro res sch school tm web',
  ].flatMap((line) => line.split(' ')),
);
/** The second labels of `.us` are states. Below them these labels are for many owners too: `school.k12.ca.us`. */
const STATE_LABELS = new Set(['cc', 'k12', 'lib']);

/** The name under which mailboxes of this domain are one, whichever alias somebody typed. */
export function foldDomain(domain: string): string {
  return Object.hasOwn(ALIASES, domain) ? ALIASES[domain]! : domain;
}

/** The domain whose limits hold for this address; `undefined` for one of a large provider. */
export function findRecipientDomain(
  address: string,
  { providers }: Pick<RecipientDomainLimits, 'providers'>,
): string | undefined {
  const domain = foldDomain(address.slice(address.lastIndexOf('@') + 1));
  if (providers.some((provider) => foldDomain(provider) === domain)) return undefined;
  const labels = domain.split('.');
  return labels.slice(-countOwnedLabels(labels)).join('.');
}

/** How many labels, from the right, name what one owner holds. */
function countOwnedLabels(labels: readonly string[]): number {
  const [third = '', second = '', top = ''] = labels.slice(-3);
  if (labels.length < 3) return 2;
  if (top === 'us' && second.length === 2) return STATE_LABELS.has(third) ? 4 : 3;
  return top.length === 2 && REGISTRY_LABELS.has(second) ? 3 : 2;
}

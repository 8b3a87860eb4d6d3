/** Parses email addresses. Identifies the person, the mailbox, and the domain whose limits apply. */

import { domainToASCII } from 'node:url';
import type { RecipientDomainLimits } from '../../shared/city/city-facts.ts';
import {
  DOMAIN_ALIASES,
  MAIL_PROVIDERS,
  REGISTRY_LABELS,
  STATE_LABELS,
} from '../../shared/city/mail-providers.ts';

export type Address = {
  /** The address to send to: the local part as typed, the domain as an A-label in lower case. */
  address: string;
  /** Identifies the person: the same for all spellings of an address. Keeps dots and plus tags. */
  identity: string;
  /** The mailbox, only for limits. Omits plus tags, dots, hyphens and underscores: many providers ignore them. */
  mailbox: string;
};

const LONGEST = 254; // RFC 5321 4.5.3.1.3, less the angle brackets (RFC 3696 erratum 1690)
const LONGEST_LOCAL = 64; // RFC 5321 4.5.3.1.1
const LONGEST_LABEL = 63; // RFC 1035 2.3.4
// dot-atom of RFC 5322 3.2.3
const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;
const NOT_IN_DOMAINS = /[\x00-\x2c\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]/;

/**
 * Parses a typed address, ignoring outer white space. Returns `undefined` for anything else, and for addresses that not
 * every server accepts: quoted or non-ASCII local parts (RFC 6531) and IP literals.
 */
export function parseAddress(text: string): Address | undefined {
  if (text.length > 2 * LONGEST) return undefined;
  const typed = text.trim();
  const at = typed.lastIndexOf('@');
  const local = typed.slice(0, Math.max(0, at));
  const domain = domainOf(typed.slice(at + 1));
  if (at === -1 || domain === undefined || local.length > LONGEST_LOCAL || !LOCAL.test(local))
    return undefined;
  const address = `${local}@${domain}`;
  if (address.length > LONGEST) return undefined;
  const lower = local.toLowerCase();
  const mailbox = lower.split('+', 1)[0]!.replaceAll(/[._-]/g, '') || lower;
  return { address, identity: `${lower}@${domain}`, mailbox: `${mailbox}@${foldDomain(domain)}` };
}

/** Returns a domain as A-labels in lower case, or `undefined` if it is not a host name with at least two labels. */
function domainOf(text: string): string | undefined {
  if (text === '' || NOT_IN_DOMAINS.test(text)) return undefined;
  const ascii = domainToASCII(text);
  const labels = ascii.split('.');
  const isName =
    labels.length > 1 && labels.every((label) => label.length <= LONGEST_LABEL && LABEL.test(label));
  return isName && /[a-z]/.test(labels.at(-1)!) ? ascii : undefined;
}

export const RECIPIENT_DOMAIN_DEFAULTS: RecipientDomainLimits = {
  hour: 10,
  day: 30,
  providers: MAIL_PROVIDERS,
};

function foldDomain(domain: string): string {
  return DOMAIN_ALIASES.get(domain) ?? domain;
}

/**
 * Returns the domain whose limits apply to this address, or `undefined` at a large provider. The owner of a domain can
 * receive mail under any number of subdomains, so all of them count as one. If a registry sells names under a second
 * label (`co.uk`), the third label belongs to the owner. `REGISTRY_LABELS` lists these labels instead of the Public
 * Suffix List, a package that would need updates. If the list lacks a label, unrelated domains share a limit, which
 * only delays their mail.
 */
export function findRecipientDomain(
  address: string,
  { providers }: Pick<RecipientDomainLimits, 'providers'>,
): string | undefined {
  const domain = foldDomain(address.slice(address.lastIndexOf('@') + 1));
  if (providers.some((provider) => foldDomain(provider) === domain)) return undefined;
  const labels = domain.split('.');
  return labels.slice(-countOwnedLabels(labels)).join('.');
}

/** Counts the labels at the end of a domain that identify its owner. */
function countOwnedLabels(labels: readonly string[]): number {
  const [third = '', second = '', top = ''] = labels.slice(-3);
  if (labels.length < 3) return 2;
  if (top === 'us' && second.length === 2) return STATE_LABELS.has(third) ? 4 : 3;
  return top.length === 2 && REGISTRY_LABELS.has(second) ? 3 : 2;
}

/** What an email address is to us: who it is, where mail for it goes, and what folds to the same mailbox. Pure text. */

import { domainToASCII } from 'node:url';
import { foldDomain } from './recipient-domain.ts';

export type Address = {
  /** Where mail goes: the local part as typed, the domain as an A-label in lower case. */
  address: string;
  /** Who it is: the same for every spelling of one address. Dots and plus tags are kept. */
  identity: string;
  /**
   * Folded further, for limits only: without plus tag, dots, hyphens and underscores, which large providers ignore. So nobody
   * can flood one mailbox under many spellings.
   */
  throttle: string;
};

const LONGEST = 254; // RFC 5321 4.5.3.1.3, less the angle brackets (RFC 3696 erratum 1690)
const LONGEST_LOCAL = 64; // RFC 5321 4.5.3.1.1
const LONGEST_LABEL = 63; // RFC 1035 2.3.4
const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/; // dot-atom of RFC 5322 3.2.3
const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;
const NOT_IN_DOMAINS = /[\x00-\x2c\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]/;

/**
 * Reads an address as a person types it; outer white space does not count. `undefined` for what cannot be one, and for what
 * cannot be delivered everywhere: quoted local parts, non-ASCII ones (RFC 6531 needs every server on the way), IP literals.
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
  return { address, identity: `${lower}@${domain}`, throttle: `${mailbox}@${foldDomain(domain)}` };
}

/** A host name with at least two labels, as A-labels in lower case. */
function domainOf(text: string): string | undefined {
  if (text === '' || NOT_IN_DOMAINS.test(text)) return undefined;
  const ascii = domainToASCII(text);
  const labels = ascii.split('.');
  const isName =
    labels.length > 1 && labels.every((label) => label.length <= LONGEST_LABEL && LABEL.test(label));
  return isName && /[a-z]/.test(labels.at(-1)!) ? ascii : undefined;
}

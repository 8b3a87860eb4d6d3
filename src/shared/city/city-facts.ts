/** What is known about a city besides how its registers are read: all that the service and the pages may know of a profile. */

import type { PageWords } from './page-words.ts';

export const WEEKDAYS = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

/** What happens to an edition that nobody has approved 24 hours after it was due. */
export const UNAPPROVED = ['send', 'skip'] as const;

/** When the weekly email is sent: a weekday and a local time, such as `08:00`. With `approval`, the operator approves it first. */
export type Weekly = {
  weekday: (typeof WEEKDAYS)[number];
  time: string;
  approval?: boolean | undefined;
  unapproved?: (typeof UNAPPROVED)[number] | undefined;
};

/** How many emails the addresses of one mail domain may cause, by hour and day. `providers` have many people each. */
export type RecipientDomainLimits = { hour: number; day: number; providers: readonly string[] };

/** The limits of clients (docs/city-yaml.md). */
export type Limits = {
  burst: number;
  rows: number;
  signup: number;
  connections: number;
  confirmations: number;
  trusted: readonly string[];
  recipientDomain: Partial<RecipientDomainLimits>;
};

/** A register as the public knows it, and how often and how far it is trusted. */
export type SourceFacts = {
  id: string;
  publisher: string;
  homepage: string;
  license: string;
  terms?: string | undefined;
  notice?: string | undefined;
  /** Whether each file has all filings, or those that changed. */
  delivers: 'snapshot' | 'changes';
  everyHours?: number | undefined;
  newForDays?: number | undefined;
  freshForHours?: number | undefined;
  /** The share of rows (0 to 1) that may be rejected before a run is held. */
  rejectedShare?: number | undefined;
  /** Whether it was tried on the publisher's data, or only written from documentation. */
  checked: 'live' | 'documentation';
  /** Set for a register of a `city.yaml`, which lists its sources as `registers`. */
  mapping?: object | undefined;
  /** The pack of a state that it follows. */
  pack?: string | undefined;
};

export type CityFacts = {
  name: string;
  region: string;
  timeZone: string;
  language?: string | undefined;
  accent?: string | undefined;
  /** Other names of neighborhoods, which searches understand. */
  alsoCalled?: Readonly<Record<string, readonly string[]>> | undefined;
  /** The address of a search engine, with `{words}` in place of the words. */
  webSearch?: string | undefined;
  /** Texts of pages and emails that replace the shipped ones. */
  words?: Partial<PageWords> | undefined;
  /** The last day of the data of a register that has ended. */
  asOf?: string | undefined;
  archive?: boolean | undefined;
  invented?: boolean | undefined;
  limits?: Partial<Limits> | undefined;
  weekly?: { readonly [Field in keyof Weekly]?: Weekly[Field] | undefined } | undefined;
  operator: { name: string; contact: string; answers?: string | undefined };
  sources: readonly SourceFacts[];
};

/** The placeholder for a missing operator. It is never published. */
export const UNNAMED_OPERATOR = { name: 'OPERATOR_NAME (not set)', contact: 'OPERATOR_CONTACT (not set)' };

/** Returns the link to a contact, or `undefined` if the contact is a sentence. */
export function formatContactLink(contact: string): string | undefined {
  if (/^[^\s@]+@[^\s@]+$/.test(contact)) return `mailto:${contact}`;
  return URL.canParse(contact) ? contact : undefined;
}

export function listHomepages({ sources }: CityFacts, separator = ' and '): string {
  return [...new Set(sources.map(({ homepage }) => homepage))].join(separator);
}

export function listPublishers({ sources }: CityFacts): string {
  return [...new Set(sources.map(({ publisher }) => publisher))].join(', ');
}

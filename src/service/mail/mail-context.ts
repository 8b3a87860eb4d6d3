/** Defines what mail needs: what it is written from, how it is sent, and its limits. */

import type { CityFacts } from '../../shared/city/city-facts.ts';
import type { Instant } from '../../shared/day.ts';
import type { Alone } from '../../shared/polling.ts';
import type { openListingStore } from '../runs/listing-store.ts';
import type { ConfirmationLimits } from '../subscribers/confirmations.ts';
import type { AnnouncementStore } from './announcement.ts';
import type { BounceStore } from './bounces/bounce-store.ts';
import type { BounceAddress } from './bounces/return-path.ts';
import type { EditionStore } from './editions/edition-store.ts';
import type { Claimed, OutboxStore } from './outbox-store.ts';
import type { MailTransport, Outgoing, Sender } from './smtp.ts';

export type MailContext = ConfirmationLimits & {
  city: CityFacts;
  store: {
    alone: Alone;
    outbox: OutboxStore;
    editions: EditionStore;
    announcements: AnnouncementStore;
    bounces: Pick<BounceStore, 'key'>;
    listings: Pick<ReturnType<typeof openListingStore>, 'suppressions' | 'latestFiling'>;
  };
  now(): Instant;
  transport: MailTransport;
  from: Sender;
  postalAddress: string | undefined;
  publicUrl: string;
  /** Where delivery reports go. By default, they go to the sender. */
  bounces?: BounceAddress | undefined;
};

/** Writes the email of a message. Returns `undefined` if the message has no content. */
export type EmailWriter = (
  claimed: Claimed,
) => Promise<Pick<Outgoing, 'subject' | 'html' | 'text' | 'headers'> | undefined>;

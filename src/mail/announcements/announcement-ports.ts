/** What announcements need kept; `storage` implements it. */

import type { Instant } from '../../listings/day.ts';
import type { EditionProgress, SignupType } from '../../subscribers/ports.ts';

/** The one email that everybody gets who signed up for a type that promises one. */
export type Announcement = {
  type: SignupType;
  subject: string;
  /** Markdown, as the operator wrote it. */
  words: string;
};

export type StoredAnnouncement = Announcement & { decidedAt: Instant };

export type AnnouncementStore = {
  find(type: SignupType): Promise<StoredAnnouncement | undefined>;
  /** How many confirmed people have not been sent the announcement of this type. */
  countRecipients(type: SignupType): Promise<number>;
  /**
   * Stores the announcement if it is the first of its type, and a message to everybody who has none yet, all at once. Answers how
   * many messages that makes. `other` is stored instead where it says something else; then nothing changes.
   */
  decide(
    announcement: StoredAnnouncement & { expiresAt: Instant },
  ): Promise<{ recipients: number; other?: StoredAnnouncement }>;
  progress(type: SignupType): Promise<EditionProgress>;
};

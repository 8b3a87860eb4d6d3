/** The states of a message to a subscriber, whether a confirmation, an edition or an announcement, and each step to another state. */

/** A message starts as `pending`, or as `canceled` if it is not due. The last five states are final. */
type MessageState = 'pending' | 'sending' | 'sent' | 'failed' | 'uncertain' | 'expired' | 'canceled';

/** `set`: what changes beside the state. */
type Step = { from: readonly MessageState[]; to: MessageState; set: string };

const ENDED = 'ended_at = ?, outcome = ?';
/** A message that was never tried no longer counts against its mailbox. */
const CANCELED = 'ended_at = ?, mailbox = case when attempts = 0 then null else mailbox end';

const STEPS = {
  /** It is due, and an attempt begins. */
  claim: { from: ['pending'], to: 'sending', set: 'tried_at = ?, attempts = attempts + 1' },
  /**
   * It is due, and its person no longer wants it. It counts against the limits of its domain as if it had been sent. Otherwise, the
   * timing of other mail would reveal who has unsubscribed.
   */
  pass: { from: ['pending'], to: 'canceled', set: 'ended_at = ?, tried_at = ?, attempts = attempts + 1' },
  /** Its person has confirmed or left, or too many confirmations wait for its domain. */
  cancel: { from: ['pending'], to: 'canceled', set: CANCELED },
  /** The database is a copy, and the lost one may have sent it. */
  restore: {
    from: ['pending', 'sending'],
    to: 'canceled',
    set: `${CANCELED}, outcome = 'restored from a copy'`,
  },
  /** It became too old before it was sent. */
  expire: { from: ['pending'], to: 'expired', set: "ended_at = ?, outcome = coalesce(outcome, 'too old')" },
  sent: { from: ['sending'], to: 'sent', set: ENDED },
  /** The server refused it. If it refused the mailbox, the subscriber gets no more mail (`refused_at`). */
  failed: { from: ['sending'], to: 'failed', set: ENDED },
  /** No attempt got a reply, and each may have arrived. */
  uncertain: { from: ['sending'], to: 'uncertain', set: ENDED },
  /** Its person left during the attempt, before it was sent. */
  canceled: { from: ['sending'], to: 'canceled', set: ENDED },
  /** The server asks for another attempt, or gave no reply. */
  retry: { from: ['sending'], to: 'pending', set: 'next_at = ?, outcome = ?, doubts = doubts + ?' },
  /** All mail pauses, so the attempt does not count. */
  release: { from: ['sending'], to: 'pending', set: 'attempts = attempts - 1' },
  /** The process of the attempt has ended, as those of earlier attempts have. */
  abandon: {
    from: ['sending'],
    to: 'uncertain',
    set: "doubts = doubts + 1, next_at = ?, ended_at = ?, outcome = 'interrupted'",
  },
  /** The process of the attempt has ended. */
  recover: { from: ['sending'], to: 'pending', set: 'doubts = doubts + 1, next_at = ?' },
} as const satisfies Record<string, Step>;

/** Returns the statement that takes a step with the messages that match a condition. Its values are those of `set`, then of the condition. */
export function takeStep(name: keyof typeof STEPS, condition = '1 = 1'): string {
  const { from, to, set } = STEPS[name];
  const states = from.map((state) => `'${state}'`).join(', ');
  return `update message set state = '${to}', ${set} where state in (${states}) and ${condition}`;
}

/** The states of a message to a subscriber, whether a confirmation, an edition or an announcement, and each step to another state. */

/** A message starts as `pending`, or as `canceled` if it is not due. The last five states are final. */
type MessageState = 'pending' | 'sending' | 'sent' | 'failed' | 'uncertain' | 'expired' | 'canceled';

/** What changes beside the state. */
type Step = readonly [from: MessageState, to: MessageState, set: string];

const ENDED = 'ended_at = ?, outcome = ?';
const RECOVERED = 'doubts = doubts + 1, next_at = ?';
/** A message that was never tried no longer counts against its mailbox. */
const CANCELED = 'ended_at = ?, mailbox = case when attempts = 0 then null else mailbox end';

const STEPS = {
  /** It is due, and an attempt begins. */
  claim: ['pending', 'sending', 'tried_at = ?, attempts = attempts + 1'],
  /**
   * It is due, and its person no longer wants it. It counts against the limits of its domain as if it had been sent. Otherwise, the
   * timing of other mail would reveal who has unsubscribed.
   */
  pass: ['pending', 'canceled', 'ended_at = ?, tried_at = ?, attempts = attempts + 1'],
  /** Its person has confirmed or left, too many confirmations wait for its domain, or the lost database may have sent it. */
  cancel: ['pending', 'canceled', CANCELED],
  /** It became too old before it was sent. */
  expire: ['pending', 'expired', "ended_at = ?, outcome = coalesce(outcome, 'too old')"],
  sent: ['sending', 'sent', ENDED],
  /** The server refused it. If it refused the mailbox, the subscriber gets no more mail (`refused_at`). */
  failed: ['sending', 'failed', ENDED],
  /** No attempt got a reply, or each ended with its process, and each may have arrived. */
  uncertain: ['sending', 'uncertain', ENDED],
  /** Its person left during the attempt, before it was sent, or the lost database may have sent it. */
  canceled: ['sending', 'canceled', ENDED],
  /** The server asks for another attempt, or gave no reply. */
  retry: ['sending', 'pending', 'next_at = ?, outcome = ?, doubts = doubts + ?'],
  /** All mail pauses, so the attempt does not count. */
  release: ['sending', 'pending', 'attempts = attempts - 1'],
  /** The process of the attempt has ended, as those of earlier ones have, or for the first time. */
  abandon: ['sending', 'uncertain', `${RECOVERED}, ${ENDED}`],
  recover: ['sending', 'pending', RECOVERED],
} as const satisfies Record<string, Step>;

/** Returns the statement that takes a step with the messages that match a condition. Its values are those of the step, then of the condition. */
export function takeStep(name: keyof typeof STEPS, condition = '1 = 1'): string {
  const [from, to, set] = STEPS[name];
  return `update message set state = '${to}', ${set} where state = '${from}' and ${condition}`;
}

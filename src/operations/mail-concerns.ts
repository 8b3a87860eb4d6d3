/** Finds concerns about mail: a pause, waiting confirmations, undelivered messages, an alert that cannot be sent. */

import type { Config } from '../config.ts';
import { addMs, type Instant } from '../listings/day.ts';
import type { Alert } from '../mail/alerts/alert-store.ts';
import type { Concern } from '../mail/alerts/concern.ts';
import type { MailStanding } from '../mail/outbox-store.ts';
import type { ConfirmationLimits } from '../subscribers/confirmations.ts';
import { type Signs, UNDELIVERED_DAYS } from './signs.ts';

const LONG_WAIT_MS = 600_000; // people at the page have given up by then
const UNDELIVERED_SHARE = 0.05; // large mail providers review senders above this share
const FEWEST_UNDELIVERED = 10;
const MOST_ALERT_ATTEMPTS = 3;

type MailSigns = Pick<Signs, 'mail' | 'limits' | 'undelivered' | 'alert'>;

export function listMailConcerns(
  { now, config }: { now: Instant; config: Pick<Config, 'alertEmail'> },
  { mail, limits, undelivered, alert }: MailSigns,
): (Concern | undefined)[] {
  return [
    mail && findPause(mail),
    mail && findWaitingConfirmations(mail, limits, now),
    undelivered && findUndelivered(undelivered),
    config.alertEmail === undefined ? undefined : alert && findAlertTrouble(alert),
  ];
}

const TEST = 'npx shingle mail test ADDRESS';

function findPause({ trouble, pausedUntil }: MailStanding): Concern | undefined {
  if (trouble === null) return undefined;
  const summary = `mail is paused until ${pausedUntil}`;
  return {
    kind: 'mail-paused',
    summary,
    detail: `${summary}: ${trouble}`,
    steps: [`See what is wrong: ${TEST}`],
  };
}

function findWaitingConfirmations(
  { waiting, waitingSince }: MailStanding,
  { confirmationsAnHour, recipientDomain }: ConfirmationLimits,
  now: Instant,
): Concern | undefined {
  const hour = `the limit is ${confirmationsAnHour} an hour`;
  const domain = `${recipientDomain.hour} an hour and ${recipientDomain.day} a day to one domain`;
  const isLong = waitingSince !== null && waitingSince < addMs(now, -LONG_WAIT_MS);
  const sentences: string[] = [];
  if (waiting >= confirmationsAnHour) sentences.push(`${waiting} confirmation emails are waiting: ${hour}`);
  if (isLong)
    sentences.push(
      `a confirmation email has waited longer than ${LONG_WAIT_MS / 60_000} minutes: the limits are ${confirmationsAnHour} an hour, and ${domain}`,
    );
  if (sentences.length === 0) return undefined;
  return {
    kind: 'confirmations',
    summary: sentences.join('; '),
    detail: `confirmation emails wait: ${hour}, and ${domain}`,
    ...(waitingSince !== null && { since: waitingSince }),
    steps: [
      'If many people of one organization sign up, add its domain to limits.recipientDomain.providers of the profile',
      'If you do not expect these signups, someone may be abusing the form. You do not need to do anything: the limits apply, and what cannot be sent is dropped after 24 hours',
    ],
  };
}

function findUndelivered({ finished, undelivered }: NonNullable<Signs['undelivered']>): Concern | undefined {
  if (undelivered < FEWEST_UNDELIVERED || undelivered <= finished * UNDELIVERED_SHARE) return undefined;
  return {
    kind: 'undelivered',
    summary: `more than ${UNDELIVERED_SHARE * 100} % of the emails of the last ${UNDELIVERED_DAYS} days were not delivered`,
    steps: [
      'See how many: npx shingle subscribers stats',
      'See which addresses were refused: npx shingle subscribers list',
      'Check SPF, DKIM and DMARC of your domain, and what your mail server logs',
    ],
  };
}

function findAlertTrouble({ state, attempts, outcome, endedAt, madeAt }: Alert): Concern | undefined {
  const isPutOff = state === 'waiting' && attempts >= MOST_ALERT_ATTEMPTS;
  if (state !== 'refused' && !isPutOff) return undefined;
  const summary = `the alert to ALERT_EMAIL ${isPutOff ? 'cannot be sent' : 'was refused'}`;
  return {
    kind: 'alert',
    summary,
    detail: `${summary} (${outcome})`,
    since: isPutOff ? madeAt : (endedAt ?? madeAt),
    steps: [`Try the address: ${TEST}`],
  };
}

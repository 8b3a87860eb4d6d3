/** Connects the parts of mail: transport, subscription service, editions and delivery. Opens no connection. */

import type { City } from '../city/define.ts';
import type { Config } from '../config.ts';
import { requireRoom } from '../database/data-folder.ts';
import { type Mailer, openDelivery, openMailRounds, startMailer } from '../mail/delivery.ts';
import { findMailFolder, openFileTransport, pruneMailFiles } from '../mail/mail-files.ts';
import { type MailTransport, openSmtpTransport } from '../mail/smtp.ts';
import { RECIPIENT_DOMAIN_DEFAULTS } from '../subscribers/address.ts';
import { openSubscriptionService } from '../subscribers/subscription-service.ts';
import type { Service } from './service.ts';

const CONFIRMATIONS_AN_HOUR = 200;
const NO_LIMIT = 1e9; // benchmarks and tests send without limits

export type Mail = ReturnType<typeof openMail>;

export function openMail(service: Service) {
  const { config, loaded, store, now } = service;
  const { city } = loaded;
  const { from, postalAddress, bounces } = config.mail;
  const folder = findMailFolder(config.dataFolder);
  const transport = service.transport ?? openMailTransport(config);
  const limits = findConfirmationLimits(service);
  const shared = {
    city,
    outbox: store.outbox,
    editions: store.editions,
    announcements: store.announcements,
    returnPaths: bounces && { address: bounces, bounces: store.bounces },
    suppressions: () => store.listings.suppressions(),
    latestFiling: () => store.listings.latestFiling(),
    now,
    ...limits,
  };
  const delivery = openDelivery({
    ...shared,
    transport,
    from,
    postalAddress,
    publicUrl: formatPublicUrl(config),
  });
  const mailerContext = (warn: (sentence: string) => void) => ({
    ...shared,
    delivery,
    warn,
    pruneFiles: () => pruneMailFiles(folder, store.outbox.findRecords),
  });
  let mailer: Mailer | undefined;
  return {
    weekly: shared,
    subscriptions: openSubscriptionService({
      ...shared,
      subscribers: store.subscribers,
      needRoom: () => requireRoom(config),
    }),
    transport,
    delivery,
    limits,
    /** Opens mail rounds without a timer. Each call of `look` runs the round that `start` runs every second. */
    rounds: (warn: (sentence: string) => void) => openMailRounds(mailerContext(warn)),
    start(warn: (sentence: string) => void): void {
      mailer = startMailer(mailerContext(warn));
    },
    /** Returns the state of mail at the latest check, or `undefined` before the first check. */
    standing: () => mailer?.standing(),
    async close(): Promise<void> {
      await mailer?.close();
      transport.close();
    },
  };
}

/** Opens the configured transport: SMTP, or files in the data folder. */
export function openMailTransport({ mail: { smtp }, dataFolder }: Config): MailTransport {
  return smtp === undefined ? openFileTransport(findMailFolder(dataFolder)) : openSmtpTransport(smtp);
}

export function findConfirmationLimits({
  config,
  loaded,
}: Pick<Service, 'config'> & { loaded: { city: City } }) {
  const { confirmations = CONFIRMATIONS_AN_HOUR, recipientDomain } = loaded.city.limits ?? {};
  const domain = { ...RECIPIENT_DOMAIN_DEFAULTS, ...recipientDomain };
  return config.limits === 'off'
    ? { confirmationsAnHour: NO_LIMIT, recipientDomain: { ...domain, hour: NO_LIMIT, day: NO_LIMIT } }
    : { confirmationsAnHour: confirmations, recipientDomain: domain };
}

export function formatPublicUrl({ publicUrl, host, port }: Service['config']): string {
  return publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

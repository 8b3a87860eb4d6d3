/** Connects the parts of mail: transport, subscription service, editions and delivery. Opens no connection. */

import type { Config } from '../../config.ts';
import type { City } from '../../register/profile/define.ts';
import { requireRoom } from '../../service/database/disk-room.ts';
import { openDelivery, openMailer } from '../../service/mail/delivery.ts';
import { findMailFolder, openFileTransport, pruneMailFiles } from '../../service/mail/mail-files.ts';
import { type MailTransport, openSmtpTransport } from '../../service/mail/smtp.ts';
import { RECIPIENT_DOMAIN_DEFAULTS } from '../../service/subscribers/address.ts';
import { openSubscriptionService } from '../../service/subscribers/subscription-service.ts';
import { openEmailWriter } from './email-writer.ts';
import type { Service } from './service.ts';

const CONFIRMATIONS_AN_HOUR = 200;
const NO_LIMIT = 1e9; // benchmarks and tests send without limits

export type Mail = ReturnType<typeof openMail>;

/** `warn` logs problems of delivery. */
export function openMail(service: Service, warn: (sentence: string) => void = () => undefined) {
  const { config, loaded, store, now } = service;
  const transport = openMailTransport(config);
  const publicUrl = formatPublicUrl(config);
  const limits = findConfirmationLimits(service);
  const context = { city: loaded.city, store, now, transport, publicUrl, ...config.mail, ...limits };
  const delivery = openDelivery(context, openEmailWriter);
  const folder = findMailFolder(config.dataFolder);
  const pruneFiles = () => pruneMailFiles(folder, store.outbox.hasRecord);
  return {
    context,
    subscriptions: openSubscriptionService({ ...context, needRoom: () => requireRoom(config) }),
    transport,
    delivery,
    ...openMailer({ ...context, delivery, warn, pruneFiles }),
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

export function formatPublicUrl({
  publicUrl,
  host,
  port,
}: Pick<Service['config'], 'publicUrl' | 'host' | 'port'>): string {
  return publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

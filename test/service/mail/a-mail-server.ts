/** A real mail server on a free port that accepts every message and records it. */

import { after } from 'node:test';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { until } from '../../until.ts';

export type Arrived = { from: string; to: string[]; raw: string };

export type MailServer = Awaited<ReturnType<typeof aMailServer>>;

/** A message as its reader sees it, with the links in it. */
export type Mail = Email & { to: Email['to']; rcpt: string[]; links: Record<string, string>; raw: string };

/** Closed after the test file. `options` are smtp-server's own; `taken` is called with each message, before its answer. */
export async function aMailServer(options: Partial<SMTPServerOptions> = {}, taken = () => {}) {
  const arrived: Arrived[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const raw = Buffer.concat(chunks).toString('latin1');
        arrived.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          raw,
        });
        taken();
        done();
      });
    },
    ...options,
  });
  server.on('error', () => undefined); // a client that goes away
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= new Promise<void>((resolve) => server.close(() => resolve()));
    return closed;
  };
  after(close);
  return {
    port,
    /** In the clear, as on a machine's own loopback. */
    url: `smtp://127.0.0.1:${port}`,
    arrived,
    /** Waits until `count` messages have arrived, and answers them parsed. */
    async mails(count: number) {
      await until(() => arrived.length >= count || undefined, `${count} messages; ${arrived.length} came`);
      return Promise.all(arrived.map(parsed));
    },
    close,
  };
}

export async function parsed({ raw, to }: Pick<Arrived, 'raw' | 'to'>): Promise<Mail> {
  const mail = await PostalMime.parse(Buffer.from(raw, 'latin1'));
  const found = (mail.text ?? '').matchAll(/https?:\S+\/(confirm|unsubscribe|manage)\?token=[\w-]+/g);
  const links = Object.fromEntries(Array.from(found, ([link, purpose]) => [purpose!, link]));
  return Object.assign(mail, { links, raw, rcpt: to }) as Mail;
}

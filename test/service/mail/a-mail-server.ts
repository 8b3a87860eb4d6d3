/** A real mail server on a free port that accepts every message and records it. */

import { after } from 'node:test';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { until } from '../../until.ts';

export type Arrived = { from: string; to: string[]; raw: string };

export type MailServer = {
  port: number;
  /** For SMTP_URL: in the clear, as on a machine's own loopback. */
  url: string;
  /** Everything that was taken, in the order of its end. */
  arrived: Arrived[];
  /** Waits until `count` messages have arrived, and answers them parsed. */
  mails(count: number): Promise<Mail[]>;
  close(): Promise<void>;
};

/** A message as its reader sees it, with the links in it. */
export type Mail = Email & { to: Email['to']; rcpt: string[]; links: Record<string, string>; raw: string };

/** Closed after the test file. `options` are smtp-server's own; `taken` is called with each message, before its answer. */
export async function aMailServer(
  options: Partial<SMTPServerOptions> = {},
  taken: () => void = () => undefined,
): Promise<MailServer> {
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
  let isClosed = false;
  const close = () =>
    new Promise<void>((resolve) => {
      if (isClosed) return resolve();
      isClosed = true;
      server.close(() => resolve());
    });
  after(close);
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    arrived,
    async mails(count) {
      await until(
        () => (arrived.length >= count ? true : undefined),
        `${count} messages; ${arrived.length} came`,
      );
      return Promise.all(arrived.map(parsed));
    },
    close,
  };
}

export async function parsed({ raw, to }: Pick<Arrived, 'raw' | 'to'>): Promise<Mail> {
  const mail = await PostalMime.parse(Buffer.from(raw, 'latin1'));
  const links = Object.fromEntries(
    [...(mail.text ?? '').matchAll(/https?:\S+\/(confirm|unsubscribe|manage)\?token=[\w-]+/g)].map(
      (match) => [match[1]!, match[0]],
    ),
  );
  return Object.assign(mail, { links, raw, rcpt: to }) as Mail;
}

/** `shingle mail test`: sends one message over the configured transport and reports the result; and `shingle mail bounced`. */

import type { Command } from 'commander';
import { makeReturnPath } from '../mail/bounces/return-path.ts';
import { renderTestEmail } from '../mail/email-layout.ts';
import { type Attempt, describeFault } from '../mail/faults.ts';
import type { Service } from '../operations/service.ts';
import { refusePlaceholders } from '../operations/service.ts';
import { makeRandomName } from '../subscribers/tokens.ts';
import { JSON_OPTION, requireAddress, withService } from './options.ts';
import { addBouncedCommand } from './people/bounced.ts';
import { type Done, EXIT, printError, printJson, printLine } from './terminal.ts';

const MOST_SAID = 1_000;

export function mailCommand(program: Command, done: Done): void {
  const mail = program.command('mail').description('email: outgoing messages and delivery reports');
  addBouncedCommand(mail, done);
  mail
    .command('test')
    .description('send a test message; if it succeeds, a mail pause ends')
    .argument('<address>', 'where to')
    .option(...JSON_OPTION)
    .action(async (text: string, options: { json?: boolean }) => {
      const { address } = requireAddress(text);
      const { attempt, way } = await withService((service) => {
        refusePlaceholders(service);
        return sendTest(service, address);
      });
      const isSent = attempt.end === 'sent';
      const trouble = attempt.end === 'fault' ? describeFault(attempt) : null;
      const said = attempt.end === 'fault' ? makePrintable(attempt.said ?? '') : '';
      if (options.json) printJson({ sent: isSent, way, trouble, said: said || null });
      else if (isSent) printLine(`sent by ${way}`);
      else printError(`not sent by ${way}: ${trouble}${said === '' ? '' : `\nIn its own words: ${said}`}`);
      done(isSent ? EXIT.done : EXIT.failed);
    });
}

/** What a server says must not move the cursor of a terminal. */
function makePrintable(text: string): string {
  return text
    .replace(/\p{C}+/gu, ' ')
    .slice(0, MOST_SAID)
    .trim();
}

async function sendTest(service: Service, to: string): Promise<{ attempt: Attempt; way: string }> {
  const { openMail } = await import('../operations/mail.ts');
  const { post } = openMail(service);
  const { from, smtp, postalAddress, bounces } = service.config.mail;
  const { city } = service.loaded;
  const message = makeRandomName();
  // no message belongs to it: it shows whether the mail server accepts such a sender
  const reported = { message, subscriber: '', type: 'weekly' } as const;
  const returnPath = bounces && makeReturnPath(bounces, await service.store.bounces.key(), reported);
  try {
    const attempt = await post.send(
      0,
      {
        message,
        from,
        to,
        madeAt: service.now(),
        what: 'test',
        returnPath,
        ...renderTestEmail(city, postalAddress),
        headers: { 'Auto-Submitted': 'auto-generated' },
      },
      async () => true,
    );
    if (attempt.end === 'sent') await service.store.outbox.resume();
    const way =
      smtp === undefined ? `a file in ${service.config.dataFolder}/mail` : `${smtp.host}:${smtp.port}`;
    return { attempt, way };
  } finally {
    post.close();
  }
}

/** `shingle mail test`: sends one message over the configured transport and reports the result; and `shingle mail bounced`. */

import type { Command } from 'commander';
import { renderTestEmail } from '../mail/email-layout.ts';
import { refusePlaceholders } from '../operations/service.ts';
import { JSON_OPTION, requireAddress, withService } from './options.ts';
import { addBouncedCommand } from './people/bounced.ts';
import { printSentOne, sendOne } from './send-now.ts';
import { type Done, EXIT, printJson } from './terminal.ts';

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
      const sent = await withService((service) => {
        refusePlaceholders(service);
        const email = renderTestEmail(service.loaded.city, service.config.mail.postalAddress);
        return sendOne(service, { to: address, what: 'test', email });
      });
      if (options.json) printJson(sent);
      else printSentOne(sent);
      done(sent.sent ? EXIT.done : EXIT.failed);
    });
}

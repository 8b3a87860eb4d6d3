/** `shingle weekly`: previews the next edition, or creates and sends the edition that is due. */

import OUTCOMES from '../../data/edition-outcomes.json' with { type: 'json' };
import { countShown } from '../../page/email/weekly-email.ts';
import { type Decision, decideEdition } from '../../service/mail/editions/decide-edition.ts';
import { usageError } from '../../shared/errors.ts';
import { fillIn } from '../../shared/text/fill-in.ts';
import { formatCount } from '../../shared/text/numbers.ts';
import { EXIT } from '../exit-codes.ts';
import { type Mail, openMail } from '../operations/connect-mail.ts';
import type { Service } from '../operations/service.ts';
import { renderComing } from './desk/edition-review.ts';
import { isInteractive, withPrompts } from './init/prompt.ts';
import { type Report, requireAddress } from './options.ts';
import { describeProgress, type Sent, sendNow, sendOne, writePreview } from './send-now.ts';

export async function previewEdition(service: Service): Promise<Report> {
  const { coming, content, isExample, email } = await renderComing(service, openMail(service));
  const { edition, total } = content;
  const { subject } = email;
  const { html, text } = writePreview(service, `weekly-${edition}`, email);
  const note = isExample ? ' (example: there are no new businesses)' : '';
  const { digest, isApproved, leftOut } = coming;
  const approve = isApproved === false ? `\nApprove it: npx shingle weekly approve ${digest}` : '';
  const left = leftOut === 0 ? '' : `\n${formatCount(leftOut, 'listing')} left out`;
  const approval = { digest, approved: isApproved, left_out: leftOut };
  return {
    json: { edition, subject, total, example: isExample, ...approval, html, text },
    text: `${subject}${note}\n${html}\n${text}${left}${approve}`,
  };
}

export async function sendEdition(
  service: Service,
  { to: text, dryRun = false }: { dryRun?: boolean; to?: string },
): Promise<Report> {
  const mail = openMail(service);
  if (text === undefined) return sendToAll(service, mail, dryRun);
  if (dryRun) throw usageError('--to sends one email: leave out --dry-run');
  const { address: to } = requireAddress(text);
  const { isExample: example, email } = await renderComing(service, mail);
  return sendOne(service, mail, { to, what: 'weekly', email, subject: email.subject, example });
}

async function sendToAll(service: Service, mail: Mail, dryRun: boolean): Promise<Report> {
  const decide = (isDry: boolean) => decideEdition(mail.context, service.now(), isDry);
  if (!dryRun && isInteractive()) await confirmEarlySend(await decide(true));
  const readProgress = ({ edition: day }: Decision) => service.store.editions.progress(day);
  const sent = await sendNow(service, mail, decide, readProgress, dryRun);
  const { edition, outcome, early, content, recipients, unmatched, progress, problem } = sent;
  const [total, shown] = content ? [content.total, countShown(content)] : [0, 0];
  const counts = { total, shown, left_out: content?.leftOut ?? 0, recipients, unmatched, ...progress };
  return {
    json: { edition, outcome, early, dry_run: dryRun, ...counts, problem },
    text: describeSent(sent),
    code: problem === null ? EXIT.done : EXIT.failed,
  };
}

/** Asks before sending an edition early, because there will be none at its slot. Throws `usage` for "no". */
async function confirmEarlySend({ early, outcome, edition, content, recipients }: Decision): Promise<void> {
  if (!early || outcome !== 'decided') return;
  const people = formatCount(recipients, 'person', 'people');
  const answer = await withPrompts((prompts) =>
    prompts.askChoice({
      text: `The edition of ${edition} is not due yet. Send it to ${people} now? It has ${content?.total} new businesses; nothing more is sent on ${edition}.`,
      options: [
        { value: 'no', label: 'no, send nothing' },
        { value: 'yes', label: 'yes, send it now' },
      ],
    }),
  );
  if (answer === 'no') throw usageError('nothing was sent');
}

export function describeSent(sent: Sent<Decision>): string {
  const { edition, outcome, early, content, recipients, unmatched, isDry } = sent;
  const usual = outcome === 'decided' && isDry ? 'dry' : outcome;
  const others = formatCount(unmatched, 'more subscriber');
  const nothing = unmatched === 0 ? '' : `; nothing matches what ${others} chose`;
  const news = formatCount(content?.total ?? 0, 'new business', 'new businesses');
  return fillIn(OUTCOMES[early && outcome === 'empty' ? 'early' : usual], {
    name: `the edition of ${edition}${early ? ' (early: it is not due yet)' : ''}`,
    is: isDry ? 'would be' : 'is',
    what: `${news}, to ${formatCount(recipients, 'person', 'people')}${nothing}`,
    progress: describeProgress(sent.progress, sent),
  });
}

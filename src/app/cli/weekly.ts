/** `shingle weekly`: previews the next edition, or creates and sends the edition that is due. */

import OUTCOMES from '../../data/edition-outcomes.json' with { type: 'json' };
import { countShown } from '../../page/email/edition-email.ts';
import { type Decision, decideEdition } from '../../service/mail/editions/decide-edition.ts';
import type { Instant } from '../../shared/day.ts';
import { usageError } from '../../shared/errors.ts';
import { fillIn } from '../../shared/text/fill-in.ts';
import { formatCount } from '../../shared/text/numbers.ts';
import type { Mail } from '../operations/connect-mail.ts';
import type { Service } from '../operations/service.ts';
import { renderComing } from './desk/edition-review.ts';
import { isInteractive, withPrompts } from './init/prompt.ts';
import { type Report, requireAddress } from './options.ts';
import { describeProgress, type Sent, sendNow, sendOne, withMail, writePreview } from './send-now.ts';
import { EXIT } from './terminal.ts';

type Now = { now?: () => Instant };

type SendOptions = Now & { dryRun?: boolean; to?: string };

export async function previewEdition({ now }: Now): Promise<Report> {
  const preview = async (service: Service, mail: Mail) => {
    const { coming, content, isExample, email } = await renderComing(service, mail);
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
  };
  return withMail(preview, { now, isPreview: true });
}

export function sendEdition(options: SendOptions): Promise<Report> {
  return options.to === undefined ? sendToAll(options) : sendToOne(options.to, options);
}

async function sendToOne(text: string, { dryRun, now }: SendOptions): Promise<Report> {
  if (dryRun) throw usageError('--to sends one email: leave out --dry-run');
  const { address: to } = requireAddress(text);
  const send = async (service: Service, mail: Mail) => {
    const { isExample, email } = await renderComing(service, mail);
    const facts = { subject: email.subject, example: isExample };
    return sendOne(service, mail, { to, what: 'weekly', email, ...facts });
  };
  return withMail(send, { now });
}

async function sendToAll({ dryRun = false, now }: SendOptions): Promise<Report> {
  const send = async (service: Service, mail: Mail) => {
    const decide = (isDry: boolean) => decideEdition(mail.context, service.now(), isDry);
    if (!dryRun && isInteractive()) await confirmEarlySend(await decide(true));
    const readProgress = ({ edition }: Decision) => service.store.editions.progress(edition);
    return sendNow(service, mail, decide, readProgress, dryRun);
  };
  const sent = await withMail(send, { now });
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

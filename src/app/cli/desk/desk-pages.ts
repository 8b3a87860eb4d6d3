/** The pages of the desk, and what its forms do. Each form does what a command does, through the same function. */

import { existsSync, readFileSync } from 'node:fs';
import { type Markup, markup } from '../../../page/markup.ts';
import type { DayUsage } from '../../../service/data/usage-store.ts';
import { fateOfUnapproved, weeklyOf } from '../../../service/mail/editions/weekly-schedule.ts';
import type { Foreseen } from '../../../service/runs/merge-run.ts';
import type { Run } from '../../../service/runs/runs.ts';
import { addDays, formatLocalMoment, formatMoment } from '../../../shared/day.ts';
import { MOST_INTRODUCTION } from '../../../shared/edition/introduction.ts';
import { missingError, ShingleError } from '../../../shared/errors.ts';
import { formatCount, formatNumber } from '../../../shared/text/numbers.ts';
import type { DryRunReport } from '../../ingest/dry-run.ts';
import { type Mail, openMail } from '../../operations/connect-mail.ts';
import { dryRunCity } from '../../operations/dry-run-city.ts';
import type { Service } from '../../operations/service.ts';
import { readStatus } from '../../operations/service-status.ts';
import { openAdvice } from '../check/advice.ts';
import { renderCheckPage } from '../check/check-page.ts';
import { refuseRun } from '../ingest.ts';
import {
  type Body,
  makeSentence,
  renderForm,
  renderFrame,
  renderSteps,
  renderTable,
  type Saying,
} from '../operator-html.ts';
import type { Report } from '../options.ts';
import { correct, removeCorrection, serveAgain, suppress } from '../people/listings.ts';
import { listCounts } from '../report.ts';
import { listFacts } from '../status.ts';
import { approveEdition, introduceEdition, leaveOut, listLeftOut, renderComing } from './edition-review.ts';
import { openSuppressionTest, readNewest, renderListed, renderListings } from './listing-pages.ts';

const RUNS_SHOWN = 20;
const DAYS_SHOWN = 7;
const EDITION_SHOWN = 500;

/** `isForeign`: whether it has text of a register or an email with its own styles. */
export type DeskPage = { html: string; isForeign?: boolean };

export function openDeskPages(service: Service) {
  const mail = openMail(service);
  const { city, path: cityPath } = service.loaded;
  const readSettings = () =>
    [cityPath, '.env'].map((file) => existsSync(file) && readFileSync(file, 'utf8')).join();
  const settings = readSettings();
  /** What the last form did, or why it did nothing. The next page says it once. */
  let said: Saying | undefined;
  /** An introduction that was refused. The next page shows it again in its field. */
  let refused: string | undefined;

  /** Does what a form asks for. Returns the page to show next. */
  async function act(path: string, form: URLSearchParams): Promise<string> {
    try {
      const { text } = await perform(service, path, form);
      said = { text: makeSentence(text.split('\n', 1)[0]!), isError: false };
    } catch (error) {
      if (!(error instanceof ShingleError)) throw error;
      said = { text: makeSentence(error.message), isError: true };
      if (path === 'edition/introduce') refused = form.get('text') ?? undefined;
    }
    const page = path.split('/').slice(0, -1).join('/');
    return page === 'listings' ? `${page}?${new URLSearchParams({ name: form.get('value') ?? '' })}` : page;
  }

  async function show(path: string, query: URLSearchParams, root: string): Promise<DeskPage | undefined> {
    const [, number, rows] = /^runs\/([1-9]\d{0,8})(\/rows)?$/.exec(path) ?? [];
    const run = number && (await service.store.filings.run(Number(number)));
    if (run && rows) return { html: await renderRowsOf(service, run), isForeign: true };
    if (path === 'edition/email')
      return { html: (await renderComing(service, mail)).email.html, isForeign: true };
    const body = run ? await renderRun(service, run) : await render(path, query);
    if (body === undefined) return undefined;
    const text =
      'city.yaml or .env has changed since the desk was opened. Run "shingle desk" again to see what follows from it.';
    const isOld = readSettings() !== settings;
    const sayings = [...(said ? [said] : []), ...(isOld ? [{ text, isError: true }] : [])];
    said = undefined;
    refused = undefined;
    return { html: renderFrame(city.name, root, { ...body, sayings }) };
  }

  async function render(path: string, query: URLSearchParams): Promise<Body | undefined> {
    if (path === '') return renderOverview(service);
    if (path === 'edition') return renderEdition(service, mail, refused);
    if (path === 'listings') return renderListings(service, query.get('name')?.trim() ?? '');
    return undefined;
  }
  return { act, show };
}

/** Does what a form asks for, as its command does. Throws `usage`, `missing`, `conflict` or `refused`. */
async function perform(service: Service, path: string, form: URLSearchParams): Promise<Report> {
  const field = (name: string) => form.get(name)?.trim() ?? '';
  const [value, reason] = [field('value'), field('reason')];
  const listing = { source: field('source'), key: field('key') };
  const [, run = '', act = path] = /^runs\/([1-9]\d{0,8})\/(.*)$/.exec(path) ?? [];
  switch (act) {
    case 'accept': {
      const { state, added } = await service.accept(Number(run));
      return { text: `run ${run} is ${state}, with ${formatCount(added, 'new listing')}` };
    }
    case 'refuse':
      return refuseRun(service, Number(run));
    case 'edition/introduce':
      return introduceEdition(service, form.get('text') ?? '');
    case 'edition/approve':
      return approveEdition(service, field('digest'));
    case 'edition/leave-out':
      return leaveOut(service, listing, {});
    case 'edition/take-back':
      return leaveOut(service, listing, { undo: true });
    case 'listings/remove':
      return suppress(service, value, { reason });
    case 'listings/correct': {
      const isChanged = (name: string) => field(name) !== (name === 'name' ? field('was') : '');
      const changed = ['name', 'category', 'neighborhood', 'status'].filter(isChanged);
      const fields = Object.fromEntries(changed.map((name) => [name, field(name)]));
      return correct(service, value, { ...fields, reason });
    }
    case 'listings/serve':
      return serveAgain(service, value);
    case 'listings/uncorrect':
      return removeCorrection(service, value);
    default:
      throw missingError('There is no such form.');
  }
}

function renderRuns(runs: readonly Run[], timeZone: string): Markup {
  if (runs.length === 0) return markup`<p>Nothing has been imported yet.</p>`;
  const rows = runs.map(({ run, source, state, startedAt, read, added, detail }) => {
    const link = markup`<a href="runs/${run}">Run ${run}</a>`;
    const facts = [source, state, formatLocalMoment(startedAt, timeZone), read];
    return [link, ...facts, state === 'kept' ? added : '', detail ?? ''];
  });
  return renderTable(['Run', 'Source', 'State', 'Started', 'Rows', 'New', 'Detail'], rows);
}

async function renderRun(service: Service, run: Run): Promise<Body> {
  const { filings } = service.store;
  const { run: number, state, detail, findings } = run;
  const { sources, timeZone } = service.loaded.city;
  const isHeld = state === 'held';
  const later = isHeld ? await filings.replacing(run) : undefined;
  const decide =
    later === undefined
      ? isHeld && renderDecision(number)
      : markup`<p>This run can no longer be accepted: run <a href="runs/${later.run}">${later.run}</a> came later.</p>`;
  const foreseen = await filings.foresee(run);
  const hasFile = sources.some(({ id, from }) => id === run.source && from.place !== undefined);
  const found = findings.map(({ severity, code, detail }) => [code, severity, detail]);
  const counts = listCounts(run, foreseen).map((line) => markup`<li>${line}</li>`);
  return {
    title: `Run ${number}: ${state}`,
    main: markup`${detail !== null && markup`<p class="${isHeld ? 'alarm' : 'said'}">${makeSentence(detail)}</p>`}
<p>${run.source}: ${run.place}, ${formatLocalMoment(run.startedAt, timeZone)}</p><ul>${counts}</ul>
${found.length > 0 && markup`<h2>Findings</h2>${renderTable([], found)}`}
${foreseen !== undefined && renderForeseen(foreseen)}${state === 'kept' && (await renderNew(service, run))}
${
  hasFile &&
  markup`<p><a href="runs/${number}/rows">Its rows beside what would be served</a>, from the file as it is now. Reading it can take a while.</p>`
}${decide}`,
  };
}

async function renderNew(service: Service, { run, added }: Run): Promise<Markup | false> {
  if (added === 0) return false;
  const newest = await readNewest(service, run);
  const isPart = newest.length < added && markup`<p class="muted">The newest ${newest.length} of them.</p>`;
  return markup`<h2>New listings: ${formatNumber(added)}</h2>${isPart}${renderListed(service, newest, await openSuppressionTest(service))}`;
}

/** Says which listings a held run changes or lacks, and what accepting the run does with them. */
function renderForeseen({ effect, missing, changing }: Foreseen): Markup {
  const list = (names: readonly string[], count: number) => {
    const listed = names.map((name) => markup`<li>${name}</li>`);
    const more = count > names.length && markup`<li>and ${formatNumber(count - names.length)} more</li>`;
    return markup`<ul class="plain">${listed}${more}</ul>`;
  };
  const changed = effect.changed + effect.updated;
  return markup`${changed > 0 && markup`<h2>Listings that the run changes, by their filed names: ${formatNumber(changed)}</h2>${list(changing, changed)}`}
${
  missing.count > 0 &&
  markup`<h2>Stored listings that are not in this file, by their filed names: ${formatNumber(missing.count)}</h2>
<p>If you accept the run, they stay as they are: a row that only disappears closes no business.</p>${list(missing.names, missing.count)}`
}`;
}

function renderDecision(number: number): Markup {
  return markup`<h2>Decide</h2><p>Accept the run only if the reason above is normal for this register. You cannot undo this.</p>
${renderForm(`runs/${number}/accept`, 'Accept the run')}
<p>Otherwise refuse it: this file is then not imported until it or <code>city.yaml</code> changes. You cannot undo this either.</p>
${renderForm(`runs/${number}/refuse`, 'Refuse the run')}`;
}

/** Renders `check.html` of the file of a run as it is now. Says whether it is the file that the run has read. */
export async function renderRowsOf({ config, loaded, now }: Service, run: Run): Promise<string> {
  const reports = await dryRunCity(config, { source: run.source });
  const advise = openAdvice(loaded.path);
  const note = describeChange(run, reports);
  const back = markup`<a href="../${run.run}">Back to run ${run.run}</a>`;
  return renderCheckPage({
    city: loaded.city.name,
    checkedAt: formatMoment(now()),
    reports,
    advise,
    note,
    back,
  });
}

/** Compares the SHA-256 of the file that a run has read with that of the file as it is now. */
function describeChange({ run, place, content, read }: Run, reports: readonly DryRunReport[]): string {
  if (reports.some((report) => report.content === content)) return `This is the file as run ${run} read it.`;
  const now = reports.find((report) => report.place === place);
  const is =
    now === undefined
      ? `These rows are not of ${place}`
      : `The file has changed since run ${run} read it: it now has ${formatNumber(now.read)} rows`;
  return `${is}. Accepting run ${run} imports the ${formatNumber(read)} rows that it read.`;
}

async function renderOverview(service: Service): Promise<Body> {
  const status = await readStatus(service);
  const { timeZone } = service.loaded.city;
  const runs = await service.store.filings.runs({ limit: RUNS_SHOWN });
  const concerns = status.concerns.map(({ sentence, since, steps }) => {
    const at = since && markup` <span class="muted">Since ${formatLocalMoment(since, timeZone)}.</span>`;
    return markup`<section class="alarm"><p><strong>${makeSentence(sentence)}</strong>${at || ''}</p>${renderSteps(steps)}</section>`;
  });
  const used = await service.store.usage.since(addDays(status.at.slice(0, 10), 1 - DAYS_SHOWN));
  const attention =
    concerns.length === 0 ? markup`<p>Nothing needs your attention.</p>` : markup`${concerns}`;
  return {
    title: status.city,
    main: markup`<h2>What needs attention</h2>${attention}
<h2>The service</h2>${renderTable([], listFacts(status))}
<h2>The last runs</h2>${renderRuns(runs, timeZone)}
<h2>Requests of the last ${DAYS_SHOWN} days</h2>${renderUsage(used)}`,
  };
}

/** A row for each route and a column for each day (UTC), newest first. */
function renderUsage(used: readonly DayUsage[]): Markup {
  if (used.length === 0) return markup`<p>None yet.</p>`;
  const days = [...new Set(used.map(({ day }) => day))];
  const rows = [...Map.groupBy(used, ({ route }) => route)].map(([route, ones]) => [
    route,
    ...days.map((day) => ones.find((one) => one.day === day)?.requests ?? 0),
  ]);
  return renderTable(['Route', ...days], rows);
}

async function renderEdition(service: Service, mail: Mail, refused: string | undefined): Promise<Body> {
  const { coming, content, isExample, email } = await renderComing(service, mail);
  const { edition, at, introduction, leftOut } = coming;
  if (isExample && content.total === 0)
    return { title: `The edition of ${edition}`, main: markup`<p>No listings have been imported yet.</p>` };
  const shown = isExample ? [] : content.listings.slice(0, EDITION_SHOWN);
  const rows = shown.map(({ name, category, neighborhood, filing_date, source, key }) => {
    const options = { fields: { source, key }, isQuiet: true, about: name };
    return [name, renderForm('edition/leave-out', 'Leave out', options), category, neighborhood, filing_date];
  });
  const back = (await listLeftOut(service)).map(({ name, source, key }) => {
    const options = { fields: { source, key }, isQuiet: true, about: name };
    return markup`<li>${name} ${renderForm('edition/take-back', 'Put back', options)}</li>`;
  });
  const isPart =
    rows.length < content.total &&
    markup`<p class="muted">The newest ${formatNumber(rows.length)} of them.</p>`;
  const listed =
    rows.length > 0 &&
    markup`<h2>New businesses in this edition (${formatNumber(content.total)})</h2>${isPart}${renderTable([], rows)}`;
  return {
    title: `The edition of ${edition}`,
    main: markup`<p>Due at ${formatLocalMoment(at, service.loaded.city.timeZone)}: “${email.subject}”${isExample && ' (an example: nothing new has arrived yet)'}</p>
${renderApproval(service, coming)}
<h2>Introduction</h2><form method="post" action="edition/introduce"><label for="text">Up to ${MOST_INTRODUCTION} characters
of plain text; web addresses become links. Leave it empty for none.</label>
<textarea id="text" name="text" rows="5" maxlength="${MOST_INTRODUCTION}">${refused ?? introduction ?? ''}</textarea>
<br><button>Save the introduction</button></form>
<h2>As it would be sent</h2><p class="muted">Links in this preview do not work.</p>
<iframe src="edition/email" title="The email" sandbox></iframe>
<details><summary>As plain text</summary><pre>${email.text}</pre></details>
${listed}
${leftOut > 0 && markup`<h2>Left out: ${leftOut}</h2><ul>${back}</ul>`}`,
  };
}

type Coming = Awaited<ReturnType<typeof renderComing>>['coming'];

function renderApproval({ loaded }: Service, { until, isApproved, hadApproval, digest }: Coming): Markup {
  if (!weeklyOf(loaded.city).approval)
    return markup`<p class="muted">This edition is sent without an approval. To approve each edition first, set
<code>weekly: { approval: true }</code> in <code>city.yaml</code>.</p>`;
  if (isApproved === null) return markup`<p class="muted">There is nothing to approve yet.</p>`;
  if (isApproved)
    return markup`<p class="said">You have approved this edition. It has not changed since.</p>`;
  const why = hadApproval && 'The edition has changed since you approved it. ';
  return markup`<p class="alarm">${why}This edition is waiting for your approval. If you do not approve it, it is ${fateOfUnapproved(loaded.city)} at
${formatLocalMoment(until, loaded.city.timeZone)} (<code>unapproved</code> under <code>weekly</code> in <code>city.yaml</code>: <code>send</code> or
<code>skip</code>). If it changes after you approve it, you need to approve it again.</p>
${renderForm('edition/approve', 'Approve it as shown here', { fields: { digest } })}`;
}

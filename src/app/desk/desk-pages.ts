/** The pages of the desk, and what its forms do. Each form does what a command does, through the same function. */

import { type Markup, markup } from '../../page/markup.ts';
import type { DayUsage } from '../../service/data/usage-store.ts';
import { fateOfUnapproved, weeklyOf } from '../../service/mail/editions/slots.ts';
import type { Suppression } from '../../service/runs/listing-store.ts';
import type { Run } from '../../service/runs/runs.ts';
import { addDays, formatMoment } from '../../shared/day.ts';
import { MOST_INTRODUCTION } from '../../shared/edition/introduction.ts';
import { messageOf, ShingleError } from '../../shared/errors.ts';
import { STATUSES } from '../../shared/listing.ts';
import { makeSuppressionTest } from '../../shared/words.ts';
import { type Mail, openMail } from '../operations/connect-mail.ts';
import type { Service } from '../operations/service.ts';
import { readStatus, type ServiceStatus } from '../operations/service-status.ts';
import { findSuppressionMatches } from '../operations/suppression-matches.ts';
import {
  approveEdition,
  introduceEdition,
  leaveOut,
  listLeftOut,
  renderComing,
  takeBack,
} from './edition-review.ts';
import { correctListing, nameCorrection } from './listing-review.ts';

const RUNS_SHOWN = 20;
const DAYS_SHOWN = 7;
const LISTINGS_SHOWN = 50;
const EDITION_SHOWN = 500;

/** What the commands already say, in words. */
export type DeskActions = {
  listFacts(status: ServiceStatus): readonly (readonly [label: string, text: string])[];
  describeRun(run: Run): string;
  /** Renders the rows of a run's file as it is now, beside what would be served, as `check` does. */
  renderRows(run: Run): Promise<string>;
};

/** `isForeign`: whether it has text of a register or an email with its own styles. */
export type DeskPage = { html: string; isForeign?: boolean };

export function openDeskPages(service: Service, actions: DeskActions) {
  const mail = openMail(service);
  /** What the last form did, or why it did nothing. The next page says it once. */
  let said: { text: string; isError: boolean } | undefined;

  /** Does what a form asks for. Returns the page to show next. */
  async function act(path: string, form: URLSearchParams): Promise<string> {
    try {
      said = { text: await perform(service, path, form), isError: false };
    } catch (error) {
      if (!(error instanceof ShingleError)) throw error;
      said = { text: error.message, isError: true };
    }
    const page = path.split('/').slice(0, -1).join('/');
    const isOfListing = path === 'listings/correct' || path === 'listings/remove';
    return isOfListing ? `${page}?${new URLSearchParams({ name: form.get('name') ?? '' })}` : page;
  }

  async function show(path: string, query: URLSearchParams, root: string): Promise<DeskPage | undefined> {
    const [, number, rows] = /^runs\/([1-9]\d{0,8})(\/rows)?$/.exec(path) ?? [];
    if (path === 'edition/email')
      return { html: (await renderComing(service, mail)).email.html, isForeign: true };
    if (rows !== undefined) return showRows(service, actions, Number(number));
    const body = await render(path, query, number);
    if (body === undefined) return undefined;
    const saying = said;
    said = undefined;
    return { html: renderFrame(service, root, { ...body, saying }) };
  }

  async function render(
    path: string,
    query: URLSearchParams,
    number: string | undefined,
  ): Promise<Body | undefined> {
    if (path === '') return renderOverview(service, actions);
    if (path === 'edition') return renderEdition(service, mail);
    if (path === 'listings') return renderListings(service, query.get('name')?.trim() ?? '');
    return number === undefined ? undefined : renderRun(service, actions, Number(number));
  }
  return { act, show };
}

/** Does what a form asks for. Returns what was done, as a sentence. Throws `usage`, `missing`, `conflict` or `refused`. */
async function perform(service: Service, path: string, form: URLSearchParams): Promise<string> {
  const { store, now } = service;
  const field = (name: string) => {
    const text = form.get(name)?.trim() ?? '';
    if (/\p{Cc}/u.test(text)) throw new ShingleError('usage', 'A field has a control character.');
    return text;
  };
  const [, number, what] = /^runs\/([1-9]\d{0,8})\/(accept|refuse)$/.exec(path) ?? [];
  if (what === 'accept') {
    const { state, added } = await service.accept(Number(number));
    return `Run ${number} is ${state}. New listings: ${added}.`;
  }
  if (what === 'refuse') {
    await store.filings.refuse(Number(number));
    return `Run ${number} is refused.`;
  }
  const name = field('name');
  const reason = field('reason');
  switch (path) {
    case 'edition/introduce': {
      const { introduction } = await introduceEdition(service, form.get('text') ?? '');
      return introduction === null ? 'The introduction is removed.' : 'The introduction is saved.';
    }
    case 'edition/approve': {
      const { edition, total } = await approveEdition(service, field('digest'));
      return `The edition of ${edition} is approved, with ${total} new businesses.`;
    }
    case 'edition/leave-out': {
      const { names } = await leaveOut(service, { source: field('source'), key: field('key') });
      return `Left out: ${names.join(', ')}.`;
    }
    case 'edition/take-back': {
      const { names } = await takeBack(service, { source: field('source'), key: field('key') });
      return `In the edition again: ${names.join(', ')}.`;
    }
    case 'listings/remove': {
      if (name === '') throw new ShingleError('usage', 'Give the name of the listing.');
      await store.suppressions.add({ value: name, reason, addedAt: now() });
      const { matches } = await findSuppressionMatches(service, name);
      return `${name} is not served any more (${matches} listings now, and all later ones).`;
    }
    case 'listings/correct': {
      const given = ['category', 'neighborhood', 'status'].filter((one) => field(one) !== '');
      const fields = Object.fromEntries(given.map((one) => [one, field(one)]));
      const { found } = await correctListing(service, name, { ...fields, reason });
      return `${name} is corrected (${found.matches} listings now, and after later imports).`;
    }
    case 'listings/serve': {
      await store.suppressions.remove(name);
      return `${name} is served again.`;
    }
    case 'listings/uncorrect': {
      await store.suppressions.removeCorrection(name);
      return `${name} is no longer corrected. The next import that has it restores what was filed.`;
    }
    default:
      throw new ShingleError('missing', 'There is no such form.');
  }
}

type Body = { title: string; main: Markup };

function renderFrame(
  { loaded: { city } }: Service,
  root: string,
  { title, main, saying }: Body & { saying: { text: string; isError: boolean } | undefined },
): string {
  const links = [
    ['', 'Overview'],
    ['edition', 'Next edition'],
    ['listings', 'Listings'],
  ].map(([path, label]) => markup`<li><a href="${root}${path}">${label}</a></li>`);
  const status =
    saying && markup`<p class="${saying.isError ? 'alarm' : 'said'}" role="status">${saying.text}</p>`;
  return markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<base href="${root}"><title>${title} · Desk of ${city.name}</title><link rel="stylesheet" href="${root}desk.css"></head>
<body><nav aria-label="Desk"><ul>${links}</ul></nav><main><h1>${title}</h1>${status}
${main}</main></body></html>
`.html;
}

async function renderOverview(service: Service, { listFacts }: DeskActions): Promise<Body> {
  const status = await readStatus(service);
  const runs = await service.store.filings.runs({ limit: RUNS_SHOWN });
  const concerns = status.concerns.map(({ kind, sentence, since, steps }) => {
    const lines = steps.map((step) => markup`<li>${renderStep(step)}</li>`);
    const at = since && markup` <span class="muted">since ${formatMoment(since)}</span>`;
    const link = kind === 'approval' && markup` <a href="edition">Look at it</a>`;
    return markup`<section class="alarm"><p><strong>${sentence}</strong>${at || ''}${link}</p><ul>${lines}</ul></section>`;
  });
  const used = await service.store.usage.since(addDays(status.at.slice(0, 10), 1 - DAYS_SHOWN));
  const attention =
    concerns.length === 0 ? markup`<p>Nothing needs your attention.</p>` : markup`${concerns}`;
  return {
    title: status.city,
    main: markup`<h2>What needs attention</h2>${attention}
<h2>The service</h2>${renderTable([], listFacts(status))}
<h2>The last runs</h2>${renderRuns(runs)}
<h2>Requests of the last ${DAYS_SHOWN} days</h2>${renderUsage(used)}`,
  };
}

/** Shows the command of a step so that it can be copied. */
function renderStep(step: string): Markup {
  const [, before = step, command] = /^(.*?)(npx shingle [^.]+)/.exec(step) ?? [];
  if (command === undefined) return markup`${step}`;
  return markup`${before}<code>${command}</code>${step.slice(before.length + command.length)}`;
}

function renderRuns(runs: readonly Run[]): Markup {
  if (runs.length === 0) return markup`<p>Nothing has been imported yet.</p>`;
  const rows = runs.map(({ run, source, state, startedAt, read, added, detail }) => {
    const link = markup`<a href="runs/${run}">Run ${run}</a>`;
    return [link, source, state, formatMoment(startedAt), read, added, detail ?? ''];
  });
  return renderTable(['Run', 'Source', 'State', 'Started', 'Rows', 'New', 'Detail'], rows);
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

type Cell = string | number | Markup;

/** Renders a table whose first column names its rows. Without `heads`, it has no header. */
function renderTable(heads: readonly string[], rows: readonly (readonly Cell[])[]): Markup {
  const head = heads.map((one) => markup`<th scope="col">${one}</th>`);
  const lines = rows.map(([first = '', ...cells]) => {
    const others = cells.map((cell) =>
      typeof cell === 'number' ? markup`<td class="number">${cell}</td>` : markup`<td>${cell}</td>`,
    );
    return markup`<tr><th scope="row">${first}</th>${others}</tr>\n`;
  });
  return markup`<div class="scroll"><table>${heads.length > 0 && markup`<thead><tr>${head}</tr></thead>`}
<tbody>${lines}</tbody></table></div>`;
}

async function renderRun(
  service: Service,
  { describeRun }: DeskActions,
  number: number,
): Promise<Body | undefined> {
  const run = await service.store.filings.run(number);
  if (run === undefined) return undefined;
  const source = service.loaded.city.sources.find(({ id }) => id === run.source);
  const rows =
    source?.from.place !== undefined &&
    markup`<p><a href="runs/${number}/rows">Its rows beside what would be served</a> <span class="muted">The file is read
again as it is now, which takes a while. The page says if it has changed since.</span></p>`;
  const mayDecide = run.state === 'held' && (await service.store.filings.replacing(run)) === undefined;
  const refuse = renderForm(`runs/${number}/refuse`, 'Refuse the run', { isQuiet: true });
  const decide = markup`<h2>Decide</h2><p>Accept the run only if the reason above is normal for this register. Listings that its file does not
have stay. If you refuse it, this file is not imported until it or <code>city.yaml</code> changes.</p>${renderForm(`runs/${number}/accept`, 'Accept the run')}${refuse}`;
  return {
    title: `Run ${number}: ${run.state}`,
    main: markup`${run.detail !== null && markup`<p class="${run.state === 'held' ? 'alarm' : 'said'}">${run.detail}</p>`}
<pre>${describeRun(run)}</pre>${rows}${mayDecide && decide}`,
  };
}

async function showRows(
  service: Service,
  { renderRows }: DeskActions,
  number: number,
): Promise<DeskPage | undefined> {
  const run = await service.store.filings.run(number);
  if (run === undefined) return undefined;
  const html = await renderRows(run).catch((error: unknown) => {
    return markup`<!doctype html><title>No rows</title><p>The file cannot be read: ${messageOf(error)}</p>`
      .html;
  });
  return { html, isForeign: true };
}

async function renderEdition(service: Service, mail: Mail): Promise<Body> {
  const { coming, content, isExample, email } = await renderComing(service, mail);
  const { edition, at, introduction, leftOut } = coming;
  const shown = isExample ? [] : content.listings.slice(0, EDITION_SHOWN);
  const rows = shown.map(({ name, category, neighborhood, filing_date, source, key }) => {
    const options = { fields: { source, key }, isQuiet: true, about: name };
    return [name, category, neighborhood, filing_date, renderForm('edition/leave-out', 'Leave out', options)];
  });
  const back = (await listLeftOut(service)).map(({ name, source, key }) => {
    const options = { fields: { source, key }, isQuiet: true, about: name };
    return markup`<li>${name} ${renderForm('edition/take-back', 'Put back', options)}</li>`;
  });
  const isPart =
    rows.length < content.total && markup`<p class="muted">The newest ${rows.length} of them.</p>`;
  const listed =
    rows.length > 0 && markup`<h2>Its ${content.total} new businesses</h2>${isPart}${renderTable([], rows)}`;
  return {
    title: `The edition of ${edition}`,
    main: markup`<p>Due at ${formatMoment(at)}: “${email.subject}”${isExample && ' (an example: nothing new has arrived yet)'}</p>
${renderApproval(service, coming)}
<h2>Introduction</h2><form method="post" action="edition/introduce"><label for="text">Up to ${MOST_INTRODUCTION} characters
of plain text; web addresses become links. Leave it empty for none.</label>
<textarea id="text" name="text" rows="5" maxlength="${MOST_INTRODUCTION}">${introduction ?? ''}</textarea>
<br><button>Save the introduction</button></form>
<h2>As it would be sent now</h2><p class="muted">Its links do not work here.</p>
<iframe src="edition/email" title="The email" sandbox></iframe>
<h3>As plain text</h3><pre>${email.text}</pre>
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
  if (isApproved) return markup`<p class="said">You approved this edition.</p>`;
  const why = hadApproval && 'The edition has changed since you approved it. ';
  return markup`<p class="alarm">${why}This edition is waiting for your approval. If you do not approve it, it is ${fateOfUnapproved(loaded.city)} at
${formatMoment(until)}. If it changes after you approve it, you need to approve it again.</p>
${renderForm('edition/approve', 'Approve it as shown here', { fields: { digest } })}`;
}

async function renderListings(service: Service, name: string): Promise<Body> {
  const search = markup`<form action="listings" method="get"><label for="name">A name, or a key of the register</label>
<input id="name" name="name" value="${name}" size="40"> <button>Find</button></form>`;
  const suppressed = await service.store.listings.suppressions();
  const isSuppressed = makeSuppressionTest(suppressed.map(({ value }) => value));
  if (name === '')
    return { title: 'Listings', main: markup`${search}${await renderOverruled(service, suppressed)}` };
  const rows: string[][] = [];
  const { matches, near } = await findSuppressionMatches(service, name, (one) => {
    if (rows.length < LISTINGS_SHOWN)
      rows.push([
        one.name,
        one.category ?? '',
        one.neighborhood ?? '',
        isSuppressed(one) ? 'not served' : one.status,
        one.filedOn,
      ]);
  });
  const links = near.map(
    (one) => markup`<li><a href="listings?name=${encodeURIComponent(one)}">${one}</a></li>`,
  );
  const options = ['', ...STATUSES].map(
    (one) => markup`<option value="${one}">${one || 'no change'}</option>`,
  );
  const value = markup`<input type="hidden" name="name" value="${name}">`;
  const reason = (id: string) =>
    markup`<label for="${id}">The reason, for your records</label><input id="${id}" name="reason" size="40">`;
  const forms = markup`<h2>Correct it</h2><form method="post" action="listings/correct">${value}
<label for="category">Category</label><input id="category" name="category">
<label for="neighborhood">Neighborhood</label><input id="neighborhood" name="neighborhood">
<label for="status">Status</label><select id="status" name="status">${options}</select>${reason('why-corrected')}
<br><button>Correct it</button></form>
<h2>Stop serving it</h2><form method="post" action="listings/remove">${value}${reason('why-removed')}
<br><button>Stop serving it</button></form>`;
  return {
    title: 'Listings',
    main: markup`${search}<p>Listings with this name or key: ${matches}.</p>${renderTable([], rows)}
${links.length > 0 && markup`<p>Similar names:</p><ul class="plain">${links}</ul>`}${matches > 0 && forms}`,
  };
}

/** Renders what the operator has removed and corrected, each with a button that undoes it. */
async function renderOverruled(service: Service, suppressed: readonly Suppression[]): Promise<Markup> {
  const corrected = (await service.store.listings.corrections()).map((one) => nameCorrection(one, service));
  const undo = (action: string, label: string, value: string) =>
    renderForm(action, label, { fields: { name: value }, isQuiet: true, about: value });
  const removed = suppressed.map(({ value, reason }) => [
    value,
    reason,
    undo('listings/serve', 'Serve it again', value),
  ]);
  const changed = corrected.map(({ value, category, neighborhood, status, reason }) => [
    value,
    [category, neighborhood, status].filter((one) => one !== null).join(', '),
    reason,
    undo('listings/uncorrect', 'Undo the correction', value),
  ]);
  return markup`${removed.length > 0 && markup`<h2>Not served</h2>${renderTable([], removed)}`}
${changed.length > 0 && markup`<h2>Corrected</h2>${renderTable([], changed)}`}`;
}

type FormOptions = { fields?: Record<string, string>; isQuiet?: boolean; about?: string };

/** `about`: what the button is about, for a screen reader. */
function renderForm(
  action: string,
  label: string,
  { fields = {}, isQuiet = false, about }: FormOptions = {},
): Markup {
  const hidden = Object.entries(fields).map(
    ([name, value]) => markup`<input type="hidden" name="${name}" value="${value}">`,
  );
  const spoken = about !== undefined && markup` aria-label="${label}: ${about}"`;
  const look = isQuiet && markup` class="quiet"`;
  return markup`<form method="post" action="${action}">${hidden}<button${look}${spoken}>${label}</button></form>`;
}

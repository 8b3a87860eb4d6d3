/** Renders the page at `/changes`: a search compared with the same days of the year before. */

import type { PageWord } from '../../shared/city/page-words.ts';
import { FEWEST_RANKED, type Period, sumCounts, yearOf } from '../../shared/periods.ts';
import { asksAnything, EVERYTHING } from '../../shared/question.ts';
import { renderChart } from '../chart/chart.ts';
import { describeClosings, nameStatus } from '../closings.ts';
import { linkTo, type Markup, markup } from '../markup.ts';
import { renderNotes } from '../notes.ts';
import { renderDocument } from '../page-layout.ts';
import { renderPreview } from '../page-metadata.ts';
import { describeSubject, listFoundLabels } from '../question-text.ts';
import { renderActions, renderSearchHead } from '../search-head.ts';
import { formatPageAddress, formatSearchAddress, formatViewAddress } from '../search-view.ts';
import { COMPARED, renderShare } from '../share/share-panel.ts';
import { renderChangesMap } from './changes-map.ts';
import { nameColumn, renderChangesTable } from './changes-table.ts';
import type { ChangesView } from './changes-view.ts';
import {
  describeComparison,
  describeMost,
  describeSums,
  describeTitle,
  formatTableAddress,
  renderSummary,
} from './summary.ts';

export function renderChangesPage(view: ChangesView): string {
  const { layout, question } = view;
  const heading = describeTitle(view);
  const share = view.anyTime.total > 0 ? renderShare(view, takeComparison(view)) : undefined;
  const main = markup`${renderSearchHead(view)}
<div class="wide" id="view" data-live>
${renderNotes(view)}${hasSummary(view) ? renderSummary(view) : markup`<h1 id="found" tabindex="-1">${heading}</h1>`}
${renderMarked(view)}${renderLimit(view)}${renderActions(view, share)}
${renderContent(view)}
</div>`;
  const description = `${describeSums(view)} ${describeMost(view)}`.trim();
  const { now, caveat } = view.period;
  const pictured =
    caveat === undefined
      ? formatSearchAddress('/chart.png', { ...question, ...now }, COMPARED)
      : formatSearchAddress('/chart.png', question);
  const preview = {
    title: heading,
    description,
    path: formatViewAddress(view.shown, question),
    picture: view.anyTime.total > 0 ? pictured : undefined,
  };
  const head = markup`${renderPreview(layout, preview)}<link rel="canonical" href="${layout.publicUrl}/changes">
${
  asksAnything(question) &&
  markup`<meta name="robots" content="noindex">
`
}`;
  return renderDocument(layout, { title: heading, description, main, head, question });
}

function takeComparison(view: ChangesView): Parameters<typeof renderShare>[1] {
  const { asked } = view.months;
  const stats = { total: sumCounts(asked.now), byMonth: asked.now };
  const compared = view.period.caveat === undefined ? describeComparison(view, asked) : undefined;
  return { stats, compared, programs: formatTableAddress(view) };
}

function hasSummary({ anyTime, period }: ChangesView): boolean {
  return anyTime.total > 0 && period.caveat !== 'few';
}

function renderContent(view: ChangesView): Markup | undefined {
  const { anyTime, sums } = view;
  if (anyTime.total === 0) return renderNothing(view);
  if (!hasSummary(view) || sums.now + sums.before === 0) return renderChart(view);
  return markup`<div class="cols"><div>${renderChangesTable(view)}
${renderRules(view)}</div>
<div>${renderChangesMap(view)}
${renderChart(view)}</div></div>`;
}

/** Renders a sentence and two links, for a search that finds nothing in any period. */
function renderNothing({ layout, question }: ChangesView): Markup {
  const { say } = layout.localization;
  return markup`<p>${say('chart.none', { subject: describeSubject({ layout, question }) })}</p>
<p class="pages"><a class="button quiet" href="${formatPageAddress(question)}" rel="nofollow">${say('changes.nearest')}</a><a
 class="button quiet" href="/changes">${say('changes.all', { city: layout.city.name })}</a></p>`;
}

const CAVEATS: Record<Exclude<Period['caveat'], undefined>, PageWord> = {
  long: 'changes.limit.long',
  future: 'changes.limit.future',
  backwards: 'warning.reversed-dates',
  few: 'changes.limit.few',
};

/** Says that a status is not compared, with a link to its businesses. */
function renderMarked({ layout, marked }: ChangesView): Markup | undefined {
  if (marked === undefined) return undefined;
  const said = layout.localization.say('changes.status', { status: nameStatus(marked) });
  return markup`<p class="doubt">${said} ${linkTo(formatPageAddress({ ...marked.question, offset: 0 }), describeClosings(marked))}</p>`;
}

function renderLimit(view: ChangesView): Markup | undefined {
  const { layout, period, missing } = view;
  if (period.caveat === undefined) return undefined;
  const { say, period: formatPeriod } = layout.localization;
  const days = listFoundLabels({ layout, question: { ...EVERYTHING, ...missing } }).join(', ');
  const { filed_from, filed_to } = period.now;
  const values = {
    days,
    period: formatPeriod(filed_from, filed_to),
    year: yearOf(period.before.filed_from),
  };
  return markup`<p class="doubt">${say(CAVEATS[period.caveat], values)}</p>`;
}

function renderRules(view: ChangesView): Markup {
  const { layout, hasOnlySurvivors, isArchive } = view;
  const { say } = layout.localization;
  const [now, before] = [nameColumn(view, 'now'), nameColumn(view, 'before')];
  const later = say(isArchive ? 'changes.rules.ended' : 'changes.rules.late');
  const rules = [
    say('changes.rules.days'),
    say('changes.rules.small', { n: FEWEST_RANKED }),
    say('changes.rules.count'),
    later,
  ];
  return markup`${hasOnlySurvivors && markup`<p class="doubt">${say('changes.survivors')}</p>`}<details
 id="rules"><summary>${say('changes.rules.title')}</summary>${rules.map((rule) => markup`<p>${rule}</p> `)}<p
 class="onscreen">${say('changes.csv.columns', { now, before })}</p></details>`;
}

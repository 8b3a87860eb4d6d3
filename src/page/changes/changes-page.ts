/** Renders the page at `/changes`: a search compared with the same days of the year before, as a sentence, a table, a map and a chart. */

import type { PageWord } from '../../shared/city/page-words.ts';
import { changeOf, FEWEST_RANKED, isSmall, type Period, type Row, yearOf } from '../../shared/periods.ts';
import { asksAnything, EVERYTHING } from '../../shared/question.ts';
import { renderChart } from '../chart/chart.ts';
import { renderYears } from '../chart/years.ts';
import { renderMap } from '../map/map.ts';
import { linkTo, type Markup, markup } from '../markup.ts';
import { renderNotes } from '../notes.ts';
import { renderDocument } from '../page-layout.ts';
import { renderPreview } from '../page-metadata.ts';
import { describeClosings, describeSubject, listFoundLabels, nameStatus } from '../question-text.ts';
import { renderActions, renderSearchHead } from '../search-head.ts';
import { formatPageAddress, formatSearchAddress, formatViewAddress, nameDataStart } from '../search-view.ts';
import { COMPARED, renderShare } from '../share/share-panel.ts';
import { labelColumn, linkRow, nameColumn, renderChangesTable } from './changes-table.ts';
import type { ChangesView } from './changes-view.ts';
import { describeSums, describeTitle, formatChange, renderSummary } from './summary.ts';

export function renderChangesPage(view: ChangesView): string {
  const { layout, question } = view;
  const heading = describeTitle(view);
  const share = view.anyTime.total > 0 ? renderShare(view) : undefined;
  const main = markup`${renderSearchHead(view)}
<div class="wide" id="view">
${renderNotes(view)}${hasSummary(view) ? renderSummary(view, share) : markup`<div class="lede"><h1 id="found" tabindex="-1">${heading}</h1></div>`}
${renderMarked(view)}${renderLimit(view)}${!hasSummary(view) && renderActions(view, share)}
${renderContent(view)}
</div>`;
  const description = describeSums(view);
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
    whole: '/changes' as const,
    isWhole: !asksAnything(question),
  };
  const head = renderPreview(layout, preview);
  return renderDocument(layout, { title: heading, description, main, head, question });
}

function hasSummary({ anyTime, period }: ChangesView): boolean {
  return anyTime.total > 0 && period.caveat !== 'few' && period.caveat !== 'begins';
}

function renderContent(view: ChangesView): Markup | undefined {
  const { anyTime, sums } = view;
  if (anyTime.total === 0) return renderNothing(view);
  if (!hasSummary(view)) return markup`${renderChart(view)}${renderYears(view, view.period.now)}`;
  if (sums.now + sums.before === 0) return renderChart(view);
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
  begins: 'count.begins',
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
    month: nameDataStart(view),
  };
  return markup`<p class="doubt">${say(CAVEATS[period.caveat], values)}</p>`;
}

function renderRules(view: ChangesView): Markup {
  const { layout, hasOnlySurvivors } = view;
  const { say } = layout.localization;
  const [now, before] = [nameColumn(view, 'now'), nameColumn(view, 'before')];
  const rules = [
    say('changes.rules.days'),
    say('changes.rules.small', { n: FEWEST_RANKED }),
    say('changes.rules.count'),
    say(layout.hasNews() ? 'changes.rules.late' : 'changes.rules.ended'),
  ];
  return markup`${hasOnlySurvivors && markup`<p class="doubt">${say('changes.survivors')}</p>`}<details
 id="rules"><summary>${say('changes.rules.title')}</summary>${rules.map((rule) => markup`<p>${rule}</p> `)}<p
 class="onscreen">${say('changes.csv.columns', { now, before })}</p></details>`;
}

/** Minimum areas that differ from 0. With fewer, the map is omitted, because it would have almost no shades. */
const FEWEST_SHADED = 2;

function renderChangesMap(view: ChangesView): Markup | undefined {
  const { outline, layout, shown, small } = view;
  if (outline === undefined || shown.by !== 'neighborhood') return undefined;
  const { say, change } = layout.localization;
  const all = new Map([...view.rows, ...small].map((row) => [row.value, row]));
  const rowOf = (value: string) => all.get(value) ?? { value, now: 0, before: 0 };
  const measureOf = (row: Row) => (isSmall(row) ? undefined : changeOf(row));
  if (outline.areas.filter(({ name }) => measureOf(rowOf(name))).length < FEWEST_SHADED) return undefined;
  return renderMap(view, {
    title: say('changes.map', { column: labelColumn(view, 'change') }),
    format: change,
    few: say('changes.small.legend'),
    areaOf(name) {
      const row = rowOf(name);
      const { now, before } = row;
      return {
        href: linkRow(view, row),
        label: say('changes.area', { value: name, now, before, change: formatChange(view, row) }),
        value: measureOf(row),
      };
    },
  });
}

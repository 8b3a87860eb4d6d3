/** Formats a dry run for people: passed checks, findings, next steps, and the newest listings. */

import { UNKNOWN_DAY } from '../../../register/profile/mapping/mapped-source.ts';
import type { PlacedBy, PlacingReport } from '../../../register/rows/placing.ts';
import { listDays, shortenCell } from '../../../register/survey/role-table.ts';
import { FINDING_CODES } from '../../../shared/report.ts';
import { formatNumber, formatShare } from '../../../shared/text/numbers.ts';
import type { DryRunReport } from '../../ingest/dry-run.ts';
import { formatFinding, formatRun } from '../report.ts';
import type { Advise } from './advice.ts';

const LISTINGS_SHOWN = 5;
const NOT_JUDGED =
  'no word list knows their language or script, so they are served unless the owner’s column shows that they are people’s';

const OTHER_DAYS =
  'are of another day, with the key of an earlier row. If they are no renewals, further licenses or visits of the same business, another key tells them apart (key)';

const TRIED = 'Tried on these rows, and it ends the finding:';

export function formatDryRun(reports: readonly DryRunReport[], advise: Advise): string {
  const sources = [...Map.groupBy(reports, ({ source }) => source).values()];
  return sources.map((files) => formatSource(files, advise)).join('\n\n');
}

/** Formats the files of one source. */
export function formatSource(files: readonly DryRunReport[], advise: Advise): string {
  const last = files.at(-1)!;
  const newest = last.newest.slice(0, LISTINGS_SHOWN);
  const isFound = (code: string) => last.findings.some((one) => one.code === code);
  const isJudged = (code: string) => code !== 'personal-names' || last.notJudged === 0;
  const isPassed = (code: string) => last.openings > 0 && !isFound(code) && isJudged(code);
  const passed = FINDING_CODES.filter(isPassed);
  const title =
    newest.length === 1
      ? 'The newest listing as it would be served'
      : `The newest ${newest.length} listings as they would be served`;
  return joinLines(
    ...files.map(formatFile),
    passed.length > 0 && section('Passed', [`  ${passed.join(', ')}`]),
    section('Please check', listDoubts(last), 'Nothing.'),
    section('What to do', listSteps(last, advise)),
    last.state !== 'failed' && section(title, alignListings(newest), 'None.'),
  );
}

function formatFile(report: DryRunReport): string {
  const { coverage, openings, placing, notJudged, otherDays, unknownDays, skipped } = report;
  return joinLines(
    formatRun(report),
    otherDays > 0 && `  ${formatNumber(otherDays)} of the merged ${OTHER_DAYS}`,
    `  with a category: ${formatShare(coverage.category)}, with a neighborhood: ${formatShare(coverage.neighborhood)}`,
    skipped[UNKNOWN_DAY] !== undefined &&
      `  ${UNKNOWN_DAY}: ${listDays(unknownDays) || 'a day after the year 9000'}, with which the register seems to say so (filed: unknown)`,
    formatPlacing(placing),
    notJudged > 0 &&
      `  not judged, ${formatNumber(notJudged)} of ${formatNumber(openings)} names: ${NOT_JUDGED}`,
  );
}

function joinLines(...lines: readonly (string | false)[]): string {
  return lines.filter((line) => line !== false).join('\n');
}

const PLACED_BY: Record<PlacedBy, string> = {
  column: 'by a column',
  point: 'by their point',
  exact: 'by their address',
  interpolated: 'between neighbors on their street',
  range: 'by a range of house numbers',
  zip: 'by ZIP code',
};

function formatPlacing({ placed, missed, streets }: PlacingReport): string | false {
  const byAddress = [placed.exact, placed.interpolated, placed.range, ...Object.values(missed)];
  if (byAddress.every((count) => count === undefined)) return false;
  const list = (counts: readonly (readonly [string, number])[]) =>
    counts.map(([what, count]) => `${formatNumber(count)} ${what}`).join(', ');
  const ways = Object.entries(placed).map(([by, count]) => [PLACED_BY[by as PlacedBy], count] as const);
  const misses = Object.entries(missed).sort((a, b) => b[1] - a[1]);
  const unknown = streets.map(({ street, count }) => `${street} (${count})`);
  return joinLines(
    `  placed: ${list(ways) || 'none'}`,
    misses.length > 0 && `  addresses not placed: ${list(misses)}`,
    unknown.length > 0 && `  streets not found: ${unknown.join(', ')}`,
  );
}

function section(title: string, lines: readonly string[], nothing = ''): string {
  return ['', title, ...(lines.length === 0 && nothing !== '' ? [`  ${nothing}`] : lines)].join('\n');
}

/** Says of stops that they hold nothing, because only a first import is held by findings. */
function describePastStops({ findings, state }: DryRunReport): string[] {
  const isHeld = state === 'held' || state === 'failed';
  if (isHeld || findings.every(({ severity }) => severity === 'warn')) return [];
  return ['A "stop" holds only a first import. This register was imported before, so it holds nothing now.'];
}

function listDoubts(report: DryRunReport): string[] {
  const { findings, openings } = report;
  const none = openings === 0 ? ['  No row was read as an opening, so there is nothing else to check.'] : [];
  const doubts = findings.flatMap((finding) => {
    const shown = finding.examples.map((example) => `      ${example}`);
    return [formatFinding(finding), ...(shown.length > 0 ? ['    for example:', ...shown] : [])];
  });
  return [...none, ...describePastStops(report).map((line) => `  ${line}`), ...doubts];
}

function listSteps({ source, state, findings, openings }: DryRunReport, advise: Advise): string[] {
  const open = findings.filter(({ accepted }) => accepted === undefined);
  const stops = open.filter(({ severity }) => severity === 'stop');
  const isHeld = state === 'held';
  const steps = open.map((finding) => {
    const { step, lines } = advise(source, finding);
    const tried = lines.length === 0 ? [] : [TRIED, ...lines].map((line) => `       ${line}`);
    return [`${finding.code}: ${step}`, ...tried].join('\n');
  });
  if (isHeld && stops.length === 0) steps.unshift('Fix what holds the run: the reason is at the top.');
  if (state === 'failed') steps.unshift('Fix why the run failed: the reason is at the top.');
  if (isHeld && stops.length > 0)
    steps.push(
      "Or, where a finding is right for this register, say why in its source: accepts: { 'code': 'reason' }. Until then `npx shingle ingest` holds the first run.",
    );
  if (openings === 0 && state !== 'failed')
    steps.push('Check the columns of the source and the rules that skip its rows.');
  else if (state === 'kept')
    steps.push('Look at the listings below. If they are right, run: npx shingle ingest');
  return steps.map((step, i) => `  ${i + 1}. ${step}`);
}

const LONGEST_CELL = 44;

function alignListings(listings: DryRunReport['newest']): string[] {
  const rows = listings.map(({ name, category, neighborhood, status, filing_date }) => [
    ...[name, category, neighborhood].map((text) => shortenCell(text, LONGEST_CELL)),
    status,
    filing_date,
  ]);
  const widths = [0, 1, 2, 3].map((at) => Math.max(...rows.map((cells) => [...cells[at]!].length)));
  const pad = (text: string, at: number) =>
    text + ' '.repeat(Math.max(0, (widths[at] ?? 0) - [...text].length));
  return rows.map((cells) => `  ${cells.map(pad).join('  ')}`);
}

/**
 * Draws the chart as a picture for other sites: an SVG without script, style or links, on a light background. Breaks
 * texts into lines, because SVG does not wrap them.
 */

import type { City } from '../../../city/define.ts';
import type { Day } from '../../../listings/day.ts';
import { removeInvisibles } from '../../../listings/visible-text.ts';
import type { Stats } from '../../../search/listing-index.ts';
import { clipDays, spanMonths, spanYear } from '../changes/periods.ts';
import { type Markup, markup } from '../markup.ts';
import { describeSubject } from '../question-text.ts';
import type { Searched } from '../search-view.ts';
import { describeEarlier } from './chart.ts';
import { findDays, isPartly, listYears } from './chart-months.ts';
import {
  EDGE,
  LABELS_HEIGHT,
  MUTED,
  NARROWEST,
  type PictureColumn,
  renderColumns,
} from './picture-columns.ts';
import { wrapWords } from './text-width.ts';

const INK = '#1c2127';

export type Picture = Searched & {
  stats: Pick<Stats, 'total' | 'byMonth'>;
  /** The last day with known filings; see `findDataEnd`. */
  dataEnd: Day;
  /** The date of the data, or `null` before the first import. */
  asOf: Day | null;
  width: number;
};

export function renderChartPicture(picture: Picture): string {
  const { layout, width } = picture;
  const columns = listColumns(picture);
  const heading = wrapHeading(picture, columns);
  const source = wrapText(picture, { text: formatSource(picture), size: 12, fill: MUTED });
  const top = EDGE + measureHeight(heading) + 18;
  const bottom = Math.round(top + width * 0.32);
  const end = bottom + LABELS_HEIGHT;
  const height = end + measureHeight(source) + 10;
  return markup`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title text" lang="${layout.localization.language}" font-family="system-ui, sans-serif">
<title id="title">${toXmlText(`${describeSubject(picture)}, ${layout.localization.say('title')}`)}</title>
<desc id="text">${toXmlText(describePicture(picture, columns))}</desc>
<rect width="${width}" height="${height}" fill="#fff"/>
${renderLines(picture, heading, EDGE)}
${renderColumns({ layout, width, top, bottom, columns })}
${renderLines(picture, source, end)}
</svg>
`.html;
}

/** Lists the months, oldest first, or the years if the months do not fit. */
export function listColumns({ question, stats: { byMonth }, dataEnd, width }: Picture): PictureColumn[] {
  const isByMonth = byMonth.length * NARROWEST <= width;
  const columns = isByMonth
    ? byMonth.map(({ value, count }) => ({ value, days: spanMonths(value), count })).reverse()
    : listYears(byMonth).years.map(({ year, count }) => ({ value: year, days: spanYear(year), count }));
  const endsInside = clipDays(question, dataEnd).filed_to === dataEnd;
  return columns.map(({ value, days, count }) => ({
    value,
    count,
    isPart: endsInside && isPartly(days, dataEnd),
  }));
}

function isByYear(columns: readonly PictureColumn[]): boolean {
  return columns.some(({ value }) => !value.includes('-'));
}

function describePicture(picture: Picture, columns: readonly PictureColumn[]): string {
  const { layout, stats } = picture;
  const { say, month } = layout.localization;
  const [most] = columns.toSorted((a, b) => b.count - a.count);
  if (most === undefined || stats.total === 0) return `${say('picture.none')} ${formatAsOf(picture)}`;
  const values = {
    period: describePeriod(picture),
    n: stats.total,
    most: most.count,
    asOf: [...describePart(picture, columns), formatAsOf(picture)].join(' '),
  };
  return isByYear(columns)
    ? say('picture.text.years', { ...values, year: most.value })
    : say('picture.text', { ...values, month: month(most.value, 'long') });
}

/**
 * Describes the counted period: `2015`, `July 1986 – September 2016` or, if the data ends on that day, `January 1 –
 * October 6, 2016`. A search without dates or results covers all time.
 */
function describePeriod({ layout, question, stats, dataEnd }: Picture): string {
  const days = findDays(question, stats.byMonth, dataEnd);
  const { say, period } = layout.localization;
  return days === undefined ? say('span.all') : period(days.filed_from, days.filed_to);
}

/** Describes which column is incomplete, and how many filings are from before the first year. */
function describePart({ layout, stats, dataEnd }: Picture, columns: readonly PictureColumn[]): string[] {
  const { say, month, day } = layout.localization;
  const part = columns.find(({ isPart }) => isPart);
  const period = part && (isByYear(columns) ? part.value : month(part.value, 'long'));
  const earlier = isByYear(columns) && listYears(stats.byMonth).earlier;
  return [
    ...(earlier ? [`${describeEarlier(layout.localization, earlier)}.`] : []),
    ...(period === undefined ? [] : [say('chart.part', { period, day: day(dataEnd) })]),
  ];
}

function formatAsOf({ layout, asOf }: Picture): string {
  const { say, day } = layout.localization;
  return asOf === null ? '' : say('picture.asOf', { day: day(asOf) });
}

/** Names the date of the data, its publisher and the address of the search. */
function formatSource(picture: Picture): string {
  const { city, publicUrl } = picture.layout;
  return `${formatAsOf(picture)} ${listPublishers(city)}. ${new URL(publicUrl).host}`.trim();
}

export function listPublishers({ sources }: Pick<City, 'sources'>): string {
  return [...new Set(sources.map(({ publisher }) => publisher))].join(', ');
}

function wrapHeading(picture: Picture, columns: readonly PictureColumn[]): Line[] {
  const { layout, stats } = picture;
  const { say, count } = layout.localization;
  const period = describePeriod(picture);
  const summary =
    stats.total === 0
      ? say('picture.none')
      : count('chart.summary', stats.total, { subject: layout.city.name, period });
  const notes = [
    ...(isByYear(columns) ? [`${say('chart.title.years')}.`] : []),
    ...describePart(picture, columns),
  ];
  return [
    ...wrapText(picture, { text: describeSubject(picture), size: 18, fill: INK, weight: 700 }),
    ...wrapText(picture, { text: summary, size: 13, fill: MUTED }),
    ...(notes.length === 0 ? [] : wrapText(picture, { text: notes.join(' '), size: 12, fill: MUTED })),
  ];
}

type Line = { text: string; size: number; fill: string; weight?: number };

/** Breaks a text into lines. A word that is wider than the picture is cut off at its edge. */
function wrapText({ width }: Picture, line: Line): Line[] {
  const texts = wrapWords(toXmlText(line.text), (width - 2 * EDGE) / line.size);
  return texts.map((text) => ({ ...line, text }));
}

const lineHeight = ({ size }: Line): number => Math.round(size * 1.4);

function measureHeight(lines: readonly Line[]): number {
  return lines.reduce((sum, line) => sum + lineHeight(line), 0);
}

function renderLines({ layout, width }: Picture, lines: readonly Line[], top: number): readonly Markup[] {
  const isRtl = layout.localization.direction === 'rtl';
  const x = isRtl ? width - EDGE : EDGE;
  let y = top;
  return lines.map((line) => {
    y += lineHeight(line);
    return markup`<text x="${x}" y="${y}" font-size="${line.size}" font-weight="${line.weight ?? 400}" fill="${line.fill}"${isRtl && { html: ' direction="rtl"' }}>${line.text}</text>
`;
  });
}

/** Removes invisible characters and those that XML does not allow. */
function toXmlText(text: string): string {
  return removeInvisibles(text).replace(/[\ufffe\uffff]/g, '');
}

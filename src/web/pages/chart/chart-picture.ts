/**
 * Draws the chart as a picture for other sites: an SVG without script, style or links, on a light background. Breaks
 * texts into lines, because SVG does not wrap them.
 */

import type { City } from '../../../city/define.ts';
import type { Day } from '../../../listings/day.ts';
import { removeInvisibles } from '../../../listings/visible-text.ts';
import type { Stats } from '../../../search/listing-index.ts';
import { clipDays, spanMonths, spanYear } from '../changes/periods.ts';
import { markup } from '../markup.ts';
import { describeSubject } from '../question-text.ts';
import type { Searched } from '../search-view.ts';
import { describeEarlier, describeParts } from './chart.ts';
import { type ChartMonth, findDays, isPartly, listYears } from './chart-months.ts';
import { type Column, type Drawing, renderDrawing, round, type Text } from './drawing.ts';
import {
  drawColumns,
  EDGE,
  isByYear,
  listColors,
  MUTED,
  measureLabels,
  NARROWEST,
  type PictureColumn,
} from './picture-columns.ts';
import { measureTextWidth, wrapWords } from './text-width.ts';

const INK = '#1c2127';

/** The size of a preview of a link, and its enlargement to the 1200 by 630 pixels that are shown without being cropped. */
export const PREVIEW = { width: 480, height: 252, top: 6, scale: 2.5 };
export const USUAL_WIDTH = 800;
const TITLE_LINES = 2; // in a preview

/** What a comparison with the year before shows. */
export type Compared = {
  title: string;
  sentence: string;
  /** Oldest first. */
  months: readonly ChartMonth[];
  legend: readonly [now: string, before: string];
};

export type Picture = Searched & {
  compared?: Compared | undefined;
  stats: Pick<Stats, 'total' | 'byMonth'>;
  /** The last day with known filings; see `findDataEnd`. */
  dataEnd: Day;
  /** The date of the data, or `null` before the first import. */
  asOf: Day | null;
  width: number;
  /** For a preview of a link: the width of a text in font sizes, or `undefined` for one that cannot be drawn. */
  measure?: (text: string) => number | undefined;
};

/** Renders the picture as SVG. */
export function renderChartPicture(picture: Picture): string {
  const columns = listColumns(picture);
  const drawing = drawPicture(picture, columns);
  const { width, height } = drawing;
  const { localization } = picture.layout;
  const notes = [...describeFirst(picture, columns), ...describePart(picture, columns)];
  return markup`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title text" lang="${localization.language}" font-family="system-ui, sans-serif">
<title id="title">${toXmlText(`${nameSubject(picture)}, ${localization.say('title')}`)}</title>
<desc id="text">${toXmlText(describePicture(picture, columns, notes))}</desc>
${renderDrawing(drawing)}
</svg>
`.html;
}

/** Describes the picture for an `img` on another site. */
export function describeChart(picture: Omit<Picture, 'width'>): string {
  const shown = { ...picture, width: USUAL_WIDTH };
  return `${nameSubject(picture)}. ${describePicture(shown, listColumns(shown), [])}`;
}

function nameSubject(picture: Pick<Picture, 'compared' | 'layout' | 'question'>): string {
  return picture.compared?.title ?? describeSubject(picture);
}

/** Draws the picture. Its height follows from its texts, unless it is a preview. */
export function drawPicture(picture: Picture, columns = listColumns(picture)): Drawing {
  const { layout, width, measure } = picture;
  const heading = wrapHeading(picture, columns);
  const source = wrapText(picture, { text: formatSource(picture), size: 12, color: MUTED });
  const edge = measure ? PREVIEW.top : EDGE;
  const legend = drawLegend(picture, edge + measureHeight(heading));
  const top = edge + measureHeight(heading) + legend.height + 18;
  const labelsHeight = measureLabels(columns, width);
  const below = labelsHeight + measureHeight(source) + 10;
  const bottom = measure ? PREVIEW.height - below : Math.round(top + width * 0.32);
  const plot = drawColumns({ layout, width, top, bottom, columns });
  const texts = [
    ...placeLines(picture, heading, edge),
    ...legend.texts,
    ...plot.texts,
    ...placeLines(picture, source, bottom + labelsHeight),
  ];
  return { ...plot, columns: [...plot.columns, ...legend.columns], width, height: bottom + below, texts };
}

const SWATCH = 11;

/** Draws the colors of a comparison with their meaning, the earlier one first, as its columns are. */
function drawLegend({ layout, compared, measure }: Picture, top: number) {
  const [columns, texts]: [Column[], Text[]] = [[], []];
  if (compared === undefined) return { columns, texts, height: 0 };
  const y = top + (measure ? 17 : 22);
  let x = EDGE;
  for (const side of [1, 0] as const) {
    const text = toXmlText(compared.legend[side]);
    const square = { x, y: y - SWATCH + 1, width: SWATCH, height: SWATCH };
    columns.push({ ...square, color: listColors(layout)[side], isPart: false });
    texts.push({ text, x: x + SWATCH + 6, y, size: 13, color: INK, anchor: 'start' });
    x = round(x + SWATCH + 24 + measureTextWidth(text) * 13);
  }
  return { columns, texts, height: y - top };
}

/** Lists the months, oldest first, or the years if the months do not fit. */
function listColumns({ question, stats: { byMonth }, dataEnd, width, compared }: Picture): PictureColumn[] {
  if (compared !== undefined)
    return compared.months.map(({ month, ...counts }) => ({ value: month, ...counts }));
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

/** `notes`: what the numbers leave out. */
function describePicture(
  picture: Picture,
  columns: readonly PictureColumn[],
  notes: readonly string[],
): string {
  const { layout, stats, compared } = picture;
  const { say, month } = layout.localization;
  if (compared !== undefined) return [compared.sentence, ...notes, formatAsOf(picture)].join(' ');
  const [most] = columns.toSorted((a, b) => b.count - a.count);
  if (most === undefined || stats.total === 0) return `${say('picture.none')} ${formatAsOf(picture)}`;
  const values = {
    period: describePeriod(picture),
    n: stats.total,
    most: most.count,
    asOf: [...notes, formatAsOf(picture)].join(' '),
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

/** Describes how many filings are from before the first year. */
function describeFirst({ layout, stats }: Picture, columns: readonly PictureColumn[]): string[] {
  const earlier = isByYear(columns) && listYears(stats.byMonth).earlier;
  return earlier ? [`${describeEarlier(layout.localization, earlier)}.`] : [];
}

/** Describes which column is incomplete. */
function describePart({ layout, dataEnd, compared }: Picture, columns: readonly PictureColumn[]): string[] {
  const { say, month, day } = layout.localization;
  if (compared !== undefined) {
    const days = describeParts(layout.localization, compared.months);
    return days === undefined ? [] : [`${days}.`];
  }
  const part = columns.find(({ isPart }) => isPart);
  if (part === undefined) return [];
  const period = isByYear(columns) ? part.value : month(part.value, 'long');
  return [say('chart.part', { period, day: day(dataEnd) })];
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
  const isPreview = picture.measure !== undefined;
  const period = describePeriod(picture);
  const summary =
    picture.compared?.sentence ??
    (stats.total === 0
      ? say('picture.none')
      : count('chart.summary', stats.total, { subject: layout.city.name, period }));
  const notes = [
    ...(isByYear(columns) ? [`${say('chart.title.years')}.`] : []),
    ...describeFirst(picture, columns),
    ...(isPreview ? [] : describePart(picture, columns)),
  ];
  const size = isPreview ? 22 : 18;
  const title = wrapText(picture, { text: nameSubject(picture), size, color: INK, isBold: true });
  const others = [
    ...wrapText(picture, { text: summary, size: 13, color: MUTED }),
    ...(notes.length === 0 ? [] : wrapText(picture, { text: notes.join(' '), size: 12, color: MUTED })),
  ];
  if (!isPreview || title.length <= TITLE_LINES) return [...title, ...others];
  const last = title[TITLE_LINES - 1]!;
  return [...title.slice(0, TITLE_LINES - 1), { ...last, text: `${last.text} …` }, ...others];
}

type Line = Pick<Text, 'text' | 'size' | 'color' | 'isBold'>;

/** Breaks a text into lines. A word that is wider than the picture is cut off at its edge. */
function wrapText({ width, measure = measureTextWidth }: Picture, line: Line): Line[] {
  if (measure(line.text) === undefined) return [];
  const texts = wrapWords(toXmlText(line.text), (width - 2 * EDGE) / line.size, (text) => measure(text)!);
  return texts.map((text) => ({ ...line, text }));
}

const lineHeight = ({ size }: Line): number => Math.round(size * 1.4);

function measureHeight(lines: readonly Line[]): number {
  return lines.reduce((sum, line) => sum + lineHeight(line), 0);
}

function placeLines({ layout, width }: Picture, lines: readonly Line[], top: number): Text[] {
  const isRtl = layout.localization.direction === 'rtl';
  let y = top;
  return lines.map((line) => {
    y += lineHeight(line);
    return { ...line, x: isRtl ? width - EDGE : EDGE, y, anchor: isRtl ? 'end' : 'start', isRtl };
  });
}

/** Removes invisible characters and those that XML does not allow. */
function toXmlText(text: string): string {
  return removeInvisibles(text).replace(/[\ufffe\uffff]/g, '');
}

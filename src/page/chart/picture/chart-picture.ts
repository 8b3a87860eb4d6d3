/**
 * Draws the chart as a picture for other sites: an SVG without script, style or links, on a light background. Breaks
 * texts into lines, because SVG does not wrap them.
 */

import type { Stats } from '../../../shared/answers.ts';
import { listPublishers } from '../../../shared/city/city-facts.ts';
import type { Day, Month } from '../../../shared/day.ts';
import {
  ALL_TIME,
  clipDays,
  type Days,
  isPartly,
  isSameDays,
  spanMonths,
  spanYear,
} from '../../../shared/periods.ts';
import { removeInvisibles } from '../../../shared/text/visible-text.ts';
import { markup } from '../../markup.ts';
import { describeDataEnd, describeRegistered, describeSubject } from '../../question-text.ts';
import type { Searched } from '../../search-view.ts';
import { describeDays } from '../chart.ts';
import { type ChartMonth, findDays, listYears } from '../chart-months.ts';
import { describeEarlier } from '../years.ts';
import {
  cutText,
  drawColumns,
  EDGE,
  isByYear,
  listColors,
  MUTED,
  measureLabels,
  measureTextWidth,
  type PictureColumn,
  wrapWords,
} from './columns.ts';
import { type Column, type Drawing, round, type Text } from './drawing.ts';
import { renderDrawing } from './svg.ts';

const INK = '#17211c';
const BOLD = 1.1; // how much wider bold letters are

/** The size of a preview of a link, and its enlargement to the 1200 by 630 pixels that are shown without being cropped. */
export const PREVIEW = { width: 480, height: 252, scale: 2.5 };
export const USUAL_WIDTH = 800;
const PREVIEW_EDGE = 6; // above the title
const PREVIEW_LINES = 2; // of each text
const MOST_MONTHS = 60; // more would be too narrow in the smallest picture

/** What a comparison with the year before shows. */
export type ChartComparison = {
  title: string;
  sentence: string;
  /** Oldest first. */
  months: readonly ChartMonth[];
  legend: readonly [now: string, before: string];
};

export type Picture = Searched & {
  compared?: ChartComparison | undefined;
  stats: Pick<Stats, 'total' | 'byMonth'>;
  /** The start and the end of the data. */
  dataStart: Month | undefined;
  dataEnd: Day;
  width: number;
  /** The height of a preview of a link. All other pictures are as high as their texts need. */
  height?: number;
};

/** Renders the picture as SVG. */
export function renderChartPicture(picture: Picture): string {
  const columns = listPictureColumns(picture);
  const drawing = drawPicture(picture, columns);
  const { width, height } = drawing;
  const { localization } = picture.layout;
  const notes = [...describeFirst(picture, columns), ...describePart(picture, columns)];
  const isCounted = picture.compared === undefined && picture.stats.total > 0;
  const summary = summarize(picture).replace(/\.?$/, '.');
  const told = [
    isCounted && `${nameUnit(picture, columns)}.`,
    summary,
    ...notes.map((note) => `${note}.`),
    describeDate(picture),
  ];
  return markup`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img"
 aria-labelledby="title text" lang="${localization.language}" font-family="system-ui, sans-serif">
<title id="title">${toXmlText(`${nameSubject(picture)}, ${localization.say('title')}`)}</title>
<desc id="text">${toXmlText(told.filter(Boolean).join(' '))}</desc>
${renderDrawing(drawing)}
</svg>
`.html;
}

function nameSubject(picture: Picture): string {
  return picture.compared?.title ?? describeSubject(picture);
}

export function drawPicture(picture: Picture, columns = listPictureColumns(picture)): Drawing {
  const { layout, width, height } = picture;
  const heading = wrapHeading(picture);
  const source = wrapText(picture, { text: formatSource(picture), size: 12, color: MUTED });
  const edge = height === undefined ? EDGE : PREVIEW_EDGE;
  const legend = drawLegend(picture, columns, edge + measureHeight(heading));
  const top = legend.bottom + 18;
  const labelsHeight = measureLabels(columns, width);
  const below = labelsHeight + measureHeight(source) + 10;
  const bottom = height === undefined ? Math.round(top + width * 0.32) : height - below;
  const plot = drawColumns({ layout, width, top, bottom, columns });
  const texts = [
    ...placeLines(picture, heading, edge),
    ...legend.texts,
    ...plot.texts,
    ...placeLines(picture, source, bottom + labelsHeight),
  ];
  return { ...plot, columns: [...plot.columns, ...legend.columns], width, height: bottom + below, texts };
}

function nameUnit({ layout }: Picture, columns: readonly PictureColumn[]): string {
  return layout.localization.say(isByYear(columns) ? 'chart.title.years' : 'chart.title.months');
}

const LEGEND = { size: 13, line: 20, swatch: 11, gap: 6, between: 18 };

/**
 * Says what is counted, and draws the two colors of a comparison, the earlier first as in its columns, and the hatching,
 * with their meaning.
 */
function drawLegend(picture: Picture, all: readonly PictureColumn[], top: number) {
  const { layout, compared, width } = picture;
  const [now, before] = listColors(layout);
  const [nowText, beforeText] = compared?.legend ?? [];
  const items: { text?: string | undefined; color?: string; isPart?: boolean }[] = [
    ...[nameUnit(picture, all), ...describeFirst(picture, all)].map((text) => ({ text })),
    { text: beforeText, color: before },
    { text: nowText, color: now },
    ...describePart(picture, all).map((text) => ({ text, color: now, isPart: true })),
  ];
  const [columns, texts]: [Column[], Text[]] = [[], []];
  const { size, line, swatch, gap, between } = LEGEND;
  const isRtl = layout.localization.direction === 'rtl';
  const widest = (width - 2 * EDGE - swatch - gap) / size;
  let [x, y] = [EDGE, top + line];
  for (const { text: whole, color, isPart = false } of items) {
    if (whole === undefined) continue;
    const text = cutText(toXmlText(whole), widest, measureTextWidth);
    const indent = color === undefined ? 0 : swatch + gap;
    const length = indent + measureTextWidth(text) * size;
    if (x + length > width - EDGE) [x, y] = [EDGE, x === EDGE ? y : y + line];
    const [swatchX, textX] = isRtl ? [width - x - swatch, width - x - indent] : [x, x + indent];
    if (color) columns.push({ color, isPart, x: swatchX, y: y - swatch + 1, width: swatch, height: swatch });
    texts.push({ text, x: textX, y, size, color: MUTED, anchor: isRtl ? 'end' : 'start', isRtl });
    x = round(x + length + between);
  }
  return { columns, texts, bottom: y };
}

/** Lists the years, as the page does, or the months of a short period. Oldest first. */
function listPictureColumns({
  question,
  stats: { byMonth },
  dataStart,
  dataEnd,
  compared,
}: Picture): PictureColumn[] {
  if (compared !== undefined)
    return compared.months.map(({ month, ...counts }) => ({ value: month, ...counts }));
  const { years } = listYears(byMonth, dataStart);
  const isShort = !isSameDays(question, ALL_TIME) && byMonth.length <= MOST_MONTHS;
  const columns =
    isShort || years.length < 2
      ? byMonth.map(({ value, count }) => ({ value, days: spanMonths(value), count })).reverse()
      : years.map(({ year, count }) => ({ value: year, days: spanYear(year), count }));
  const endsInside = clipDays(question, dataEnd).filed_to === dataEnd;
  const isPart = (days: Days) => endsInside && isPartly(days, dataEnd);
  return columns.map(({ value, days, count }) => ({ value, count, isPart: isPart(days) }));
}

/** Says how many there are, or compares two years. */
function summarize(picture: Picture): string {
  const { layout, stats, compared } = picture;
  const { say, count } = layout.localization;
  const values = { subject: layout.city.name, period: describePeriod(picture) };
  if (compared !== undefined) return compared.sentence;
  return stats.total === 0 ? say('picture.none') : count('chart.summary', stats.total, values);
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
function describeFirst({ layout, stats, dataStart }: Picture, columns: readonly PictureColumn[]): string[] {
  const earlier = isByYear(columns) && listYears(stats.byMonth, dataStart).earlier;
  return earlier ? [describeEarlier(layout.localization, earlier)] : [];
}

/** Describes which columns are hatched, because only a part of their days counts. */
function describePart({ layout, dataEnd, compared }: Picture, columns: readonly PictureColumn[]): string[] {
  const { say, monthDay } = layout.localization;
  const parts = compared?.months.filter(({ isPart }) => isPart).map(({ days }) => days);
  const part = columns.find(({ isPart }) => isPart)?.value;
  if (part === undefined) return [];
  if (isByYear(columns)) return [say('chip.until', { year: part, day: monthDay(dataEnd, 'short', part) })];
  return describeDays(layout.localization, parts ?? [{ ...spanMonths(part), filed_to: dataEnd }]);
}

/** Says how new the data is, unless there may be none. */
function describeDate({ layout, stats, dataEnd }: Picture): string {
  return stats.total === 0 ? '' : describeDataEnd(layout, dataEnd);
}

/** Names the date of the data, its publisher and the address of the search. */
function formatSource(picture: Picture): string {
  const { city, publicUrl } = picture.layout;
  return `${describeDate(picture)} ${listPublishers(city)}. ${new URL(publicUrl).host}`.trim();
}

function wrapHeading(picture: Picture): Line[] {
  const { layout, question, stats, dataEnd, compared } = picture;
  const [sentence, below] =
    compared !== undefined || stats.total === 0 || question.q !== '' // whose letters a picture may not have
      ? [nameSubject(picture), summarize(picture)]
      : [
          describeRegistered(picture, stats.total, dataEnd),
          `${layout.city.name}, ${describePeriod(picture)}`,
        ];
  const sizes = picture.height === undefined ? [18] : [22, 18];
  const titles = sizes.map((size) => wrapText(picture, { text: sentence, size, color: INK, isBold: true }));
  const title = titles.find(({ length }) => length === 1) ?? titles.at(-1)!;
  return [...title, ...wrapText(picture, { text: below, size: 13, color: MUTED })];
}

type Line = Pick<Text, 'text' | 'size' | 'color' | 'isBold'>;

/** Breaks a text into lines. Cuts off what is too wide or, in a preview, too long. */
function wrapText({ width, height }: Picture, line: Line): Line[] {
  const widest = (width - 2 * EDGE) / line.size;
  const measured = (text: string) => measureTextWidth(text) * (line.isBold ? BOLD : 1);
  const all = wrapWords(toXmlText(line.text), widest, measured);
  const whole = height === undefined ? all.length : PREVIEW_LINES - 1;
  const texts = [...all.slice(0, whole), ...(all.length > whole ? [all.slice(whole).join(' ')] : [])];
  return texts.map((text) => ({ ...line, text: cutText(text, widest, measured) }));
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

/** Makes the parts of an edition that look like a newspaper: masthead, twelve weeks as bars, and kinds as tiles. */

import type { Localization } from '../../shared/city/localization.ts';
import type { Day } from '../../shared/day.ts';
import type { Count } from '../../shared/edition/edition.ts';
import type { WeekInContext } from '../../shared/edition/week.ts';
import { escapeMarkup } from '../../shared/text/escape.ts';
import { countGroups, describeKindless, MARK_COLORS } from '../kinds/kinds.ts';
import { EMAIL_LOOK, type EmailPart, MUTED, SERIF, wrapText } from './email-layout.ts';

const HIGHEST = 72; // of the bars, in pixels
const FEWEST_WEEKS = 3;
const ACROSS = 3; // tiles, which fit a narrow phone
const QUIET = '#d5dbd6';
const TABLE = '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"';

/** Makes the line above the headline: the name of the page and the day. */
export function makeMasthead({ say, monthDay }: Localization, edition: Day): EmailPart {
  const [name, day] = [say('title'), monthDay(edition, 'long', '')];
  const style = `padding:0 0 10px;border-bottom:1px solid #d8dee4;font-size:14px;line-height:1.4`;
  const html = `${TABLE}><tr><td class="ink line" style="${style}"><strong>${escapeMarkup(name)}</strong></td><td
 class="muted line" align="right" style="${style};color:${MUTED};white-space:nowrap">${escapeMarkup(day)}</td></tr></table>`;
  return { html, text: `${name}\n${day}` };
}

/** Makes the bars of the weeks as cells of a table, this week in the color of the city, and what is usual. The text lists the numbers. */
export function makeWeeks(
  localization: Localization,
  { weeks, usual }: WeekInContext,
  accent: string,
): EmailPart[] {
  if (weeks.length < FEWEST_WEEKS) return [];
  const { say, count, monthDay, number } = localization;
  const typical = usual === undefined ? '' : count('home.usual', usual);
  const most = Math.max(1, ...weeks.map(({ total }) => total));
  const [first, last] = [weeks[0]!, weeks.at(-1)!];
  const bars = weeks.map((week) => {
    const height = Math.max(week.total === 0 ? 1 : 3, Math.round((week.total / most) * HIGHEST));
    const [look, color] = week === last ? ['now', accent] : ['quiet', QUIET];
    const total =
      week === last &&
      `<div class="ink" align="center" style="font-size:13px;font-weight:600;color:#1f2328">${number(week.total)}</div>`;
    return `<td valign="bottom" style="height:${HIGHEST + 20}px;padding:0 3px 0 0">${total || ''}<div class="${look}"
 style="height:${height}px;line-height:1px;font-size:1px;background:${color};border-radius:2px 2px 0 0">&nbsp;</div></td>`;
  });
  const day = (edition: Day) => monthDay(edition, 'short', last.edition.slice(0, 4));
  const point = ({ edition, total }: { edition: Day; total: number }) =>
    say('chart.point', { period: day(edition), n: number(total) });
  const caption = (text: string, align: string) =>
    `<td class="muted" align="${align}" style="padding:4px 0 0;font-size:13px;color:${MUTED}">${escapeMarkup(text)}</td>`;
  const html = `${TABLE} aria-hidden="true" style="margin:20px 0 0;table-layout:fixed"><tr>${bars.join('')}</tr></table>
${TABLE}><tr>${caption(day(first.edition), 'left')}${caption(typical, 'center')}${caption(day(last.edition), 'right')}</tr></table>`;
  const text = `${wrapText(`${say('weeks.title')}: ${weeks.map(point).join('; ')}.`)}\n${typical}`.trimEnd();
  return [{ html, text }];
}

/** Makes a tile for each group of kinds with listings: its number, and its name below a line in its color. */
export function makeTiles(localization: Localization, byCategory: readonly Count[]): EmailPart[] {
  const { say, number } = localization;
  const groups = [...countGroups(byCategory)].filter(([, n]) => n > 0);
  if (groups.length < 2) return [];
  const tiles = groups.map(([group, n], i) => {
    const between = i % ACROSS === ACROSS - 1 ? 0 : 6; // the last of a line ends where the line ends
    const color = MARK_COLORS[group].light;
    const top = `<div class="${group}" style="height:4px;line-height:4px;font-size:1px;background:${color}">&nbsp;</div>`;
    return `<td width="33%" valign="top" style="padding:18px ${between}px 0 0">${top}<div class="ink"
 style="margin:8px 0 0;font:bold 26px/1 ${SERIF};color:#1f2328">${number(n)}</div><div class="muted"
 style="margin:3px 0 0;font-size:12px;line-height:1.3;color:${MUTED}">${escapeMarkup(say(`group.${group}`))}</div></td>`;
  });
  const lines = [tiles.slice(0, ACROSS), tiles.slice(ACROSS)].filter(({ length }) => length > 0);
  const html = `${TABLE} style="margin:6px 0 8px;table-layout:fixed">${lines.map((line) => `<tr>${line.join('')}</tr>`).join('')}</table>`;
  const text = groups.map(([group, n]) => `${say(`group.${group}`)}: ${number(n)}`).join(', ');
  const kindless = describeKindless(localization, byCategory);
  const below = kindless === undefined ? '' : `\n${EMAIL_LOOK.small(escapeMarkup(kindless))}`;
  return [{ html: html + below, text: wrapText([`${text}.`, kindless].filter(Boolean).join(' ')) }];
}

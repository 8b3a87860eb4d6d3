/** The plain text of a weekly email. It says all that the HTML says, and reads well by itself. */

import type { Localization } from '../../city/localization.ts';
import { wrapText } from '../email-layout.ts';
import type { EditionFacts, EditionView } from './edition-view.ts';

export function renderEditionText(
  localization: Localization,
  view: EditionView,
  { links, isExample }: EditionFacts,
): string {
  const { say, language } = localization;
  const upper = (text: string) => text.toLocaleUpperCase(language);
  const link = (label: string, href: string) => `${label}:\n${href}`;
  return `${[
    wrapText(upper(view.title)),
    wrapText(view.glance),
    wrapText(view.span),
    isExample ? wrapText(say('edition.example')) : link(view.browser.label, view.browser.href),
    ...view.groups.map(({ title, listings }) =>
      [upper(title), ...listings.map(({ name, detail }) => `* ${name}\n  ${detail}`)].join('\n'),
    ),
    ...view.rest.map(wrapText),
    ...view.more.map(({ label, href }) => link(label, href)),
    ...view.tables.map(({ title, rows }) =>
      [
        `${upper(title)} (${view.columns.join(', ')})`,
        ...rows.map((row) => formatRow(localization, view, row)),
      ].join('\n'),
    ),
    '--',
    wrapText(view.why),
    link(say('email.unsubscribe'), links.unsubscribe),
    link(say('email.change'), links.manage),
    ...view.sources.map(wrapText),
    wrapText(view.sender),
  ].join('\n\n')}\n`;
}

function formatRow(
  { say }: Localization,
  { columns }: EditionView,
  { value, count, before }: EditionView['tables'][number]['rows'][number],
): string {
  return columns.length > 1
    ? say('edition.row.before', { value, n: count, before })
    : say('edition.row', { value, n: count });
}

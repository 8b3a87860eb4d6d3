/** The weekly email, as HTML and as plain text. A pure function of a part of an edition. */

import { type Localization, localizationFor } from '../../city/localization.ts';
import { escapeMarkup } from '../../listings/escape.ts';
import {
  cellStyles,
  type EmailBody,
  renderFrame,
  renderHeading,
  renderLink,
  renderParagraph,
  renderSmallPrint,
  STYLE,
} from '../email-layout.ts';
import { renderEditionText } from './edition-text.ts';
import { type EditionFacts, type EditionView, makeEditionView } from './edition-view.ts';

export function renderEditionEmail(facts: EditionFacts): EmailBody {
  const view = makeEditionView(facts);
  const localization = localizationFor(facts.city);
  const html = renderFrame({
    city: facts.city,
    title: view.title,
    preheader: view.glance,
    body: [
      ...renderOpening(localization, view, facts),
      ...renderGroups(localization, view),
      ...view.rest.map((sentence) => renderParagraph(escapeMarkup(sentence))),
      ...view.more.map(({ href, label }) => renderParagraph(renderLink(href, label))),
      ...renderTables(localization, view),
    ].join('\n'),
    footer: renderFooter(localization, view, facts),
  });
  return { subject: view.title, html, text: renderEditionText(localization, view, facts) };
}

function renderOpening({ say }: Localization, view: EditionView, { isExample }: EditionFacts): string[] {
  const { title, glance, span, browser } = view;
  const note = `<strong>${escapeMarkup(say('edition.example'))}</strong>`;
  return [
    renderHeading(title),
    renderParagraph(escapeMarkup(glance)),
    renderSmallPrint(
      isExample ? escapeMarkup(span) : `${escapeMarkup(span)} ${renderLink(browser.href, browser.label)}`,
    ),
    ...(isExample ? [renderSmallPrint(note)] : []),
  ];
}

function renderGroups(localization: Localization, { groups }: EditionView): string[] {
  const { row } = cellStyles(localization);
  return groups.map(
    ({ title, listings }) => `<h2 class="ink" style="${STYLE.h2}">${escapeMarkup(title)}</h2>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">
${listings.map(({ name, detail, href }) => `<tr><td class="ink line" style="${row}"><strong>${renderLink(href, name)}</strong><br><span class="muted" style="${STYLE.muted}">${escapeMarkup(detail)}</span></td></tr>`).join('\n')}
</table>`,
  );
}

function renderTables(localization: Localization, { columns, tables }: EditionView): string[] {
  const style = cellStyles(localization);
  const head = (label: string) =>
    `<th scope="col" class="muted" style="${style.head}">${escapeMarkup(label)}</th>`;
  const number = (n: number, ink: 'ink' | 'muted') =>
    `<td class="${ink} line" style="${style.number}">${localization.number(n)}</td>`;
  const row = ({ value, count, before }: EditionView['tables'][number]['rows'][number]) =>
    `<tr><th scope="row" class="ink line" style="${style.row};font-size:15px">${escapeMarkup(value)}</th>${number(count, 'ink')}${columns.length > 1 ? number(before, 'muted') : ''}</tr>`;
  return tables.map(
    ({ title, rows }) => `<h2 class="ink" style="${STYLE.h2}">${escapeMarkup(title)}</h2>
<table width="100%" cellpadding="0" cellspacing="0" border="0">
<tr><td></td>${columns.map(head).join('')}</tr>
${rows.map(row).join('\n')}
</table>`,
  );
}

function renderFooter({ say }: Localization, view: EditionView, { links }: EditionFacts): string {
  return [
    renderSmallPrint(escapeMarkup(view.why)),
    renderSmallPrint(
      `${renderLink(links.unsubscribe, say('email.unsubscribe'))} &middot; ${renderLink(links.manage, say('email.change'))}`,
    ),
    ...view.sources.map((line) => renderSmallPrint(escapeMarkup(line))),
    renderSmallPrint(escapeMarkup(view.sender)),
  ].join('\n');
}

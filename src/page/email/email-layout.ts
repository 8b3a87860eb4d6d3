/** Composes emails from parts in HTML and plain text: one column, readable without images and in dark mode. */

import { readFileSync } from 'node:fs';
import type { CityFacts } from '../../shared/city/city-facts.ts';
import { type Localization, localizationFor } from '../../shared/city/localization.ts';
import { splitIntroduction } from '../../shared/edition/introduction.ts';
import { escapeMarkup } from '../../shared/text/escape.ts';
import type { MarkdownLook } from '../../shared/text/markdown.ts';
import { DEFAULT_ACCENT, deriveAccents } from '../color.ts';
import { listDarkMarks } from '../kinds/kinds.ts';

/** An email as HTML and as plain text. The sender adds the headers. */
export type EmailBody = { subject: string; html: string; text: string };

/** A part of an email. `html` or `text` may be empty. `html` must be escaped. */
export type EmailPart = { html: string; text: string };

type Email = {
  city: CityFacts;
  subject: string;
  /** The preview text that mail programs show next to the subject. */
  preheader: string;
  body: readonly EmailPart[];
  footer: readonly EmailPart[];
};

type Link = { label: string; href: string };

const INK = '#1f2328';
export const MUTED = '#59636e';
const LINE = '#d8dee4';
/** The display font of emails: what every system has. */
export const SERIF = "Georgia,'Times New Roman',serif";
const PAGE = readFileSync(new URL('../../data/email-frame.txt', import.meta.url), 'utf8');

/** Inline styles, because some mail programs remove all others. Classes only change colors in dark mode. */
const STYLE = {
  h1: `margin:20px 0 6px;font:bold 32px/1.12 ${SERIF};color:${INK};overflow-wrap:break-word`,
  h2: `margin:30px 0 0;padding:0 0 5px;border-bottom:2px solid ${INK};font:bold 20px/1.25 ${SERIF};color:${INK}`,
  h3: `margin:28px 0 4px;font:bold 18px/1.3 ${SERIF};color:${INK};overflow-wrap:anywhere`,
  p: `margin:12px 0;font-size:16px;line-height:1.5;color:${INK};overflow-wrap:anywhere`,
  row: `padding:10px 0;border-bottom:1px solid ${LINE};font-size:16px;line-height:1.35;color:${INK}`,
  name: 'color:inherit;text-decoration:none',
  detail: `color:${MUTED};font-size:14px;line-height:1.45`,
  small: `margin:8px 0;font-size:13px;line-height:1.5;color:${MUTED};overflow-wrap:anywhere`,
  button: `display:inline-block;padding:12px 20px;border-radius:8px;background:${INK};color:#ffffff;
font-size:16px;font-weight:600;text-decoration:none`,
} as const;

/** Renders elements. Their content must be escaped, except the label of a link. */
export const EMAIL_LOOK = {
  heading: (html) => `<h2 class="ink" style="${STYLE.h3}">${html}</h2>`,
  paragraph: (html) => `<p class="ink" style="${STYLE.p}">${html}</p>`,
  small: (html: string) => `<p class="muted" style="${STYLE.small}">${html}</p>`,
  list(tag, items) {
    const lines = items.map((html) => `<li style="margin:6px 0">${html}</li>`).join('\n');
    return `<${tag} class="ink" style="${STYLE.p};padding-left:24px">\n${lines}\n</${tag}>`;
  },
  link: (href, label) =>
    `<a href="${escapeMarkup(href)}" style="color:inherit;text-decoration:underline">${escapeMarkup(label)}</a>`,
  code: (html) => `<code>${html}</code>`,
} satisfies MarkdownLook & { small(html: string): string };

export function composeEmail({ city, subject, preheader, body, footer }: Email): EmailBody {
  const { language, direction } = localizationFor(city);
  const join = (parts: readonly EmailPart[], form: 'html' | 'text', by: string) =>
    parts.flatMap((part) => (part[form] === '' ? [] : [part[form]])).join(by);
  const values: Record<string, string> = {
    ...{ language: escapeMarkup(language), direction, side: direction === 'rtl' ? 'right' : 'left' },
    ...{ subject: escapeMarkup(subject), preheader: escapeMarkup(preheader) },
    accent: escapeMarkup(city.accent ?? DEFAULT_ACCENT),
    ...{ marks: listDarkMarks(), dark: deriveAccents(city.accent ?? DEFAULT_ACCENT).dark },
    ...{ body: join(body, 'html', '\n'), footer: join(footer, 'html', '\n') },
  };
  const html = PAGE.replace(/\{([a-z]+)\}/g, (_, key: string) => values[key]!);
  const text = `${join([...body, { html: '', text: '--' }, ...footer], 'text', '\n\n')}\n`;
  return { subject, html, text };
}

/** Makes the heading of an email. `text` is its plain-text form, empty by default. */
export function makeHeading(title: string, text = ''): EmailPart {
  return { html: `<h1 class="ink" style="${STYLE.h1}">${escapeMarkup(title)}</h1>`, text };
}

export function makeParagraph(sentence: string): EmailPart {
  return { html: EMAIL_LOOK.paragraph(escapeMarkup(sentence)), text: wrapText(sentence) };
}

/** Makes the operator's introduction to an edition: a part for each paragraph. */
export function makeIntroduction(text: string): EmailPart[] {
  return splitIntroduction(text).map((pieces) => {
    const html = pieces.map(({ text: words, href }) =>
      href === undefined ? escapeMarkup(words).replaceAll('\n', '<br>') : EMAIL_LOOK.link(href, words),
    );
    const words = pieces.map(({ text: one }) => one).join('');
    const lines = words.split('\n').map((line) => wrapText(line));
    return { html: EMAIL_LOOK.paragraph(html.join('')), text: lines.join('\n') };
  });
}

export function makeSmallPrint(sentence: string): EmailPart {
  return { html: EMAIL_LOOK.small(escapeMarkup(sentence)), text: wrapText(sentence) };
}

/** Makes a row of links. The plain text lists them with their URLs. */
export function makeSmallLinks(...links: readonly Link[]): EmailPart {
  const html = links.map(({ label, href }) => EMAIL_LOOK.link(href, label)).join(' &middot; ');
  return { html: EMAIL_LOOK.small(html), text: links.map(writeLink).join('\n\n') };
}

/** Makes a link that looks like a button in every mail program. */
export function makeButton(href: string, label: string): EmailPart {
  const attributes = `class="button" href="${escapeMarkup(href)}" style="${STYLE.button}"`;
  const html = `<p style="margin:20px 0"><a ${attributes}>${escapeMarkup(label)}</a></p>`;
  return { html, text: writeLink({ label, href }) };
}

/** A link with a line of details, a day, and the class and color of its mark. */
type Row = Link & { detail: string; day: string; mark: readonly [look: string, color: string] };

/** Makes a section of a newspaper: a title with its number, a row for each link, and `more` after them. */
export function makeRows(
  { language, direction }: Localization,
  { title, n }: { title: string; n: string },
  rows: readonly Row[],
  more?: Link,
): EmailPart {
  const [side, end] = direction === 'rtl' ? ['right', 'left'] : ['left', 'right'];
  const html = rows.map(({ label, href, detail, day, mark: [look, color] }) => {
    const below = `<div class="muted" style="${STYLE.detail}">${escapeMarkup(detail)}</div>`;
    const mark = `<td class="line" width="16" style="${STYLE.row}"><div class="${look}"
 style="width:4px;height:36px;font-size:1px;background:${color};border-radius:2px">&nbsp;</div></td>`;
    const name = `<td class="ink line" align="${side}"
 style="${STYLE.row};overflow-wrap:anywhere"><strong><a href="${escapeMarkup(href)}" style="${STYLE.name}">${escapeMarkup(label)}</a></strong>${below}</td>`;
    const when = `<td class="muted line" align="${end}" valign="middle"
 style="${STYLE.row};padding-${side}:12px;${STYLE.detail};white-space:nowrap">${escapeMarkup(day)}</td>`;
    return `<tr>${mark}${name}${when}</tr>`;
  });
  const number = `<span class="muted" style="float:${end};color:${MUTED};font-weight:normal">${escapeMarkup(n)}</span>`;
  return {
    html: [
      `<h2 class="ink rule" style="${STYLE.h2}">${number}${escapeMarkup(title)}</h2>`,
      '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">',
      ...html,
      '</table>',
      ...(more ? [EMAIL_LOOK.small(EMAIL_LOOK.link(more.href, more.label))] : []),
    ].join('\n'),
    text: [
      `${title} (${n})`.toLocaleUpperCase(language),
      ...rows.map(({ label, detail, day, href }) => {
        const facts = [detail, day].filter((one) => one !== '').join(', ');
        return `* ${label}\n  ${facts}\n  ${href}`;
      }),
      ...(more ? [writeLink(more)] : []),
    ].join('\n'),
  };
}

/** Makes a section of links on one line. */
export function makeLinks({ language }: Localization, title: string, links: readonly Link[]): EmailPart {
  const { html, text } = makeSmallLinks(...links);
  const heading = `<h2 class="ink rule" style="${STYLE.h2}">${escapeMarkup(title)}</h2>`;
  return { html: `${heading}\n${html}`, text: `${title.toLocaleUpperCase(language)}\n${text}` };
}

export function makeSender({ operator }: CityFacts, postalAddress: string | undefined): EmailPart {
  const { name, contact } = operator;
  return makeSmallPrint(postalAddress === undefined ? `${name}. ${contact}` : `${name}, ${postalAddress}`);
}

export function renderTestEmail(city: CityFacts, postalAddress: string | undefined): EmailBody {
  const subject = `Test email: new businesses in ${city.name}`;
  const sentence = 'Email works. This message was sent with "shingle mail test".';
  return composeEmail({
    ...{ city, subject, preheader: sentence },
    body: [makeHeading(subject, subject), makeParagraph(sentence)],
    footer: [makeSender(city, postalAddress)],
  });
}

function writeLink({ label, href }: Link): string {
  return `${label}${label.endsWith('?') ? '' : ':'}\n${href}`;
}

/** Wraps plain text at spaces into lines of at most `width` characters. A longer word gets its own line. */
export function wrapText(text: string, width = 76): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/[^\S\u00a0\u202f]+/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join('\n');
}

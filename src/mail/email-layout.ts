/** Composes emails from parts in HTML and plain text: one column, readable without images and in dark mode. */

import type { City } from '../city/define.ts';
import { type Localization, localizationFor } from '../city/localization.ts';
import { escapeMarkup } from '../listings/escape.ts';

/** An email as HTML and as plain text. The sender adds the headers. */
export type EmailBody = { subject: string; html: string; text: string };

/** A part of an email. `html` or `text` may be empty. `html` must be escaped. */
export type EmailPart = { html: string; text: string };

type Email = {
  city: City;
  subject: string;
  /** The preview text that mail programs show next to the subject. */
  preheader: string;
  body: readonly EmailPart[];
  footer: readonly EmailPart[];
};

const EMAIL_ACCENT = '#0b6e4f';
const FONT = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const INK = '#1f2328';
const MUTED = '#59636e';
const LINE = '#d8dee4';

/** Inline styles, because some mail programs remove all others. Classes only change colors in dark mode. */
export const STYLE = {
  h1: `margin:0 0 4px;font-size:24px;line-height:1.25;color:${INK};overflow-wrap:anywhere`,
  h2: `margin:28px 0 4px;font-size:17px;line-height:1.3;color:${INK};overflow-wrap:anywhere`,
  p: `margin:12px 0;font-size:16px;line-height:1.5;color:${INK};overflow-wrap:anywhere`,
  muted: `color:${MUTED};font-size:14px;line-height:1.45`,
  small: `margin:8px 0;font-size:13px;line-height:1.5;color:${MUTED};overflow-wrap:anywhere`,
} as const;

export function rowStyle({ direction }: Localization): string {
  const start = direction === 'rtl' ? 'right' : 'left';
  return `padding:9px 0;border-top:1px solid ${LINE};font-size:16px;line-height:1.35;color:${INK};text-align:${start};font-weight:normal;overflow-wrap:anywhere`;
}

const DARK = `@media (prefers-color-scheme:dark){
.page,.sheet{background:#15191e!important}
.ink,.ink a{color:#e6edf3!important}
.muted,.muted a{color:#9aa5b1!important}
.line{border-color:#343b44!important}
.button{background:#e6edf3!important;color:#15191e!important}
}`;

export function composeEmail({ city, subject, preheader, body, footer }: Email): EmailBody {
  const { language, direction } = localizationFor(city);
  const side = direction === 'rtl' ? 'right' : 'left';
  const join = (parts: readonly EmailPart[], form: 'html' | 'text', by: string) =>
    parts.flatMap((part) => (part[form] === '' ? [] : [part[form]])).join(by);
  const text = `${join([...body, { html: '', text: '--' }, ...footer], 'text', '\n\n')}\n`;
  const html = `<!doctype html>
<html lang="${escapeMarkup(language)}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeMarkup(subject)}</title>
<style>:root{color-scheme:light dark}${DARK}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#ffffff;-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden">${escapeMarkup(preheader)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center" style="padding:0 16px">
<table role="presentation" class="sheet" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px;font-family:${FONT};background:#ffffff">
<tr><td style="height:6px;line-height:6px;font-size:0;background:${escapeMarkup(city.accent ?? EMAIL_ACCENT)}">&nbsp;</td></tr>
<tr><td style="padding:24px 0;text-align:${side}">
${join(body, 'html', '\n')}
</td></tr>
<tr><td class="line" style="padding:16px 0 32px;border-top:1px solid ${LINE};text-align:${side}">
${join(footer, 'html', '\n')}
</td></tr>
</table>
</td></tr></table>
</body>
</html>
`;
  return { subject, html, text };
}

/** Makes the heading of an email. `text` is its plain-text form, empty by default. */
export function makeHeading(title: string, text = ''): EmailPart {
  return { html: `<h1 class="ink" style="${STYLE.h1}">${escapeMarkup(title)}</h1>`, text };
}

export function makeParagraph(sentence: string): EmailPart {
  return { html: renderParagraph(escapeMarkup(sentence)), text: wrapText(sentence) };
}

export function makeSmallPrint(sentence: string): EmailPart {
  return { html: renderSmallPrint(escapeMarkup(sentence)), text: wrapText(sentence) };
}

/** Makes a row of links. The plain text lists them with their URLs. */
export function makeSmallLinks(...links: readonly { label: string; href: string }[]): EmailPart {
  return {
    html: renderSmallPrint(links.map(({ label, href }) => renderLink(href, label)).join(' &middot; ')),
    text: links.map(writeLink).join('\n\n'),
  };
}

/** Makes a link that looks like a button in every mail program. */
export function makeButton(href: string, label: string): EmailPart {
  const html = `<p style="margin:20px 0"><a class="button" href="${escapeMarkup(href)}" style="display:inline-block;padding:12px 20px;border-radius:6px;background:${INK};color:#ffffff;font-size:16px;font-weight:600;text-decoration:none">${escapeMarkup(label)}</a></p>`;
  return { html, text: writeLink({ label, href }) };
}

export function makeSender({ operator }: City, postalAddress: string | undefined): EmailPart {
  return makeSmallPrint(
    postalAddress === undefined
      ? `${operator.name}. ${operator.contact}`
      : `${operator.name}, ${postalAddress}`,
  );
}

export function renderTestEmail(city: City, postalAddress: string | undefined): EmailBody {
  const subject = `Test email: new businesses in ${city.name}`;
  const sentence = 'Email works. This message was sent with "shingle mail test".';
  return composeEmail({
    city,
    subject,
    preheader: sentence,
    body: [makeHeading(subject, subject), makeParagraph(sentence)],
    footer: [makeSender(city, postalAddress)],
  });
}

export function renderParagraph(html: string): string {
  return `<p class="ink" style="${STYLE.p}">${html}</p>`;
}

/** Renders a heading between parts. `html` must be escaped. */
export function renderHeading2(html: string): string {
  return `<h2 class="ink" style="${STYLE.h2}">${html}</h2>`;
}

export function renderList(tag: 'ul' | 'ol', items: readonly string[]): string {
  const lines = items.map((html) => `<li style="margin:6px 0">${html}</li>`).join('\n');
  return `<${tag} class="ink" style="${STYLE.p};padding-left:24px">\n${lines}\n</${tag}>`;
}

export function renderSmallPrint(html: string): string {
  return `<p class="muted" style="${STYLE.small}">${html}</p>`;
}

export function renderLink(href: string, label: string): string {
  return `<a href="${escapeMarkup(href)}" style="color:inherit;text-decoration:underline">${escapeMarkup(label)}</a>`;
}

export function writeLink({ label, href }: { label: string; href: string }): string {
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

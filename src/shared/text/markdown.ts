/** Renders a subset of Markdown. Everything else, including HTML, stays text. */

import { escapeMarkup } from './escape.ts';

/** Functions that render Markdown as HTML. Their `html` arguments are already escaped. */
export type MarkdownLook = {
  heading(html: string): string;
  paragraph(html: string): string;
  list(kind: 'ul' | 'ol', items: readonly string[]): string;
  link(target: string, label: string): string;
  code(html: string): string;
};

/** Matches links, emphasis and code. Limits their lengths, so that matching stays fast. */
const INLINE =
  /\[([^[\]]{1,500})\]\(((?:https?:\/\/|mailto:)[^\s()<>]{1,1000})\)|<((?:https?:\/\/|mailto:)[^\s<>]{1,1000})>|\*\*([^*]{1,1000})\*\*|\*([^\s*][^*]{0,1000})\*|\b_([^\s_][^_]{0,1000})_\b|`([^`]{1,1000})`/g;

type Block = { is: 'heading' | 'paragraph' | 'ul' | 'ol'; lines: string[] };

export function renderMarkdown(words: string, look: MarkdownLook): string {
  return readBlocks(words)
    .map((block) => renderBlock(block, look))
    .join('\n');
}

export function toPlainText(line: string): string {
  return line.replaceAll(INLINE, (_, label, _href, href, strong, em, other, code) =>
    [label, href, strong, em, other, code].find((text) => text !== undefined),
  );
}

function readBlocks(words: string): Block[] {
  const blocks: Block[] = [];
  let isOpen = false;
  for (const line of words.split('\n')) {
    const { is, text } = readLine(line);
    const last = blocks.at(-1);
    if (text === '') isOpen = false;
    else if (is === 'paragraph' && isOpen && last?.is !== 'heading')
      last!.lines.push(`${last!.lines.pop()}\n${text}`);
    else if (is !== 'paragraph' && is !== 'heading' && last?.is === is) last.lines.push(text);
    else blocks.push({ is, lines: [text] });
    if (text !== '') isOpen = true;
  }
  return blocks;
}

/** Recognizes the kind of a line. A line that continues a paragraph or a list item counts as `paragraph`. */
function readLine(line: string): { is: Block['is']; text: string } {
  const [, hashes, heading] = /^(#{1,6})[ \t]+(\S.*)$/.exec(line) ?? [];
  if (hashes !== undefined) return { is: 'heading', text: heading!.trim() };
  const [, bullet, item] = /^[ \t]*([-*+]|\d{1,3}[.)])[ \t]+(\S.*)$/.exec(line) ?? [];
  if (bullet !== undefined) return { is: /\d/.test(bullet) ? 'ol' : 'ul', text: item!.trim() };
  return { is: 'paragraph', text: line.trim() };
}

function renderBlock({ is, lines }: Block, look: MarkdownLook): string {
  const html = lines.map((line) => renderInline(line, look));
  if (is === 'heading') return look.heading(html[0]!);
  return is === 'paragraph' ? look.paragraph(html[0]!) : look.list(is, html);
}

function renderInline(text: string, look: MarkdownLook): string {
  let html = '';
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    html += escapeMarkup(text.slice(end, match.index)) + renderMatch(match, look);
    end = match.index + match[0].length;
  }
  return html + escapeMarkup(text.slice(end));
}

function renderMatch(
  [, label, target, href, strong, em, other, code]: RegExpExecArray,
  look: MarkdownLook,
): string {
  if (label !== undefined) return look.link(target!, label);
  if (href !== undefined) return look.link(href, href.replace(/^mailto:/, ''));
  if (strong !== undefined) return `<strong>${renderInline(strong, look)}</strong>`;
  if (code !== undefined) return look.code(escapeMarkup(code));
  return `<em>${renderInline(em ?? other ?? '', look)}</em>`;
}

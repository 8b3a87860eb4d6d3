/**
 * A small part of Markdown as HTML for emails: headings, paragraphs, lists, links, bold, italic and code. Everything
 * else, HTML included, is text. Pure.
 */

import { escapeMarkup } from '../../listings/escape.ts';
import { renderHeading2, renderLink, renderList, renderParagraph } from '../email-layout.ts';

/** Links, then emphasis and code. The lengths are limited, so that no text takes long. */
const INLINE =
  /\[([^[\]]{1,500})\]\(((?:https?:\/\/|mailto:)[^\s()<>]{1,1000})\)|<((?:https?:\/\/|mailto:)[^\s<>]{1,1000})>|\*\*([^*]{1,1000})\*\*|\*([^\s*][^*]{0,1000})\*|\b_([^\s_][^_]{0,1000})_\b|`([^`]{1,1000})`/g;

type Block = { is: 'heading' | 'paragraph' | 'ul' | 'ol'; lines: string[] };

export function renderMarkdown(words: string): string {
  return readBlocks(words).map(renderBlock).join('\n');
}

/** A line without its marks. */
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

/** A line that continues a paragraph or the item of a list counts as `paragraph`. */
function readLine(line: string): { is: Block['is']; text: string } {
  const [, hashes, heading] = /^(#{1,6})[ \t]+(\S.*)$/.exec(line) ?? [];
  if (hashes !== undefined) return { is: 'heading', text: heading!.trim() };
  const [, bullet, item] = /^[ \t]*([-*+]|\d{1,3}[.)])[ \t]+(\S.*)$/.exec(line) ?? [];
  if (bullet !== undefined) return { is: /\d/.test(bullet) ? 'ol' : 'ul', text: item!.trim() };
  return { is: 'paragraph', text: line.trim() };
}

function renderBlock({ is, lines }: Block): string {
  const html = lines.map(renderInline);
  if (is === 'heading') return renderHeading2(html[0]!);
  return is === 'paragraph' ? renderParagraph(html[0]!) : renderList(is, html);
}

function renderInline(text: string): string {
  let html = '';
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    html += escapeMarkup(text.slice(end, match.index)) + renderMatch(match);
    end = match.index + match[0].length;
  }
  return html + escapeMarkup(text.slice(end));
}

function renderMatch([, label, target, href, strong, em, other, code]: RegExpExecArray): string {
  if (label !== undefined) return renderLink(target!, label);
  if (href !== undefined) return renderLink(href, href.replace(/^mailto:/, ''));
  if (strong !== undefined) return `<strong>${renderInline(strong)}</strong>`;
  if (code !== undefined) return `<code>${escapeMarkup(code)}</code>`;
  return `<em>${renderInline(em ?? other ?? '')}</em>`;
}

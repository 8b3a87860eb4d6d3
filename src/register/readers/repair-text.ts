/**
 * Repairs texts that a program has damaged in a way that can be undone for certain: entities of HTML, and UTF-8 that was
 * read as Windows-1252 (`CafÃ©`). Leaves everything else as it is written.
 */

import { Parser } from 'htmlparser2';

const MOST_TIMES = 3; // a text may be damaged more than once: `&amp;amp;`

const ENTITY = /&(?:#\d{2,6}|#x[\da-f]{2,5}|[a-z]{2,8}\d{0,2});/gi;

/** The characters of Windows-1252 that are not at the place of their byte, from 0x80. */
const HIGH = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 32 }, (_, at) => 0x80 + at));
const HIGH_BYTES = new Map(Array.from(HIGH, (one, at) => [one, String.fromCharCode(0x80 + at)]));
/**
 * UTF-8 of which the bytes were read as characters. Latin letters, signs and symbols are certain alone; other letters
 * only in words, because a capital before a quotation mark or a sign may be meant.
 */
const TWICE = new RegExp(
  [
    '[\xc2\xc3][\x80-\xbf]',
    '\xe2[\x80-\xbf]{2}',
    '\xef[\xbb-\xbf][\x80-\xbf]',
    '\xf0\x9f[\x80-\xbf]{2}',
    '(?:[\xc4-\xdf][\x80-\xbf]){2,}',
    '(?:[\xe0-\xef][\x80-\xbf]{2}){2,}',
  ].join('|'),
  'g',
);

export function repairText(text: string): string {
  let repaired = text;
  for (let times = 0; times < MOST_TIMES; times++) {
    const next = decodeTwice(decodeEntities(repaired));
    if (next === repaired) break;
    repaired = next;
  }
  return repaired;
}

function decodeEntities(text: string): string {
  return text.includes('&') ? text.replace(ENTITY, decodeEntity) : text;
}

/** Returns the character of an entity, or the entity if it has none that can be printed. */
function decodeEntity(entity: string): string {
  let text = '';
  const parser = new Parser({ ontext: (piece) => (text += piece) }, { decodeEntities: true });
  for (const one of [entity, entity.toLowerCase()]) {
    text = '';
    parser.parseComplete(one);
    if (text !== one && !/[\p{C}\ufffd]/u.test(text)) return text.replace('\u00a0', ' ');
  }
  return entity;
}

function decodeTwice(text: string): string {
  if (!/[\u00c2-\u00f4]/.test(text)) return text;
  const bytes = Array.from(text, (one) => HIGH_BYTES.get(one) ?? one).join('');
  let end = 0;
  let repaired = '';
  for (const { 0: found, index } of bytes.matchAll(TWICE)) {
    const decoded = Buffer.from(found, 'latin1').toString('utf8');
    if (decoded.includes('\ufffd')) return text;
    repaired += text.slice(end, index) + decoded;
    end = index + found.length;
  }
  return end === 0 ? text : repaired + text.slice(end);
}

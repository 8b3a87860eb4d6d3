/**
 * Repairs texts that a program has damaged in a way that can be undone for certain: entities of HTML, and UTF-8 that was
 * read as Windows-1252 (`CafÃ©`). Leaves everything else as it is written.
 */

const MOST_TIMES = 3; // a text may be damaged more than once: `&amp;amp;`

const ENTITY = /&(?:#(\d{2,6})|#x([\da-f]{2,5})|([a-z]{2,6}\d{0,2}));/gi;
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  hellip: '…',
  bull: '•',
  middot: '·',
  deg: '°',
  reg: '®',
  copy: '©',
  trade: '™',
  cent: '¢',
  pound: '£',
  euro: '€',
  szlig: 'ß',
  aelig: 'æ',
  oelig: 'œ',
  ordm: 'º',
  ordf: 'ª',
  iexcl: '¡',
  iquest: '¿',
  laquo: '«',
  raquo: '»',
};
const ACCENTED = /^([a-z])(acute|grave|circ|uml|tilde|cedil|ring|caron)$/i;
const ACCENTS: Readonly<Record<string, string>> = {
  acute: '\u0301',
  grave: '\u0300',
  circ: '\u0302',
  uml: '\u0308',
  tilde: '\u0303',
  cedil: '\u0327',
  ring: '\u030a',
  caron: '\u030c',
};

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
  if (!text.includes('&')) return text;
  return text.replace(ENTITY, (whole, decimal?: string, hex?: string, name = '') => {
    const code = decimal === undefined ? hex && Number.parseInt(hex, 16) : Number(decimal);
    return (code ? decodePoint(code) : decodeName(name)) ?? whole;
  });
}

function decodePoint(code: number): string | undefined {
  if (code >= 0x80 && code < 0xa0) return HIGH[code - 0x80];
  const isCharacter = code >= 32 && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000);
  return isCharacter ? String.fromCodePoint(code) : undefined;
}

function decodeName(name: string): string | undefined {
  const known = Object.hasOwn(NAMED, name.toLowerCase()) ? NAMED[name.toLowerCase()] : undefined;
  if (known !== undefined) return known;
  const [, letter, accent = ''] = ACCENTED.exec(name) ?? [];
  return letter && (letter + ACCENTS[accent.toLowerCase()]).normalize('NFC');
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

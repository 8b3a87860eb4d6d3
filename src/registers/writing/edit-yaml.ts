/** Edits the lines of one word in the text of `city.yaml`. Comments, order and blank lines stay unchanged. */

import {
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  stringify,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';

type Parsed = Node & { range: [number, number, number] };

const LONGEST_LINE = 100;

/** Finds a word of a register: its line, its text, and its value. */
export function findWord(text: string, register: string, word: string) {
  const pair = findPair(findRegister(text, register), word);
  if (pair === undefined) return undefined;
  const start = rangeOf(pair.key)[0];
  const written = text.slice(start, rangeOf(pair.value)[1]).trimEnd();
  const value: unknown = isNode(pair.value) ? pair.value.toJSON() : undefined;
  return { line: countLines(text, start), written, value };
}

export function findRegisterLine(text: string, register: string): number | undefined {
  const map = findRegister(text, register);
  return map && countLines(text, rangeOf(map)[0]);
}

export function setWord(text: string, register: string, [word, value]: [string, unknown]): string {
  const map = findRegister(text, register);
  if (map === undefined) return text;
  const pair = findPair(map, word);
  if (!isNode(pair?.value)) return addPair(text, map, [word, value]);
  const [start, end] = rangeOf(pair.value);
  const written = text.slice(start, end);
  const rest = written.slice(written.trimEnd().length);
  const indent = columnOf(text, rangeOf(pair.key)[0]);
  const isBlock = isCollection(pair.value) && pair.value.flow !== true;
  const from = isBlock ? rangeOf(pair.key)[1] : start;
  return splice(text, [from, end], `${isBlock ? ': ' : ''}${formatValue(value, indent)}${rest}`);
}

/** Adds items to a word that is a list, or an entry to one that is a map. Existing lines stay unchanged. */
export function addToWord(
  text: string,
  register: string,
  [word, value]: [string, readonly unknown[]],
): string {
  const found = findPair(findRegister(text, register), word)?.value;
  if (isSeq(found) && found.flow !== true && found.items.length > 0) return addItems(text, found, value);
  const before = findWord(text, register, word)?.value;
  return setWord(text, register, [word, Array.isArray(before) ? [...before, ...value] : value]);
}

function findRegister(text: string, id: string): YAMLMap | undefined {
  const document = parseDocument(text, { schema: 'failsafe', version: '1.2', logLevel: 'silent' });
  const registers = document.get('registers');
  if (!isSeq(registers)) return undefined;
  return registers.items.filter((item) => isMap(item)).find((item) => item.get('id') === id);
}

function findPair(map: YAMLMap | undefined, word: string): Pair | undefined {
  return map?.items.find(({ key }) => isScalar(key) && key.value === word);
}

function addPair(text: string, map: YAMLMap, [key, value]: [string, unknown]): string {
  const [first] = map.items;
  const start = rangeOf(first?.key ?? map)[0];
  if (first === undefined) return splice(text, [start, rangeOf(map)[1]], formatValue({ [key]: value }, 0));
  const indent = columnOf(text, start);
  const pair = `${formatValue(key, 0)}: ${formatValue(value, indent)}`;
  if (map.flow === true) return splice(text, [start, start], `${pair}, `);
  const last = map.items.findLast((one) => isShort(one.value));
  if (last === undefined) return splice(text, [start, start], `${pair}\n${' '.repeat(indent)}`);
  return addLines(text, rangeOf(last.value)[1], [' '.repeat(indent) + pair]);
}

function addItems(text: string, list: YAMLSeq, items: readonly unknown[]): string {
  const indent = columnOf(text, rangeOf(list)[0]);
  const end = text.slice(0, rangeOf(list.items.at(-1))[1]).trimEnd().length;
  const lines = items.map((item) => `${' '.repeat(indent)}- ${formatValue(item, indent + 2)}`);
  return addLines(text, end, lines);
}

/** Adds lines after the line at an offset, which may end in a comment. */
function addLines(text: string, offset: number, lines: readonly string[]): string {
  const end = text.indexOf('\n', offset);
  const at = end === -1 ? text.length : end + 1;
  return splice(text, [at, at], `${end === -1 ? '\n' : ''}${lines.join('\n')}\n`);
}

function isShort(value: unknown): boolean {
  if (isScalar(value)) return !String(value.type).startsWith('BLOCK');
  return isCollection(value) && value.flow === true;
}

/** Writes a value in one line or, if it is too long, with one item in each line. */
function formatValue(value: unknown, indent: number): string {
  const text = stringify(value, {
    collectionStyle: 'flow',
    blockQuote: false,
    lineWidth: LONGEST_LINE - indent,
  });
  return text.trimEnd().replaceAll('\n', `\n${' '.repeat(indent)}`);
}

/** Replaces a part of a text. Its line ends stay as they are. */
function splice(text: string, [start, end]: readonly [number, number], by: string): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return text.slice(0, start) + by.replace(/\r?\n/g, eol) + text.slice(end);
}

function isNode(value: unknown): value is Parsed {
  return Array.isArray((Object(value) as Partial<Parsed>).range);
}

function rangeOf(node: unknown): [number, number, number] {
  return isNode(node) ? node.range : [0, 0, 0];
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

function countLines(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

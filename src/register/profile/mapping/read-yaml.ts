/** Reads `city.yaml`. Reads every scalar as text, so `NO`, `02134` and `1e5` stay unchanged. */

import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type ParsedNode,
  parseDocument,
  type Scalar,
  visit,
  type YAMLError,
  type YAMLMap,
} from 'yaml';
import { formatNumber } from '../../../shared/text/numbers.ts';
import { FILE_FORMATS } from '../formats.ts';
import type { Path } from '../schema/check-value.ts';

const LONGEST_FILE = 1024 * 1024;
const MOST_VALUES = 5_000;
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/;
const NOTHING = /^(?:~|null|Null|NULL)?$/;
/** Keys that may have an empty value, because `--from` can give the file. */
const PLACES = new Set(Object.keys(FILE_FORMATS));

const NO_TAG = 'tags such as !!int are not allowed. Write the text alone';
const LEAVE_OUT = 'Leave the line out, or put the text in quotes';
const NO_ALIAS = 'aliases such as *name are not read. Write the text out';
const EMPTY = 'the file is empty';
const NO_ITEM = 'this item has no value. Leave it out, or write "" for an empty cell';

/** Reads YAML as objects, lists and texts. The value is `undefined` if the text is not YAML. Positions start at 1. */
export function readYaml(text: string) {
  const excess = findExcess(text);
  if (excess !== undefined) {
    const start = { line: 1, column: 1 };
    return { value: undefined, problems: [{ ...start, says: excess }], locate: () => start };
  }
  const lineCounter = new LineCounter();
  const document = parseDocument(text, {
    schema: 'failsafe',
    version: '1.2',
    uniqueKeys: false, // compares each key with all others; `listNodeProblems` does it faster
    stringKeys: true,
    lineCounter,
    prettyErrors: false,
    logLevel: 'error',
  });
  const positionOf = (offset: number) => {
    const { line, col } = lineCounter.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const errors = [...document.errors, ...document.warnings].map(
    (error): Problem => [error.pos[0], explainError(error)],
  );
  const { contents } = document;
  const isEmpty = document.errors.length === 0 && (contents === null || isNothing(contents));
  const problems = [...errors, ...listNodeProblems(document), ...(isEmpty ? [[0, EMPTY] as const] : [])];
  const isReadable = document.errors.length === 0 && !problems.some(([, says]) => says === NO_ALIAS);
  return {
    value: isReadable && !isEmpty ? document.toJS() : undefined,
    problems: problems.map(([offset, says]) => ({ ...positionOf(offset), says })),
    /** Returns the position of a value or key, or of its nearest existing parent. */
    locate: (path: Path, isKey?: boolean) => positionOf(findOffset(document, path, isKey)),
  };
}

type Problem = readonly [offset: number, says: string];

/** Finds what would take long to parse, without parsing it, because a stranger's file may be made for that. */
function findExcess(text: string): string | undefined {
  if (Buffer.byteLength(text) > LONGEST_FILE)
    return 'the file is larger than 1 MB. Put tables into CSV files';
  const values = text.match(/[\n,[{]|[-?] /g)?.length ?? 0;
  if (values <= MOST_VALUES) return undefined;
  return `the file has more than ${formatNumber(MOST_VALUES)} lines or values. Put tables into CSV files`;
}

function explainError({ code, message }: YAMLError): string {
  if (code === 'MULTIPLE_DOCS') return 'a second document begins here. Remove the line ---';
  if (code === 'TAG_RESOLVE_FAILED') return NO_TAG;
  return `this is not YAML: ${message}`;
}

function listRepeatedKeys({ items }: YAMLMap): Problem[] {
  const seen = new Set<unknown>();
  return items.flatMap(({ key }): Problem[] => {
    const name = isScalar(key) ? key.value : undefined;
    if (seen.has(name)) return [[offsetOf(key), 'this word appears twice. Keep one of them']];
    if (name !== undefined) seen.add(name);
    return [];
  });
}

/** Finds a control character, which a terminal would obey, in a text of the city. Cells of registers may have them. */
function findControl(node: Scalar): Problem[] {
  const [control] = CONTROL.exec(String(node.value ?? '')) ?? [];
  if (control === undefined) return [];
  const code = control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return [[offsetOf(node), `this text has the control character U+${code}. Remove it`]];
}

function isRegisters(node: unknown): boolean {
  return isPair(node) && isScalar(node.key) && node.key.value === 'registers';
}

function listNodeProblems(document: Document.Parsed): Problem[] {
  const problems: Problem[] = [];
  visit(document, {
    Node(_, node, path) {
      if ('tag' in node && typeof node.tag === 'string' && !node.tag.startsWith('tag:yaml.org,2002:!'))
        problems.push([offsetOf(node), NO_TAG]);
      if (isAlias(node)) problems.push([offsetOf(node), NO_ALIAS]);
      if (isMap(node)) problems.push(...listRepeatedKeys(node));
      if (isSeq(node))
        for (const item of node.items) if (isNothing(item)) problems.push([offsetOf(item), NO_ITEM]);
      if (isScalar(node) && !path.some(isRegisters)) problems.push(...findControl(node));
    },
    Pair(_, { key, value }) {
      const name = isScalar(key) ? String(key.value) : '';
      if (value === null || (isNothing(value) && !PLACES.has(name)))
        problems.push([offsetOf(key), `${name} has no value. ${LEAVE_OUT}`]);
    },
  });
  return problems;
}

/** Returns whether a value is empty or an unquoted `~` or `null`. */
function isNothing(node: unknown): node is Scalar {
  if (!isScalar(node)) return false;
  return (node.type === undefined || node.type === 'PLAIN') && NOTHING.test(String(node.value ?? ''));
}

function findOffset(document: Document.Parsed, path: Path, isKey = false): number {
  const parent = document.getIn(path.slice(0, -1), true);
  const pairs = isMap(parent) ? parent.items : [];
  const pair = pairs.find(({ key }) => isScalar(key) && key.value === path.at(-1));
  const node = isKey ? pair?.key : document.getIn(path, true);
  return node || path.length === 0 ? offsetOf(node) : findOffset(document, path.slice(0, -1));
}

function offsetOf(node: unknown): number {
  const { range } = Object(node) as Partial<ParsedNode>;
  return range?.[0] ?? 0;
}

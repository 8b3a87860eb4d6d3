/** Reads `city.yaml`. Reads every scalar as text, so `NO`, `02134` and `1e5` stay unchanged. */

import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type ParsedNode,
  parseDocument,
  type Scalar,
  visit,
  type YAMLError,
} from 'yaml';
import { FILE_FORMATS } from '../define.ts';
import type { Path } from '../schema/check-value.ts';

const LONGEST_FILE = 1024 * 1024;
const MOST_ALIASES = 20;
const NOTHING = /^(?:~|null|Null|NULL)?$/;
/** Keys that may have an empty value, because `--from` can give the file. */
const PLACES = new Set<string>(FILE_FORMATS);

/** A fault and its position. Lines and columns start at 1. */
type TextFault = { line: number; column: number; says: string };

/** Reads YAML as objects, lists and texts. The value is `undefined` if the text is not YAML. */
export function readYaml(text: string) {
  const start = { line: 1, column: 1 };
  if (Buffer.byteLength(text) > LONGEST_FILE) {
    const says = 'the file is larger than 1 MB. Put tables into CSV files';
    return { value: undefined, faults: [{ ...start, says }], locate: () => start };
  }
  const lineCounter = new LineCounter();
  const document = parseDocument(text, {
    schema: 'failsafe',
    version: '1.2',
    uniqueKeys: true,
    stringKeys: true,
    lineCounter,
    prettyErrors: false,
    logLevel: 'error',
  });
  const positionOf = (offset: number) => {
    const { line, col } = lineCounter.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const faults = [...document.errors, ...document.warnings].map((error) => ({
    ...positionOf(error.pos[0]),
    says: explainError(error),
  }));
  // repeated keys need not prevent the other checks
  const isReadable = document.errors.every(({ code }) => code === 'DUPLICATE_KEY');
  for (const { offset, says } of listNodeFaults(document)) faults.push({ ...positionOf(offset), says });
  const value = isReadable ? toValue(document, faults) : undefined;
  return {
    value,
    faults,
    /** Returns the position of a value or key, or of its nearest existing parent. */
    locate: (path: Path, isKey?: boolean) => positionOf(findOffset(document, path, isKey)),
  };
}

function explainError({ code, message }: YAMLError): string {
  if (code === 'DUPLICATE_KEY') return 'this word appears twice. Keep one of them';
  if (code === 'MULTIPLE_DOCS') return 'a second document begins here. Remove the line ---';
  if (code === 'TAG_RESOLVE_FAILED') return NO_TAG;
  return `this is not YAML: ${message}`;
}

type NodeFault = { offset: number; says: string };

function listNodeFaults(document: Document.Parsed): NodeFault[] {
  const faults: NodeFault[] = [];
  visit(document, {
    Node(_, node) {
      if ('tag' in node && typeof node.tag === 'string' && !node.tag.startsWith('tag:yaml.org,2002:!'))
        faults.push({ offset: offsetOf(node), says: NO_TAG });
    },
    Pair(_, pair) {
      const name = isScalar(pair.key) ? String(pair.key.value) : '';
      const isEmpty = isScalar(pair.value) ? isNothing(pair.value) && !PLACES.has(name) : pair.value === null;
      if (isEmpty) faults.push({ offset: offsetOf(pair.key), says: `${name} has no value. ${LEAVE_OUT}` });
    },
    Seq(_, list) {
      for (const item of list.items)
        if (isScalar(item) && isNothing(item)) faults.push({ offset: offsetOf(item), says: NO_ITEM });
    },
  });
  return faults;
}

const NO_TAG = 'tags such as !!int are not allowed. Write the text alone';
const LEAVE_OUT = 'Leave the line out, or put the text in quotes';
const NO_ITEM = 'this item has no value. Leave it out, or write "" for an empty cell';

/** Returns whether a value is empty or an unquoted `~` or `null`. */
function isNothing({ type, value }: Scalar): boolean {
  return (type === undefined || type === 'PLAIN') && NOTHING.test(String(value ?? ''));
}

function toValue(document: Document.Parsed, faults: TextFault[]): unknown {
  if (document.contents === null || (isScalar(document.contents) && isNothing(document.contents)))
    faults.push({ line: 1, column: 1, says: 'the file is empty' });
  else
    try {
      return document.toJS({ maxAliasCount: MOST_ALIASES });
    } catch {
      faults.push({ line: 1, column: 1, says: 'aliases are used too often. Write the texts out' });
    }
  return undefined;
}

function findOffset(document: Document.Parsed, path: Path, isKey = false): number {
  let node: unknown = document.contents;
  let offset = offsetOf(node);
  for (const [i, step] of path.entries()) {
    const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && key.value === step) : undefined;
    node = isSeq(node) && typeof step === 'number' ? node.items[step] : pair?.value;
    if (node === undefined || node === null) return offset;
    offset = offsetOf(isKey && i === path.length - 1 && pair !== undefined ? pair.key : node);
  }
  return offset;
}

function offsetOf(node: unknown): number {
  const { range } = Object(node) as Partial<ParsedNode>;
  return range?.[0] ?? 0;
}

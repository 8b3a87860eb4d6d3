/** TypeScript read as the JavaScript that runs. Stripping types keeps every offset, so an edit fits both texts. */

import { stripTypeScriptTypes } from 'node:module';
import { type AnyNode, type Comment, parse } from 'acorn';

export type Edit = { start: number; end: number; text: string };

/** A function is known by where it starts; the code outside of all functions counts as one that starts here. */
export const MODULE = -1;

type FunctionNode = Extract<AnyNode, { params: unknown }>;

export type Program = {
  /** The source, with its types. */
  text: string;
  /** The same without types and comments, at the same offsets. */
  bare: string;
  root: AnyNode;
};

/** Reads a source; throws a SyntaxError where it is none. */
export function readProgram(text: string): Program {
  const script = stripTypeScriptTypes(text, { mode: 'strip' });
  const comments: Comment[] = [];
  const root = parse(script, { ecmaVersion: 'latest', sourceType: 'module', onComment: comments });
  const blank = comments.map(({ start, end }) => ({ start, end, text: ' '.repeat(end - start) }));
  return { text, bare: applyEdits(script, blank), root };
}

export function parses(text: string): boolean {
  try {
    readProgram(text);
    return true;
  } catch {
    return false;
  }
}

/** Visits a node and all below it that runs (no imports, no names of properties), with the nodes around, nearest last. */
export function visit(
  node: AnyNode,
  see: (node: AnyNode, around: readonly AnyNode[]) => void,
  around: readonly AnyNode[] = [],
): void {
  if (node.type === 'ImportDeclaration' || node.type === 'ExportAllDeclaration') return;
  see(node, around);
  const within = [...around, node];
  const { key: _name, ...parts } = node as AnyNode & { key?: AnyNode };
  for (const value of Object.values(parts).flat()) if (isNode(value)) visit(value, see, within);
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

export function isFunction(node: AnyNode): node is FunctionNode {
  return /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type);
}

/** Applies edits that do not overlap; of two at one offset the first comes first. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = '';
  let done = 0;
  for (const { start, end, text: put } of edits.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(done, start) + put;
    done = end;
  }
  return result + text.slice(done);
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

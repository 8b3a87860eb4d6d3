/** The kinds of mutants: what a node of the syntax tree can be changed to. */

import type { AnyNode, CallExpression } from 'acorn';
import type { Edit, Program } from './syntax.ts';

const BINARY: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '==': '!=',
  '!=': '==',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&': '|',
  '|': '&',
  '<<': '>>',
  '>>': '<<',
  '>>>': '<<',
};
const ASSIGNMENT: Record<string, string> = { '+=': '-=', '-=': '+=', '??=': '=', '||=': '=' };
const METHODS: Record<string, string> = { min: 'max', max: 'min', some: 'every', every: 'some' };
const CUTS = ['slice', 'subarray', 'substring'];

/** The members of each union of strings, such as `'kept' | 'held'`. */
export function stringUnions(text: string): string[][] {
  return [...text.matchAll(/'[\w-]+'(?:\s*\|\s*'[\w-]+')+/g)].map(([union]) =>
    [...union.matchAll(/'([\w-]+)'/g)].map(([, member]) => member!),
  );
}

/** Each way to change this node. Not all of them leave a program that parses. */
export function changesOf(node: AnyNode, program: Program, unions: readonly string[][]): Edit[] {
  switch (node.type) {
    case 'BinaryExpression':
      return isText(node) ? [] : swapOperator(node, BINARY, program);
    case 'AssignmentExpression':
      return isText(node.right) ? [] : swapOperator(node, ASSIGNMENT, program);
    case 'LogicalExpression':
      return node.operator === '??'
        ? [part(node, node.left, program), part(node, node.right, program)]
        : swapOperator(node, { '&&': '||', '||': '&&' }, program);
    case 'UpdateExpression':
      return swapAnywhere(node, node.operator, node.operator === '++' ? '--' : '++', program);
    case 'UnaryExpression':
      return node.operator === '!' ? [{ start: node.start, end: node.start + 1, text: '' }] : [];
    case 'AwaitExpression':
      return [{ start: node.start, end: node.start + 'await'.length, text: '' }];
    case 'ExpressionStatement':
      return 'directive' in node ? [] : [{ start: node.start, end: node.end, text: ';' }];
    case 'IfStatement':
    case 'ConditionalExpression':
      return ['true', 'false'].map((text) => ({ start: node.test.start, end: node.test.end, text }));
    case 'WhileStatement':
      return [{ start: node.test.start, end: node.test.end, text: 'false' }];
    case 'CallExpression':
      return changesOfCall(node, program);
    case 'Literal':
      return changesOfLiteral(node.value, unions).map((text) => ({ start: node.start, end: node.end, text }));
    default:
      return [];
  }
}

function changesOfLiteral(value: unknown, unions: readonly string[][]): string[] {
  if (typeof value === 'boolean') return [String(!value)];
  if (typeof value === 'bigint') return [`${value + 1n}n`];
  if (typeof value === 'number' && Number.isInteger(value))
    return value === 0 ? ['1'] : [String(value + 1), String(value - 1)];
  if (typeof value !== 'string') return [];
  const union = unions.find((members) => members.includes(value)) ?? [];
  const other = union[(union.indexOf(value) + 1) % union.length];
  return other === undefined ? [] : [`'${other}'`];
}

function changesOfCall(node: CallExpression, program: Program): Edit[] {
  const { callee } = node;
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return [];
  const { name, start, end } = callee.property;
  const other = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
  if (other !== undefined) return [{ start, end, text: other }];
  if (!CUTS.includes(name)) return [];
  return node.arguments.flatMap((argument, index) => {
    if (argument.type === 'Literal' || argument.type === 'UnaryExpression') return [];
    const { start, end } = argument;
    const text = `(${program.text.slice(start, end)}) ${index === 0 ? '+' : '-'} 1`;
    return [{ start, end, text }];
  });
}

/** One side of `??` in place of both. */
function part(whole: AnyNode, side: AnyNode, { text }: Program): Edit {
  return { start: whole.start, end: whole.end, text: `(${text.slice(side.start, side.end)})` };
}

function swapOperator(
  node: AnyNode & { left: AnyNode; right: AnyNode; operator: string },
  swaps: Record<string, string>,
  { bare }: Program,
): Edit[] {
  const { operator, left, right } = node;
  const text = swaps[operator];
  const start = bare.indexOf(operator, left.end);
  return text === undefined || start < 0 || start >= right.start
    ? []
    : [{ start, end: start + operator.length, text }];
}

function swapAnywhere(node: AnyNode, from: string, text: string, { bare }: Program): Edit[] {
  const start = bare.indexOf(from, node.start);
  return [{ start, end: start + from.length, text }];
}

/** Whether this is sure to be a text; nothing but `+` makes sense of one. */
function isText(node: AnyNode): boolean {
  if (node.type === 'BinaryExpression')
    return node.operator === '+' && (isText(node.left) || isText(node.right));
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string');
}

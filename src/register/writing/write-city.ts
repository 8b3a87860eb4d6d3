/** Writes the text of `city.yaml` and `categories.csv`. Cells of a register can never become YAML or comments. */

import { Document, isMap, isScalar, isSeq, type Node, visit } from 'yaml';
import { isRecord } from '../../shared/record.ts';
import { formatCsv } from '../../shared/text/csv-text.ts';
import type { CityMapping } from '../profile/mapping/mapping.ts';
import type { TypeLine } from '../survey/business-types.ts';
import type { DraftedRegister } from './draft-mapping.ts';

const LONGEST_REMARK = 300;
const LONGEST_FLOW = 90;

const SAYS_NOTHING = /^(?:~|null)?$/i;

/** Writes `city.yaml`. The sentences of `head` become its first comment. Remarks are about the first register. */
export function writeCityYaml(
  city: CityMapping,
  head: readonly string[],
  remarks: DraftedRegister['remarks'],
): string {
  const document = new Document(toTexts(city), { schema: 'failsafe', version: '1.2' });
  document.commentBefore = [
    ' yaml-language-server: $schema=./node_modules/shingle/city.schema.json',
    ...head.map((line) => ` ${formatRemark(line)}`),
  ].join('\n');
  visit(document, {
    Collection(key, node) {
      if (key !== null && isShort(node)) node.flow = true;
    },
    Scalar(_, node) {
      if (SAYS_NOTHING.test(String(node.value))) node.type = 'QUOTE_DOUBLE';
    },
  });
  const register = document.getIn(['registers', 0]);
  for (const { key } of isMap(register) ? register.items : []) {
    const remark = isScalar(key) && remarks[String(key.value) as keyof DraftedRegister['remarks']];
    if (isScalar(key) && remark) key.commentBefore = ` ${formatRemark(remark)}`;
  }
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

/** Converts all values of a mapping to text, so that `NO`, `02134` and `1e5` stay unchanged. */
export function toTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toTexts);
  if (!isRecord(value)) return String(value);
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(entries.map(([key, inner]) => [key, toTexts(inner)]));
}

function isShort(node: Node): boolean {
  if (!isMap(node) && !isSeq(node)) return false;
  const text = JSON.stringify(node.toJSON());
  return text.length <= LONGEST_FLOW && !/\[.*[[{]|\{.*\{/.test(text);
}

/** Formats evidence for a comment so that it cannot end the comment. */
function formatRemark(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').slice(0, LONGEST_REMARK);
}

export function writeCategoriesCsv(lines: readonly TypeLine[]): string {
  const rows = lines.map(({ type, rows: count, category, isNewBusiness }) => [
    type,
    count,
    category,
    isNewBusiness ? 'yes' : 'no',
  ]);
  return formatCsv([['type', 'rows', 'category', 'new_business'], ...rows]);
}

/** Finds the placeholders that the operator must replace in a profile. */

import { type CityFacts, UNNAMED_OPERATOR } from './city-facts.ts';

export const UNNAMED_CITY = 'Unnamed';

/** The placeholder for the homepage of a source. It must be a valid URL. */
export const UNKNOWN_HOMEPAGE = 'https://example.org/fill-in';

const SHIPPED = [...Object.values(UNNAMED_OPERATOR), UNNAMED_CITY, UNKNOWN_HOMEPAGE];

export function isPlaceholder(text: string): boolean {
  return /^\s*fill in\b/i.test(text) || SHIPPED.includes(text);
}

/** Lists the visible fields of a profile that still have placeholders. */
export function findPlaceholders({ name, operator, region, timeZone, sources }: CityFacts): string[] {
  const fields = [
    ['name', name],
    ['operator.name', operator.name],
    ['operator.contact', operator.contact],
    ['region', region],
    ...sources.flatMap((source, i) => {
      const { publisher, homepage, license, notice = '' } = source;
      const list = source.mapping ? 'registers' : 'sources';
      return Object.entries({ publisher, homepage, license, notice }).map(([field, text]) => [
        `${list}[${i}].${field}`,
        text,
      ]);
    }),
  ] as [string, string][];
  return [
    ...fields.filter(([, text]) => isPlaceholder(text)).map(([field]) => field),
    ...(/^Etc\//i.test(timeZone) ? ['timeZone'] : []),
  ];
}

/** Describes how to fill in these fields. `where` names the profile. */
export function describePlaceholderFix(fields: readonly string[], where: string): string {
  const hasOperator = fields.some((field) => field.startsWith('operator.'));
  return `fill in ${fields.join(', ')} in ${where}${hasOperator ? ' (or set OPERATOR_NAME and OPERATOR_CONTACT for the operator)' : ''}`;
}

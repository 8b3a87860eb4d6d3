/** Finds the row of a ranking that others are compared with: `which area has more bars than Downtown`. */

import { monthOf } from '../../../../shared/day.ts';
import { isOneYear, isWholeMonths, isWholeYears, yearOf } from '../../../../shared/periods.ts';
import type { RankBy } from '../../../../shared/reading.ts';
import { dimensionOf, hasRole, type Item, isRole, type Sided, type Stated, setFates } from '../draft.ts';
import type { ReadingSources } from '../sources.ts';
import { leaveOut } from './sides.ts';

/** Takes what stands behind `than` as a row if rows of its kind are asked for, and not as a condition. */
export function takeRow(stated: Stated, sources: ReadingSources): Sided {
  const { used, items, fates } = stated;
  const than = used.findIndex((step) => isRole(step, 'than'));
  const asked = used.slice(0, Math.max(than, 0));
  const by = asked.find(({ meaning }) => meaning.by)?.meaning.by;
  const [item, other] = items.filter(({ steps: [first] }) => used.indexOf(first!) > than);
  const isCompared = hasRole(asked, 'more', 'most', 'fewest') && !hasRole(used, 'grew', 'fell');
  if (by === undefined || !item || other || !isCompared) return stated;
  const found = findRow(item, by, sources);
  const isOfBoth = items.some((one) => one !== item && dimensionOf(one) === dimensionOf(item));
  if (found === undefined || item.isNot || isOfBoth) return stated;
  const isLess = hasRole(asked, 'fewest') || asked.some(({ meaning }) => meaning.extent === 'less');
  return {
    ...stated,
    items: leaveOut(items, [item]),
    fates: by === 'category' ? setFates(fates, item.steps, { fate: 'kind' }) : fates,
    row: { ...found, order: isLess ? 'fewest' : 'most' },
  };
}

function findRow(
  { steps }: Item,
  asked: RankBy,
  { meanings }: ReadingSources,
): { by: RankBy; row: string } | undefined {
  const [step] = steps;
  const { filter, values, days } = step!.meaning;
  if (days && days.filed_from !== '' && days.filed_to !== '') {
    if (asked === 'year' && isWholeYears(days) && isOneYear(days))
      return { by: 'year', row: yearOf(days.filed_from) };
    const month = monthOf(days.filed_from);
    const isMonth = asked !== 'year' && isWholeMonths(days) && month === monthOf(days.filed_to);
    if (!isMonth) return undefined;
    return step!.meaning.isYearly ? { by: 'calendar', row: month.slice(5) } : { by: 'month', row: month };
  }
  const some =
    filter === asked ? values : asked === 'category' && !filter ? meanings.findKind(step!) : undefined;
  const [row, other] = some ?? [];
  return row === undefined || other !== undefined || steps.length > 1 ? undefined : { by: asked, row };
}

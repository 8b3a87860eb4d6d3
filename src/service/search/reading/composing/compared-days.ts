/** Finds the days of a search: years that it names, and the two periods that it compares. */

import { addDays, countDays, type Day, monthOf } from '../../../../shared/day.ts';
import {
  type Days,
  findDaysBefore,
  findUsualDays,
  findYearTo,
  isOneYear,
  isWholeMonths,
  isWholeYears,
  listMonths,
  moveByMonths,
  spanYear,
  yearOf,
} from '../../../../shared/periods.ts';
import { hasRole, type Items, isClosing, type Searched } from '../draft.ts';
import type { ReadingSources } from '../sources.ts';
import { findNamed } from './answers.ts';

type Compared = { main: Days; against: Days };
/** What a question says about its period, and about the one to compare. */
type Asked = {
  days: Days;
  /** Whether the days have no beginning or no end. */
  isOpen: boolean;
  /** Whether it compares with another period, with the one before, or with the same days of the year before. */
  isThan: boolean;
  isNow: boolean;
  isEarlier: boolean;
  /** Whether it asks what changed. */
  isChange: boolean;
  /** The last day of the other period, if the days have one end. */
  pivot: Day | '';
  lastDay: Day;
};

/** Which periods are compared, by an example; the first rule that applies counts. */
const PERIODS: readonly (readonly [
  example: string,
  test: (asked: Asked) => boolean,
  compare: (asked: Asked) => Compared | undefined,
])[] = [
  ['bars in 2010', ({ isThan, isNow, isEarlier }) => !isThan && !isNow && !isEarlier, () => undefined],
  // the newest year, and the last one before
  [
    'more since 2010 than before',
    ({ pivot, lastDay }) => pivot !== '' && pivot < lastDay,
    ({ pivot, lastDay }) => ({ main: findYearTo(lastDay), against: findYearTo(pivot) }),
  ],
  [
    'are more bars opening',
    ({ isOpen, isNow }) => isOpen && isNow,
    ({ lastDay }) => compareBefore(findUsualDays(lastDay)),
  ],
  ['more bars than cafes', ({ isOpen }) => isOpen, () => undefined],
  ['bars 2016 compared to the year before', ({ isEarlier }) => isEarlier, ({ days }) => compareBefore(days)],
  [
    'did bars grow between 2010 and 2015',
    ({ days, isChange }) => isChange && isWholeYears(days) && !isOneYear(days),
    ({ days }) => ({ main: spanYear(yearOf(days.filed_to)), against: spanYear(yearOf(days.filed_from)) }),
  ],
  [
    'are more bars opening this week',
    ({ isNow }) => isNow,
    ({ days }) => ({ main: days, against: moveSpan(days, -1) }),
  ],
  [
    'more bars than in 2010',
    ({ days, lastDay }) => isWholeYears(days) && yearOf(days.filed_to) < yearOf(lastDay),
    ({ days, lastDay }) => {
      const years = Number(yearOf(lastDay)) - Number(yearOf(days.filed_to));
      return { main: mapDays(days, (day) => moveByMonths(day, 12 * years)), against: days };
    },
  ],
  ['more bars than in june 2010', () => true, ({ days }) => ({ main: moveSpan(days, 1), against: days })],
];

function compareBefore(main: Days): Compared {
  return { main, against: findDaysBefore(main) };
}

function mapDays({ filed_from, filed_to }: Days, to: (day: Day) => Day): Days {
  return { filed_from: to(filed_from), filed_to: to(filed_to) };
}

/** Moves a period by its own length. */
function moveSpan(days: Days, sign: 1 | -1): Days {
  const { filed_from, filed_to } = days;
  const months = listMonths(monthOf(filed_from), monthOf(filed_to)).length;
  const count = countDays(filed_from, filed_to) + 1;
  return mapDays(days, (day) =>
    isWholeMonths(days) ? moveByMonths(day, sign * months) : addDays(day, sign * count),
  );
}

/** Takes the years that a question names as rows, or sets its period beside another one, unless both sides are told. */
export function setPeriods(searched: Searched, { meanings, dataEnd }: ReadingSources): Searched {
  if (searched.sides || searched.row) return searched;
  const years = [...new Set(listYears(searched.items))].sort();
  // more than two, side by side, would replace each other
  if (years.length > 2) {
    const days = { filed_from: `${years[0]}-01-01`, filed_to: `${years.at(-1)}-12-31` };
    return { ...searched, base: { ...searched.base, ...days }, years };
  }
  // `did more bars close than open in 2010`: closings have no days to compare
  const isClosed = searched.used.some(isClosing) && searched.base.filed_from !== '';
  const periods =
    isClosed || findNamed(searched)
      ? undefined
      : (findSince(searched, dataEnd) ?? findPeriods(searched, meanings.lastDay));
  if (periods === undefined) return searched;
  const { terms, excluded } = searched;
  const base = { ...searched.base, ...periods.main };
  return { ...searched, base, against: { base: { ...base, ...periods.against }, terms, excluded } };
}

/** Lists the years that a question names one by one. */
function listYears(items: Items): string[] {
  return items.flatMap(({ isNot, steps: [first] }) => {
    const { days } = first!.meaning;
    const isYear = !isNot && days !== undefined && isWholeYears(days) && isOneYear(days);
    return isYear ? [yearOf(days.filed_from)] : [];
  });
}

/** Finds this year, and the same days of the one since which something changed: `have bars increased since 2014`. */
function findSince({ used, base: { filed_from, filed_to } }: Searched, dataEnd: Day): Compared | undefined {
  const isAsked = hasRole(used, 'ask') && hasRole(used, 'grew', 'fell') && !hasRole(used, 'by', 'than');
  const main = findUsualDays(dataEnd);
  const years = Number(yearOf(main.filed_from)) - Number(yearOf(filed_from || dataEnd));
  if (!isAsked || filed_to !== '' || years <= 0) return undefined;
  return { main, against: mapDays(main, (day) => moveByMonths(day, -12 * years)) };
}

/** Finds the period of a question and the one to compare with it, if it names at most one: `more bars than in 2010`. */
function findPeriods({ used, steps, base }: Searched, lastDay: Day): Compared | undefined {
  const { filed_from, filed_to } = base;
  const isThan = hasRole(used, 'compare', 'than');
  const isAsked = hasRole(used, 'ask') && !isThan && !hasRole(steps, 'or');
  const isUsual = hasRole(used, 'usual');
  const isOpen = filed_from === '' || filed_to === '';
  // `did bars fall in 2019`, `are bars growing`
  const isChange = hasRole(used, 'grew', 'fell') && (!isOpen || !hasRole(used, 'by', 'days'));
  const before = isThan ? filed_to : isUsual && filed_from !== '' ? addDays(filed_from, -1) : '';
  const asked: Asked = {
    days: { filed_from, filed_to },
    isOpen,
    isThan,
    isNow: isUsual || (isAsked && (hasRole(used, 'more') || isChange)),
    isEarlier: hasRole(used, 'earlier'),
    isChange: isUsual || (isAsked && isChange),
    pivot: (filed_from === '') === (filed_to === '') ? '' : before,
    lastDay,
  };
  return PERIODS.find(([, test]) => test(asked))?.[2](asked);
}

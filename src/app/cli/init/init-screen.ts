/** Asks the questions of `shingle init`: roles of columns, and facts that no file has. Options can answer them. */

import { existsSync } from 'node:fs';
import QUESTIONS from '../../../data/init-questions.json' with { type: 'json' };
import { tidyName } from '../../../register/profile/people/tidy-name.ts';
import { readTown } from '../../../register/profile/places/place-text.ts';
import type { Point } from '../../../register/profile/places/points.ts';
import { isTimeZone } from '../../../register/profile/schema/check-value.ts';
import { findTimeZone, isNear } from '../../../register/survey/regions.ts';
import { CHOSEN_ROLES, type Choices, type ChosenRole } from '../../../register/survey/role-choices.ts';
import {
  listMissing,
  listRoleLines,
  listSampleCells,
  type RoleLine,
} from '../../../register/survey/role-table.ts';
import type { Roles } from '../../../register/survey/survey.ts';
import { UNKNOWN_HOMEPAGE, UNNAMED_CITY } from '../../../shared/city/placeholders.ts';
import { formatShare } from '../../../shared/text/numbers.ts';
import { findUsualArea } from './address-sources.ts';
import { type Prompts, printNote } from './prompt.ts';

type Fact = 'name' | 'region' | 'timeZone' | 'publisher' | 'homepage' | 'license';

export type GuessedFacts = Record<Fact, string> & {
  /** The places of a boundaries file and of an address file. */
  boundaries?: string | undefined;
  addresses?: string | undefined;
  showsPostalCodes: boolean;
};

/** The facts of a city, each with the reason, if it is more than a placeholder. */
type Guesses = Record<Fact, readonly [value: string, reason?: string]>;

/** Guesses the facts of a city. `timeZone` may be empty. `middle`: a point in the middle of its neighborhoods. */
export function guessFacts(roles: Roles, middle: Point | undefined): Guesses {
  const { town, county, states } = roles;
  const isElsewhere = middle !== undefined && roles.state !== undefined && !isNear(roles.state, middle);
  const state = isElsewhere ? undefined : roles.state;
  const timeZone = (isElsewhere ? undefined : roles.timeZone) ?? (middle && findTimeZone(middle));
  const [townName] = town?.keep ?? [];
  const countyName = county && `${tidyName(county).replace(/ County$/, '')} County`;
  const found = (value: string | undefined, unknown: string, reason: string): Guesses[Fact] =>
    value === undefined ? [unknown] : [value, reason];
  const from = states === undefined ? 'from postal codes or points' : `from the column ${states.name}`;
  return {
    name:
      townName === undefined
        ? found(countyName, UNNAMED_CITY, 'the county of most rows')
        : [tidyName(readTown(townName)), `the town of ${formatShare(town!.share)} of the rows`],
    region: found(state?.name, 'Fill in the region', from),
    timeZone: found(timeZone, '', state === undefined ? 'from the points' : `the zone of ${state.name}`),
    publisher: ['Fill in the publisher'],
    homepage: [UNKNOWN_HOMEPAGE],
    license: ['Fill in the license'],
  };
}

/** Lists what init guessed without asking, because it has no terminal. */
export function formatGuesses(guesses: Guesses, given: Partial<GuessedFacts>): string {
  const lines = Object.entries(guesses)
    .filter(([fact]) => given[fact as Fact] === undefined)
    .map(([fact, [value, reason]]) => {
      const mark = reason === undefined ? '?' : ' ';
      return `  ${mark} ${fact.padEnd(9)}  ${value || 'unknown'}  (${reason ?? 'no column says it'})`;
    });
  return ['What else init guessed:', '', ...lines, ''].join('\n');
}

const DONE = 'done';
const NONE = 'none';

export async function confirmRoles(
  prompts: Prompts,
  file: string,
  given: Choices,
  find: (choices: Choices) => Roles,
): Promise<Roles> {
  for (let choices = given; ; ) {
    const roles = find(choices);
    const lines = listRoleLines(roles);
    const others = CHOSEN_ROLES.filter((one) => lines.every(({ role }) => role !== one));
    printNote(formatRoles(file, lines));
    const goOn = { value: DONE, label: 'Yes, go on' } as const;
    const changes = [
      ...lines.map(({ role: one, column }) => ({ value: one, label: `Change "${one}"`, hint: column })),
      ...others.map((one) => ({ value: one, label: `Add "${one}"` })),
    ];
    // Enter takes the first option, so it must not confirm a date that is in doubt
    const isFiled = ({ value }: { value: ChosenRole }) => value === 'filed';
    const missing = listMissing(roles);
    const role = await prompts.askChoice<ChosenRole | typeof DONE>(
      roles.uncertain.has('filed') || missing.includes('filed')
        ? {
            text: 'Is this right? Look at "filed" first: it must be the day of the first filing',
            options: [...changes.filter(isFiled), goOn, ...changes.filter((one) => !isFiled(one))],
          }
        : { text: 'Is this right? Press Enter, or choose what to change', options: [goOn, ...changes] },
    );
    if (role === DONE && missing.length === 0) return roles;
    if (role === DONE) {
      printNote(
        `Without a column for ${missing.map((one) => `"${one}"`).join(' and ')}, nothing can be served.`,
      );
      continue;
    }
    choices = { ...choices, [role]: await askColumn(prompts, role, roles) };
  }
}

async function askColumn(prompts: Prompts, role: ChosenRole, roles: Roles): Promise<string> {
  const candidates = roles.candidates[role] ?? [];
  const rest = roles.columns.filter(({ name }) => candidates.every((one) => one.name !== name));
  return prompts.askChoice({
    text: `Which column is "${role}"?`,
    options: [
      ...[...candidates, ...rest].map((column) => ({
        value: column.name,
        label: column.name,
        hint: listSampleCells(column, 3).join(' | '),
      })),
      { value: NONE, label: 'No column' },
    ],
  });
}

export function formatRoles(file: string, lines: readonly RoleLine[]): string {
  const widths = [
    Math.max(...lines.map(({ role }) => role.length)),
    Math.min(30, Math.max(...lines.map(({ column }) => column.length))),
  ];
  const rows = lines.map(({ role, column, cells, runnerUp, isUncertain, remark, reason }) => {
    const mark = isUncertain ? '?' : ' ';
    const other = `  (${reason}${runnerUp === undefined ? '' : `; or: ${runnerUp}`})`;
    const below = remark === undefined ? '' : `\n${' '.repeat(widths[0]! + 6)}${remark}`;
    return `  ${mark} ${role.padEnd(widths[0]!)}  ${column.padEnd(widths[1]!)}  ${cells.join(' | ')}${other}${below}`;
  });
  return [`\nWhat the columns of ${file} mean:`, '', ...rows, ''].join('\n');
}

const PROBLEMS: Partial<Record<keyof GuessedFacts, (answer: string) => string | undefined>> = {
  timeZone: (zone) => (isTimeZone(zone) ? undefined : 'Use an IANA time zone such as America/Chicago.'),
  homepage: (url) => (/^https?:\/\/\S+$/.test(url) ? undefined : 'Use an address that begins with https://.'),
};

/** Asks for the facts that the options do not give. Suggests the answers in `facts`. */
export async function askFacts(
  prompts: Prompts,
  facts: GuessedFacts,
  given: Partial<GuessedFacts>,
  roles: Roles,
): Promise<GuessedFacts> {
  const answers = { ...facts };
  for (const fact of Object.keys(QUESTIONS) as (keyof typeof QUESTIONS)[]) {
    const question = { ...QUESTIONS[fact], standard: facts[fact], findProblem: PROBLEMS[fact] };
    answers[fact] = given[fact] ?? (await prompts.askText(question));
  }
  return { ...answers, ...(await askPlaces(prompts, answers, roles)) };
}

async function askPlaces(
  prompts: Prompts,
  { boundaries, showsPostalCodes }: GuessedFacts,
  { point, address, postalCode, neighborhood }: Roles,
): Promise<Pick<GuessedFacts, 'boundaries' | 'showsPostalCodes'>> {
  const area = neighborhood === undefined ? findUsualArea(postalCode) : undefined;
  const hasPlace = point !== undefined || (address.length > 0 && neighborhood === undefined);
  if (boundaries !== undefined || showsPostalCodes || (!hasPlace && area === undefined))
    return { boundaries, showsPostalCodes };
  const zips = area === undefined ? '' : `, "zip" to show areas such as "${area}" in their place`;
  const answer = await prompts.askText({
    text: `A file or URL of neighborhood boundaries (GeoJSON)${zips}, or Enter for none`,
    standard: '',
    findProblem: (typed) =>
      /^https?:/i.test(typed) || existsSync(typed) || (area !== undefined && /^zip$/i.test(typed))
        ? undefined
        : `There is no file ${typed}.`,
  });
  if (/^zip$/i.test(answer)) return { boundaries, showsPostalCodes: true };
  return { boundaries: answer || undefined, showsPostalCodes };
}

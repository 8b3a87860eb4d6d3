/** Turns a profile's verdict on a row into a filing. Never guesses to repair a row. */

import { addDays, type Day } from '../../shared/day.ts';
import { cityError, messageOf } from '../../shared/errors.ts';
import { DAYS_AHEAD, type Filing, LONGEST_NAME } from '../../shared/filing.ts';
import { STATUSES, UNCATEGORIZED } from '../../shared/listing.ts';
import { isRecord } from '../../shared/record.ts';
import type { Judgement } from '../../shared/report.ts';
import { removeInvisibles } from '../../shared/text/visible-text.ts';
import type { At, OpeningFacts, Row, Source, UpdateFacts, Verdict } from '../profile/define.ts';
import type { Join } from './join.ts';
import type { PlaceBusiness, Placing } from './placing.ts';
import type { TermCounter } from './terms.ts';

const FIRST_DAY = '1900-01-02'; // many registers write 1900-01-01 for unknown dates

export type Judge = (row: Row, line: number) => Judgement;

export type JudgeTools = {
  place: PlaceBusiness;
  seePlacing?: ((placing: Placing) => void) | undefined;
  join?: Join | undefined;
  terms?: TermCounter | undefined;
};

/** Returns the judge of a source. The judge throws `city`, with source and line, if the profile has an error. */
export function openJudge(source: Source, at: At, tools: JudgeTools): Judge {
  const latest = addDays(at.today, DAYS_AHEAD);
  return (row, line) => {
    try {
      const whole = tools.join?.join(row) ?? row;
      return judgeVerdict(readVerdict(source.verdict(whole, at)), latest, tools);
    } catch (error) {
      const detail = `source "${source.id}", line ${line}: the profile cannot judge this row: ${messageOf(error)}`;
      throw cityError(detail, error);
    }
  };
}

/** Checks a verdict, because a profile is a program and may return anything. */
function readVerdict(verdict: Verdict): Verdict {
  const { kind, facts, reason } = Object(verdict) as { kind?: string; facts?: unknown; reason?: unknown };
  if ((kind === 'opening' || kind === 'update') && isRecord(facts)) return verdict;
  if ((kind === 'skip' || kind === 'reject') && typeof reason === 'string') return verdict;
  throw new Error('its verdict is not what opening(), update(), skip() or reject() returns');
}

function judgeVerdict(verdict: Verdict, latest: Day, { place, seePlacing, terms }: JudgeTools): Judgement {
  if (verdict.kind === 'skip' || verdict.kind === 'reject') return verdict;
  const wrong = findTextProblem(verdict.facts);
  if (wrong !== undefined) return { kind: 'reject', reason: wrong };
  if (verdict.kind === 'update') {
    const { status } = verdict.facts;
    if (status !== undefined && !isStatus(status)) return { kind: 'reject', reason: 'unknown status' };
    if (!verdict.facts.termOn) return { kind: 'reject', reason: 'no filing date' };
    return updateOf(cleanFacts(verdict.facts), place);
  }
  const facts = cleanFacts(verdict.facts);
  const problem = findFilingProblem(facts, latest);
  if (problem !== undefined) return { kind: 'reject', reason: problem };
  const placing = place(facts);
  seePlacing?.(placing);
  return openingOf(facts, placing, terms?.hashType(facts));
}

/** Describes a fact that is not text. For example, `TABLE[cell]` is a function if the cell says `constructor`. */
function findTextProblem(facts: Partial<OpeningFacts & UpdateFacts>): string | undefined {
  if (typeof facts.key !== 'string' || facts.key === '') return 'no key';
  for (const field of ['category', 'neighborhood'] as const)
    if (!isTextOrNone(facts[field])) return `unknown ${field}`;
  for (const field of ['name', 'type', 'filedOn', 'termOn', 'expiresOn'] as const)
    if (!isTextOrNone(facts[field])) return `${field} is not text`;
  return undefined;
}

function isTextOrNone(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string';
}

/** Removes invisible characters from served texts. A text that has only invisible characters counts as missing. */
function cleanFacts<Facts extends OpeningFacts | UpdateFacts>(facts: Facts): Facts {
  const clean = { ...facts };
  for (const field of ['name', 'category', 'neighborhood'] as const) {
    const text = facts[field];
    if (typeof text !== 'string') continue;
    clean[field] = removeInvisibles(text);
    if (clean[field] === '' && field !== 'name') delete clean[field];
  }
  return clean;
}

function findFilingProblem(facts: OpeningFacts, latest: Day): string | undefined {
  if (!/[\p{L}\p{N}]/u.test(facts.name ?? '')) return 'no name';
  if (facts.name.length > LONGEST_NAME) return `name longer than ${LONGEST_NAME} characters`;
  if (!facts.filedOn) return 'no filing date';
  if (!isStatus(facts.status)) return 'unknown status';
  if (facts.filedOn < FIRST_DAY) return 'filing date before 1900 or unknown';
  return facts.filedOn > latest ? `filing date more than ${DAYS_AHEAD} days ahead` : undefined;
}

function isStatus(status: unknown): boolean {
  return STATUSES.some((known) => known === status);
}

function openingOf(facts: OpeningFacts, { neighborhood }: Placing, typeHash?: string): Filing {
  return {
    kind: 'opening',
    key: facts.key,
    name: facts.name,
    category: knownCategory(facts),
    ...(typeHash !== undefined && { typeHash }),
    neighborhood,
    status: facts.status,
    filedOn: facts.filedOn,
    termOn: facts.termOn ?? facts.filedOn,
    expiresOn: facts.expiresOn ?? null,
  };
}

function knownCategory({ category }: OpeningFacts | UpdateFacts): string | null {
  return category === undefined || category === UNCATEGORIZED ? null : category;
}

function updateOf(facts: UpdateFacts, place: PlaceBusiness): Filing {
  const { neighborhood } = place(facts);
  return {
    kind: 'update',
    key: facts.key,
    name: facts.name || null,
    category: knownCategory(facts),
    neighborhood,
    status: facts.status ?? null,
    termOn: facts.termOn,
    expiresOn: facts.expiresOn ?? null,
  };
}

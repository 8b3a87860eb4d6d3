/** Lets a person choose the column of each role. Without a choice, the role gets the column that fits best. */

import type { Column } from './columns.ts';

/** Roles that a person can assign to another column, or to none. */
export const CHOSEN_ROLES = [
  'name',
  'legal-name',
  'owner',
  'filed',
  'expires',
  'ended',
  'status',
  'renewals',
  'category',
  'neighborhood',
  'address',
  'town',
  'postal-code',
  'key',
] as const;
export type ChosenRole = (typeof CHOSEN_ROLES)[number];

export type Choices = Readonly<Partial<Record<ChosenRole, string>>>;

export type Choosing = ReturnType<typeof openChoices>;

const MOST_CANDIDATES = 5;

/** Opens the choices. An unknown choice means "none": callers check choices with `listUnknownChoices`. */
export function openChoices(columns: readonly Column[], choices: Choices) {
  const candidates: Partial<Record<ChosenRole, readonly Column[]>> = {};
  /** Chooses the column of a role. `ranked` lists its candidates, best first. */
  function choose(role: ChosenRole, guess: Column | undefined, ranked: readonly Column[]) {
    candidates[role] = ranked.length > 0 ? ranked.slice(0, MOST_CANDIDATES) : guess ? [guess] : [];
    const choice = choices[role];
    return choice === undefined ? guess : columns.find(({ name }) => name === choice && name !== 'none');
  }
  return {
    /** Candidates for each role, best first, regardless of choices. */
    candidates,
    choose,
    chooseBest: (role: ChosenRole, ranked: readonly Column[]) => choose(role, ranked[0], ranked),
    /** Chooses all columns of a role. If a person chooses the first guess, keeps the other guesses, too. */
    chooseAll(role: ChosenRole, guess: readonly Column[], ranked: readonly Column[]): readonly Column[] {
      const chosen = choose(role, guess[0], ranked);
      return chosen === undefined ? [] : chosen === guess[0] ? guess : [chosen];
    },
  };
}

export function listUnknownChoices(columns: readonly Column[], choices: Choices): string[] {
  return Object.values(choices).filter(
    (choice) => choice !== 'none' && !columns.some(({ name }) => name === choice),
  );
}

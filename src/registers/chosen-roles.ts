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

/** The header of a column, or `none`. */
export type Choices = Readonly<Partial<Record<ChosenRole, string>>>;

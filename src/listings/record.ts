/** Parsed JSON, looked at. */

/** Whether it is an object with names, rather than a list or a plain value. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The records of a list; none of what is no list. */
export function filterRecords(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

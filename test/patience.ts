/**
 * How long a test waits for anything before it fails. A guard against hanging and no measure: a machine that is busy with other things
 * needs a tenth of it at most.
 */
export const PATIENCE_MS = 300_000;

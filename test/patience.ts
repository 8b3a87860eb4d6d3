/**
 * How long a test waits for something before it fails. It only guards against hanging and measures nothing: a busy machine needs at
 * most a tenth of it.
 */
export const PATIENCE_MS = 300_000;

/** Lets tests inject faults at named points. Does nothing otherwise. */

let installed: ((name: string) => void) | undefined;

/** Calls the installed function with the name of the probe. Without a function, this costs only a comparison. */
export function probe(name: string): void {
  installed?.(name);
}

/**
 * Calls `what` at every probe until another function is installed. `what` may throw or end the process. For tests only.
 */
export function installProbe(what: ((name: string) => void) | undefined): void {
  installed = what;
}

/** Lets tests inject faults at named points. Does nothing otherwise. */

let installed: ((name: string) => void) | undefined;

/** Costs one comparison outside tests. */
export function probe(name: string): void {
  installed?.(name);
}

/** Calls `what` at every probe until it is replaced. It may throw or end the process. For tests only. */
export function installProbe(what: ((name: string) => void) | undefined): void {
  installed = what;
}

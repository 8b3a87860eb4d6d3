/** The one seam through which tests inject faults: a no-op unless a test installs something. */

let installed: ((name: string) => void) | undefined;

/** Marks a named point in an operation (`ingest:staged`). Costs one comparison outside tests. */
export function probe(name: string): void {
  installed?.(name);
}

/** For tests only: `what` is called at every probe until it is replaced. It may throw or end the process. */
export function installProbe(what: ((name: string) => void) | undefined): void {
  installed = what;
}

/** Work that fails at a named point. */

import { installProbe } from '../../../src/shared/probe.ts';

/** Does `work` with a fault at the named point of it. */
export async function failingAt<T>(point: string, work: () => Promise<T>): Promise<T> {
  installProbe((name) => {
    if (name === point) throw new Error(`a fault at ${point}`);
  });
  try {
    return await work();
  } finally {
    installProbe(undefined);
  }
}

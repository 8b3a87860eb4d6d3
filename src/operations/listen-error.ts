/** Why a port cannot be opened, in a sentence with what to do about it. */

import { ShingleError } from '../errors.ts';

type Listening = {
  host: string;
  port: number;
  /** The variable that sets the port. */
  variable: string;
};

/** Waits until a server listens. Throws `conflict` where an operator can do something about the error. */
export async function explainListenErrors<T>(listening: Promise<T>, where: Listening): Promise<T> {
  try {
    return await listening;
  } catch (error) {
    const sentence = describeListenError((error as NodeJS.ErrnoException).code, where);
    throw sentence === undefined ? error : new ShingleError('conflict', sentence, { cause: error });
  }
}

function describeListenError(
  code: string | undefined,
  { host, port, variable }: Listening,
): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} of ${host} is in use by another program, perhaps another Shingle. Stop that program, or set ${variable} to another port`;
    case 'EACCES':
      return `this user may not open port ${port}. Set ${variable} to 1024 or more`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine. Set HOST to one`;
    default:
      return undefined;
  }
}

/** Node versions that are too old for Shingle, if this machine has any: the system's own, and those in OLD_NODES. */

import { execFileSync } from 'node:child_process';
import { delimiter } from 'node:path';
import { isNewEnough } from '../../../bin/launch.mjs';
import { PATIENCE_MS } from '../../patience.ts';

export type OldNode = { path: string; version: string };

/** One of each version. `OLD_NODES` holds further paths, separated as in PATH. */
export function oldNodes(): OldNode[] {
  const paths = ['/usr/bin/node', '/usr/local/bin/node', ...(process.env.OLD_NODES ?? '').split(delimiter)];
  const byVersion = new Map<string, OldNode>();
  for (const path of paths) {
    const version = versionOf(path);
    if (version !== undefined && !isNewEnough(version)) byVersion.set(version, { path, version });
  }
  return [...byVersion.values()];
}

function versionOf(path: string): string | undefined {
  try {
    return execFileSync(path, ['-p', 'process.versions.node'], { stdio: 'pipe', timeout: PATIENCE_MS })
      .toString()
      .trim();
  } catch {
    return undefined;
  }
}

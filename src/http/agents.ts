/** POST /mcp: who may send what to the protocol of agents. The protocol itself is loaded when the first of them comes. */

import { isOfType } from './body.ts';
import type { Door } from './door.ts';
import { type ProblemCode, problemReply } from './problem.ts';
import type { Posted, Reply, Resource } from './reply.ts';
import { isForeign } from './signup.ts';

const LONGEST_BODY = 65_536;
const PATIENCE_MS = 5000;

export function agentsResource(door: Door): Resource {
  let opened: Promise<(posted: Posted) => Promise<Reply>> | undefined;
  // 0.1 s that most services never need, and none needs before it listens
  const open = async () => (await import('./mcp.ts')).openAgents(door, PATIENCE_MS);
  return {
    path: '/mcp',
    rank: 'page',
    patienceMs: PATIENCE_MS,
    longestBody: LONGEST_BODY,
    async post(posted) {
      const refused = (code: ProblemCode) => problemReply(door.publicUrl, { code });
      if (isForeign(door, posted)) return refused('foreign-origin');
      if (!isOfType(posted.headers, 'application/json')) return refused('unsupported-media-type');
      opened ??= open();
      return (await opened)(posted);
    },
  };
}

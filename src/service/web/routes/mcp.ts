/** Adds POST /mcp: the Model Context Protocol for agents. The first message loads the protocol library. */

import type { FastifyInstance } from 'fastify';
import { JSON_TYPE } from '../answers.ts';
import type { ServerContext } from '../context.ts';
import { makeMinuteProblem } from '../limits/charge.ts';
import type { openMcpServer } from '../mcp-server.ts';
import { isForeign } from '../origins.ts';
import { isOfType, readBody } from '../request-body.ts';

export const MCP_LIMIT_BYTES = 65_536;
const MCP_TIMEOUT_MS = 5000;
const LONGEST_ID = 256;
const BAD_ID = `The id of a message must be a number, or a text of at most ${LONGEST_ID} characters.`;

export function mcpRoute(app: FastifyInstance, context: ServerContext): void {
  let server: Promise<ReturnType<typeof openMcpServer>> | undefined;
  // loaded on first use, because loading takes 0.1 s
  const open = async () => (await import('../mcp-server.ts')).openMcpServer(context, MCP_TIMEOUT_MS);
  app.post(
    '/mcp',
    { bodyLimit: MCP_LIMIT_BYTES, config: { priority: 'page', timeoutMs: MCP_TIMEOUT_MS } },
    async (request, reply) => {
      if (isForeign(context, request)) return reply.problem({ code: 'foreign-origin' });
      if (!isOfType(request.headers, 'application/json'))
        return reply.problem({ code: 'unsupported-media-type' });
      const { client } = request;
      const body = readBody(request);
      const json = parseJson(body);
      const messages = [json].flat();
      const further = messages.length - 1; // the request itself has paid for the first message
      if (further > 0 && !context.limiter.spend(client, 'burst', further))
        return reply.problem(makeMinuteProblem(context, client, 'burst', messages.length));
      if (messages.some(hasBadId)) return reply.problem({ code: 'invalid-body', detail: BAD_ID });
      server ??= open();
      const answer = await (await server)(request, { body, json });
      reply.headers({ 'cache-control': 'no-store', ...context.limiter.headers(client) });
      const type = answer.type ?? (answer.body === '' ? undefined : JSON_TYPE);
      if (type !== undefined) reply.header('content-type', type);
      return reply.code(answer.status).send(answer.body);
    },
  );
}

/** Parses a body, which has one message or a list of them. The protocol library reports what is not JSON. */
function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/** Returns whether an id is too long or an object (perhaps nested too deeply), because the response repeats the id. */
function hasBadId(given: unknown): boolean {
  if (typeof given !== 'object' || given === null || !('id' in given)) return false;
  const { id } = given;
  return (typeof id === 'object' && id !== null) || String(id).length > LONGEST_ID;
}

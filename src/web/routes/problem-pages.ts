/** GET /problems/CODE: the page that the `type` of every problem links to. */

import type { FastifyInstance } from 'fastify';
import { sendPage } from '../answers.ts';
import type { ServerContext } from '../context.ts';
import { renderProblemPage } from '../pages/page-layout.ts';
import { PROBLEMS } from '../problems.ts';

export function problemPageRoutes(app: FastifyInstance, context: ServerContext): void {
  for (const [code, problem] of Object.entries(PROBLEMS)) {
    const html = renderProblemPage(context.layout, problem);
    app.get(`/problems/${code}`, { config: { isPage: true }, schema: { hide: true } }, (_request, reply) =>
      sendPage(context, reply, html),
    );
  }
}

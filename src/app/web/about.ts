/** Adds GET /about: the sources, and what the newest runs left out. The page is free, and the same for all. */

import type { FastifyInstance } from 'fastify';
import { renderAboutPage } from '../../page/about-page.ts';
import { parseSearchQuery } from '../../service/search/query.ts';
import { sendPage } from '../../service/web/answers.ts';
import { readQuery } from '../../service/web/plugins/strict-http.ts';
import { hasRegisterEnded } from '../../shared/city/register-end.ts';
import { EVERYTHING, NARROWING } from '../../shared/question.ts';
import { formatNotice } from '../../shared/signup/consent.ts';
import type { PageContext } from './page-context.ts';

export function aboutRoute(app: FastifyInstance, context: PageContext): void {
  app.get('/about', { config: { priority: 'page' } }, (request, reply) => {
    const { layout, city, leftOut, subscriptions } = context;
    const index = context.index();
    const html = renderAboutPage({
      layout,
      // all pages ignore invalid parameters
      question: parseSearchQuery(readQuery(request.raw), NARROWING).question,
      dataAsOf: context.dataAsOf(),
      leftOut: leftOut?.(),
      stats: index?.stats(EVERYTHING),
      statuses: index?.facets(EVERYTHING).status ?? [],
      notice: subscriptions && formatNotice(city),
      isArchive: hasRegisterEnded(context.city, context.index()),
    });
    return sendPage(context, reply, html, { referrer: 'same-origin', robots: 'noarchive' });
  });
}

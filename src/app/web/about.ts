/** Adds GET /about: the sources, and what the newest runs left out, and GET /correct, which charges for the listing that it shows. */

import type { FastifyInstance } from 'fastify';
import { renderAboutPage, renderCorrectionPage } from '../../page/about-page.ts';
import { parseSearchQuery } from '../../service/search/query.ts';
import { chargeAnswer, priceOf } from '../../service/web/limits/charge.ts';
import type { Client } from '../../service/web/limits/limiter.ts';
import { sendPage } from '../../service/web/pages.ts';
import { readQuery } from '../../service/web/plugins/strict-http.ts';
import type { Listing } from '../../shared/listing.ts';
import { EVERYTHING, NARROWING, type Question } from '../../shared/question.ts';
import type { PageContext } from './page-context.ts';

export function aboutRoute(app: FastifyInstance, context: PageContext): void {
  app.get('/about', { config: { priority: 'page' } }, (_, reply) => {
    const { layout, leftOut } = context;
    const index = context.index();
    const html = renderAboutPage({
      layout,
      dataAsOf: context.dataAsOf(),
      leftOut: leftOut?.(),
      stats: index?.stats(EVERYTHING),
      dataEnd: index?.dataEnd,
      statuses: index?.facets(EVERYTHING).status ?? [],
    });
    return sendPage(context, reply, html, { referrer: 'same-origin', robots: 'noarchive' });
  });
  app.get('/correct', { config: { priority: 'page' } }, (request, reply) => {
    // all pages ignore invalid parameters
    const { question } = parseSearchQuery(readQuery(request.raw), NARROWING);
    const found = findOne(context, request.client, question);
    const html = renderCorrectionPage({ layout: context.layout, question, found });
    return sendPage(context, reply, html, { referrer: 'same-origin' });
  });
}

/** Finds the listing that a correction is about, and charges for it. A client whose limit is used up sees only its name. */
function findOne(context: PageContext, client: Client, question: Question): readonly Listing[] {
  const { q, filed_from, filed_to } = question;
  const data = context.data();
  if (data === undefined || q === '' || filed_from === '' || filed_from !== filed_to) return [];
  const answer = chargeAnswer(context, client, () => {
    const { rows, identities } = data.index.search(question);
    return { price: priceOf(data, 'correct', question, { identities }), rows };
  });
  return 'code' in answer ? [] : data.index.readListings(answer.rows);
}

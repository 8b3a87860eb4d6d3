/** What the views of a search have in common: conditional requests, and the default page kept rendered. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Answer, chooseEncoding, sendVersion } from '../answers.ts';
import type { ServedData, ServerContext } from '../context.ts';
import { readQuery } from '../plugins/strict-http.ts';

type SearchPage<Asked> = {
  path: string;
  read(query: string): Asked;
  /** What identifies the answer, besides the data. */
  spell(asked: Asked): string;
  /** `robots`: the `X-Robots-Tag` header. */
  answer(context: ServerContext, data: ServedData, asked: { asked: Asked; robots: string }): Answer;
  /** The answer before the first run is kept. */
  wait(reply: FastifyReply): FastifyReply;
};

export function addSearchPage<Asked>(
  app: FastifyInstance,
  context: ServerContext,
  { path, read, spell, answer, wait }: SearchPage<Asked>,
): void {
  let plain: { data: ServedData; answer: Answer } | undefined;
  app.get(path, { config: { priority: 'page', isPage: true }, schema: { hide: true } }, (request, reply) => {
    const data = context.data();
    if (data === undefined) return wait(reply);
    const query = readQuery(request.raw);
    const asked = read(query);
    const isPlain = query === '';
    const version = {
      etag: data.makeEtag(`page ${path} ${spell(asked)} ${isPlain} ${chooseEncoding(request)}`),
      cacheControl: 'private, max-age=60',
      headers: { vary: 'Accept-Encoding' },
    };
    return sendVersion(context, reply, version, () => {
      if (!isPlain) return answer(context, data, { asked, robots: 'noindex' });
      if (plain?.data !== data)
        plain = { data, answer: keepBody(answer(context, data, { asked, robots: 'noarchive' })) };
      return plain.answer;
    });
  });
}

function keepBody(answer: Answer): Answer {
  let body: string | object | undefined;
  const render = () => {
    body ??= answer.render();
    return body;
  };
  return { ...answer, render, isLasting: true };
}

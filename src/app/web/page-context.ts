/** Defines the context of pages, and what several pages say. */

import type { FastifyReply } from 'fastify';
import type { Markup } from '../../page/markup.ts';
import type { PageLayout } from '../../page/page-layout.ts';
import { renderMessagePage } from '../../page/subscription-pages.ts';
import { findNewestSlot, findNextSlot } from '../../service/mail/editions/weekly-schedule.ts';
import type { ServerContext } from '../../service/web/context.ts';
import { sendPage } from '../../service/web/pages.ts';
import type { PageWord } from '../../shared/city/page-words.ts';
import { EVERYTHING } from '../../shared/question.ts';

export type PageContext = ServerContext & { layout: PageLayout };

type Titled<Word> = Word extends `${infer Name}.title` ? Extract<PageWord, Name> : never;

type MessageOptions = {
  status?: number;
  values?: Record<string, string>;
  /** Sentences after the first one. */
  sentences?: readonly string[];
  more?: Markup | false;
};

/** Sends a page with the title and the sentence of a text such as `leave.done`. The page's address may have a token. */
export function sendMessage(
  context: PageContext,
  reply: FastifyReply,
  word: Titled<PageWord>,
  { status = 200, values = {}, sentences = [], more }: MessageOptions = {},
): FastifyReply {
  const { say } = context.layout.localization;
  const all = [say(word, values), ...sentences];
  return sendPage(context, reply, renderMessagePage(context.layout, say(`${word}.title`), all, more), {
    status,
  });
}

/** Returns a sentence with the date of the next weekly email, or `[]` if the register has ended. */
export function describeNextEdition(context: PageContext): string[] {
  const { city, layout, now, index } = context;
  if (!layout.hasNews()) return [];
  const { say, date } = layout.localization;
  const coming = findNextSlot(findNewestSlot(city, new Date(now()).toISOString()), city);
  const [newest] = index()?.listEditions(EVERYTHING) ?? []; // can be sent early
  const isSent = newest !== undefined && newest.edition >= coming.edition;
  const { edition } = isSent ? findNextSlot(coming, city) : coming;
  return [say('next.edition', { day: date(edition) })];
}

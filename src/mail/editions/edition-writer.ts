/** Writes the emails of editions: each once a round for everybody who gets the same part. */

import type { City } from '../../city/define.ts';
import type { EditionStore } from '../../subscribers/ports.ts';
import type { EmailBody } from '../email-layout.ts';
import type { EditionContent } from './edition.ts';
import { renderEditionEmail } from './edition-email.ts';
import { selectPart } from './edition-part.ts';

/** Messages with the same text follow each other, so few texts are needed at a time; retries bring some back. */
const MOST_TEXTS = 50;

type EditionWriterContext = {
  city: City;
  editions: EditionStore;
  suppressions(): Promise<readonly { value: string }[]>;
  postalAddress: string | undefined;
  links: { unsubscribe: string; manage: string; home: string };
};

/** The email about an edition for these preferences; `undefined` where nothing is left to say. */
type EditionWriter = (edition: string, preferences: string | null) => Promise<EmailBody | undefined>;

export function openEditionWriter({ city, editions, ...context }: EditionWriterContext): EditionWriter {
  const contents = new Map<string, ReturnType<typeof readEdition>>();
  const texts = new Map<string, Promise<EmailBody | undefined>>();

  async function readEdition(name: string) {
    const content = await readContent(name);
    return {
      content,
      before: content?.before ? await readContent(content.before.edition) : undefined,
      suppressed: await context.suppressions(),
    };
  }

  async function readContent(name: string): Promise<EditionContent | undefined> {
    const stored = await editions.edition(name);
    return stored?.content ? (JSON.parse(stored.content) as EditionContent) : undefined;
  }

  async function write(edition: string, preferences: string | null): Promise<EmailBody | undefined> {
    const { content, ...rest } = await contents.getOrInsertComputed(edition, readEdition);
    const part = content && selectPart(content, { ...rest, preferences });
    if (part === undefined || part.listings.length === 0) return undefined;
    return renderEditionEmail({ ...context, city, content: part, preferences });
  }

  return (edition, preferences) => {
    const key = `${edition}\n${preferences ?? ''}`;
    if (!texts.has(key) && texts.size >= MOST_TEXTS) texts.delete(texts.keys().next().value!);
    return texts.getOrInsertComputed(key, () => write(edition, preferences));
  };
}

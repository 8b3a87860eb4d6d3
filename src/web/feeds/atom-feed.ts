/** A feed as XML (Atom, RFC 4287). */

import { type Markup, markup } from '../pages/markup.ts';
import type { Feed, FeedItem } from './feed.ts';

/** XML 1.0 has no way to write these characters, not even as references. */
const NOT_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

export function renderAtomFeed(feed: Feed, publicUrl: string): string {
  const whole = markup`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${feed.language}">
<id>${feed.id}</id>
<title>${toXmlText(feed.title)}</title>
<subtitle>${toXmlText(feed.description)}</subtitle>
<updated>${feed.updatedAt}</updated>
<author><name>${toXmlText(feed.author)}</name></author>
<generator version="${feed.version}">Shingle</generator>
<link rel="self" type="application/atom+xml" href="${publicUrl}/feed.xml${feed.query}"/>
<link rel="alternate" type="text/html" href="${feed.pageUrl}"/>
${feed.items.map(renderEntry)}</feed>
`;
  return `<?xml version="1.0" encoding="utf-8"?>\n${whole.html}`;
}

/** What is known of a listing does not say when it changed, so an entry is as new as its filing. */
function renderEntry({ id, url, title, text, publishedAt, tags }: FeedItem): Markup {
  return markup`<entry>
<id>${id}</id>
<title>${toXmlText(title)}</title>
<link rel="alternate" type="text/html" href="${url}"/>
<published>${publishedAt}</published>
<updated>${publishedAt}</updated>
<content>${toXmlText(text)}</content>
${tags.map((tag) => markup`<category term="${toXmlText(tag)}"/>`)}
</entry>
`;
}

function toXmlText(text: string): string {
  return text.replace(NOT_XML, '\ufffd');
}

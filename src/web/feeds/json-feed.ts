/** A feed as JSON (jsonfeed.org, version 1.1), as a value of FeedSchema. */

import type { Feed } from './feed.ts';

export function toJsonFeed(feed: Feed, publicUrl: string) {
  return {
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    home_page_url: feed.pageUrl,
    feed_url: `${publicUrl}/feed.json${feed.query}`,
    description: feed.description,
    language: feed.language,
    items: feed.items.map(({ id, url, title, text, publishedAt, tags }) => ({
      ...{ id, url, title },
      content_text: text,
      date_published: publishedAt,
      tags,
    })),
  };
}

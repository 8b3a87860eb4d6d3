/** The links in a weekly email: to its own page in the archive, and to the search of each listing. */

import { type Listing, UNKNOWN_NEIGHBORHOOD } from '../../listings/listing.ts';
import { EVERYTHING, fitToQ, formatQuestion } from '../../search/parameters.ts';
import { parsePreferences } from '../../subscribers/preferences.ts';

const LONGEST_QUERY = 1_900; // a path with its query has at most 2,048 bytes

/** The page of the edition, with the filters of these preferences if they fit into an address. */
export function linkArchive({
  content,
  preferences = null,
  links,
}: {
  content: { edition: string };
  preferences?: string | null;
  links: { home: string };
}): string {
  const { categories, neighborhoods } = parsePreferences(preferences);
  const query = formatQuestion({ ...EVERYTHING, category: categories, neighborhood: neighborhoods });
  const page = `${links.home}weekly/${content.edition}`;
  return query === '' || query.length > LONGEST_QUERY ? page : `${page}?${query}`;
}

/** The page's search for the name, in its neighborhood. */
export function linkListing(home: string, { name, neighborhood }: Listing): string {
  const places = neighborhood === UNKNOWN_NEIGHBORHOOD ? [] : [neighborhood];
  return `${home}?${formatQuestion({ ...EVERYTHING, q: fitToQ(name), neighborhood: places })}`;
}

/**
 * The texts of the public page, in English. A profile can replace any of them (`words`), and must replace all of them if its
 * `language` is not English. `{city}`, `{n}` and so on are placeholders. The texts contain no HTML.
 */

export const PAGE_WORDS = {
  title: 'New businesses in {city}',
  lead: '{n} openings on file, taken from public filings. The newest was filed on {day}.',
  waiting: 'The first data import is running. Please come back in a minute.',
  'lead.archive':
    '{n} openings on file as of {month}, taken from public filings. The register has no newer filings.',
  skip: 'Skip to the results',
  'nav.map': 'Map',
  'nav.email': 'By email',
  'nav.about': 'About',
  'nav.api': 'API',

  'search.label': 'Search by name, kind or neighborhood',
  'search.button': 'Search',
  'filter.category': 'Kind of business',
  'filter.neighborhood': 'Neighborhood',
  'filter.status': 'Status',
  'filter.filed_from': 'Filed from',
  'filter.filed_to': 'Filed to',
  'chip.filed_from': 'from {day}',
  'chip.filed_to': 'to {day}',
  'filter.any': 'Any',
  'filter.apply': 'Apply',
  'filter.remove': 'Remove {value}',
  'filter.clear': 'Start over',

  'status.open': 'open',
  'status.closed': 'closed',
  'status.expired': 'expired',
  'status.abandoned': 'abandoned',
  'status.unknown': 'unknown',

  'results.newest': 'The newest openings',
  'results.one': '1 opening',
  'results.many': '{n} openings',
  'results.range': '{from} to {to} of {n}',
  'results.none': 'No results',
  'results.none.q': 'No results for “{q}”',
  'results.none.in': 'No results in {place}',
  'results.none.both': 'No results for “{q}” in {place}',
  'results.past': 'No more results.',
  'results.capped': 'Only the first {n} are shown. Narrow your search to see others.',
  'results.first': 'Back to the first',
  'results.next': 'Next 25',
  'results.previous': 'Previous 25',
  'help.neighborhood': '{n} in other neighborhoods',
  'help.category': '{n} in other categories',
  'help.status': '{n} with another status',
  'help.filed_from': '{n} without a first day',
  'help.filed_to': '{n} without a last day',
  'help.q': '{n} without “{q}”',
  'help.meant': 'Did you mean {value}?',

  'archive.title': 'As of {month}',
  'archive.text':
    'The newest filing is from {day}. Nothing newer has been published, so nothing here is new and there is no weekly email.',
  'week.title': 'New this week',
  'week.none': 'Nothing new in the seven days to {day}.',
  'week.email': 'Get it by email, every week',
  'week.one': '1 opening in the seven days to {day}',
  'week.many': '{n} openings in the seven days to {day}',
  'map.title': 'Openings by neighborhood',
  'map.help': 'Choose a neighborhood to see what opens there.',
  'map.none': 'none',
  'map.area': '{value}: {n}',
  'map.unplaced': '{n} could not be placed in a neighborhood.',
  'kinds.title': 'Kinds of business',
  'areas.title': 'Neighborhoods',
  'bars.more': 'All {n}',
  'months.title': 'Filings per month',
  'months.help':
    'All openings in {city}, by the month of their first filing. The last month may not be complete.',
  'months.table': 'As a table',
  'months.month': 'Month',
  'months.count': 'Filings',

  'email.title': 'By email',
  'email.lead': 'One email a week with the new businesses. Unsubscribe at any time with one click.',

  'about.title': 'About these listings',
  'source.title': 'Data sources',
  'source.fresh': 'Last updated on {moment}.',
  'source.archive': 'This is an archive. Status, age and “this week” are as of {day}.',
  'source.licence': 'Licence: {licence}.',
  'facts.title': 'What a listing shows',
  'facts.text':
    'A listing has a name, a category, a neighborhood, a status and the date of its first filing. We do not keep or show anything else. A filing means that a business was registered. It does not mean that the business is open. Category and neighborhood may be inferred from the filing.',
  'removal.title': 'To have a listing removed',
  'removal.text':
    'Write to {contact} with the name as it is shown here. We remove it at once and permanently.',
  'terms.title': 'Terms',
  'terms.text':
    'You can read and quote these listings and use the API, within its rate limits, for free. Bulk copying is not allowed. If you need all the data, get it from the publisher. This is not a consumer report: do not use it for decisions about credit, insurance, employment or housing. The data comes without warranty.',
  'footer.by': 'Run by {operator}, with Shingle.',
  'footer.api': 'API reference',
  'footer.feed': 'JSON feed',
  'footer.agents': 'For agents',
} as const;

export type PageWord = keyof typeof PAGE_WORDS;
export type PageWords = Record<PageWord, string>;

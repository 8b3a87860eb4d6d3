/**
 * The words of the public page, in English. A profile may say any of them in its own way (`words`), and must say all of them
 * where its `language` is another. `{city}`, `{n}` and the like stand for what is shown; nothing here is HTML.
 */

export const PAGE_WORDS = {
  title: 'New businesses in {city}',
  lead: '{n} openings on file, taken from public filings. The newest was filed on {day}.',
  waiting: 'The first filings are being read. Please come back in a minute.',
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
  'results.none': 'Nothing found',
  'results.none.q': 'Nothing for “{q}”',
  'results.none.in': 'Nothing in {place}',
  'results.none.both': 'Nothing in {place} for “{q}”',
  'results.past': 'There is nothing this far on.',
  'results.capped': 'Only the first {n} are shown. Narrow it down to see others.',
  'results.first': 'Back to the first',
  'results.next': 'Next 25',
  'results.previous': 'Previous 25',
  'help.neighborhood': '{n} in other neighborhoods',
  'help.category': '{n} of other kinds',
  'help.status': '{n} with another status',
  'help.q': '{n} without “{q}”',
  'help.meant': 'Did you mean {value}?',

  'week.title': 'New this week',
  'week.none': 'Nothing new in the seven days to {day}.',
  'week.email': 'Get it by email, every week',
  'week.one': '1 opening in the seven days to {day}',
  'week.many': '{n} openings in the seven days to {day}',
  'map.title': 'Where they open',
  'map.help': 'Choose a neighborhood to see what opens there.',
  'map.none': 'none',
  'map.area': '{value}: {n}',
  'map.unplaced': '{n} are in no neighborhood we know.',
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
  'email.lead': 'One email a week with what is new. Leave whenever you like, with one click.',

  'about.title': 'About these listings',
  'source.title': 'Where they come from',
  'source.fresh': 'Last read on {moment}.',
  'source.archive': 'This is an archive: status, age and “this week” are reckoned as of {day}.',
  'source.licence': 'Licence: {licence}.',
  'facts.title': 'What they say',
  'facts.text':
    'A listing is a name, a kind of business, a neighborhood, a status and the day of its first filing. Nothing else is kept or shown. A filing means that a business was registered. It does not mean that the business is open. Kind and neighborhood may be our reading of the filing.',
  'removal.title': 'To have a listing removed',
  'removal.text':
    'Write to {contact} with the name as it stands here. It is taken out at once and stays out.',
  'terms.title': 'Terms',
  'terms.text':
    'Free to read, to quote and to ask by program, within the budgets of the API. Not for copying wholesale: whoever needs everything gets it from the publisher. Not a consumer report: do not use it to decide on anybody’s credit, insurance, work or housing. Given as it is, without warranty.',
  'footer.by': 'Run by {operator}, with Shingle.',
  'footer.api': 'API reference',
  'footer.feed': 'JSON feed',
  'footer.agents': 'For agents',
} as const;

export type PageWord = keyof typeof PAGE_WORDS;
export type PageWords = Record<PageWord, string>;

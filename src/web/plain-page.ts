/** A plain page that says what this is and what can be asked. A pure function of what it shows; nothing in it runs. */

import type { City } from '../city/define.ts';
import { escaped } from '../listings/escape.ts';
import type { Listing } from '../listings/listing.ts';

export type Shown = {
  city: City;
  publicUrl: string;
  asOf: string | null;
  total: number;
  /** The newest, at most 25. */
  listings: readonly Listing[];
  /** HTML of the signup form, where there is one. */
  signup: string | undefined;
};

/** HTML of the page at `/`. */
export function plainPage({ city, publicUrl, asOf, total, listings, signup }: Shown): string {
  const examples = ['/api/search?q=coffee', '/api/stats', '/api/health', '/openapi.json'];
  const when = asOf === null ? 'The first filings are being read.' : `As of ${asOf}: ${total} listings.`;
  return document(
    `New businesses in ${city.name}`,
    city.language ?? 'en',
    `<h1>New businesses in ${escaped(city.name)}, ${escaped(city.region)}</h1>
<p>${escaped(when)}${city.asOf === undefined ? '' : ` An archive: status is reckoned on ${escaped(city.asOf)}.`}</p>
<h2>Ask</h2>
<ul>${examples.map((path) => `<li><a href="${escaped(publicUrl + path)}">${escaped(path)}</a></li>`).join('\n')}</ul>
<h2>The newest filings</h2>
<ul>${listings.map(item).join('\n')}</ul>
${signup === undefined ? '' : `<h2>By email</h2>\n${signup}`}
<h2>Where this comes from</h2>
<ul>${city.sources.map(({ publisher, homepage, licence, notice }) => `<li><a href="${escaped(homepage)}">${escaped(publisher)}</a>: ${escaped(licence)}${notice === undefined ? '' : `. ${escaped(notice)}`}</li>`).join('\n')}</ul>
<p>Run by ${escaped(city.operator.name)}. To have a listing removed: ${escaped(city.operator.contact)}</p>`,
  );
}

/** HTML of the page that explains one kind of problem. */
export function problemPage(problem: { status: number; title: string; text: string }): string {
  const body = `<h1>${escaped(problem.title)}</h1>\n<p>Status ${problem.status}. ${escaped(problem.text)}</p>`;
  return document(problem.title, 'en', body);
}

function item({ name, category, neighborhood, status, filing_date }: Listing): string {
  return `<li>${escaped(name)} (${escaped(category)}, ${escaped(neighborhood)}), filed ${filing_date}, ${status}</li>`;
}

export function document(title: string, language: string, body: string): string {
  return `<!doctype html>
<html lang="${escaped(language)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><link rel="stylesheet" href="/style.css"><title>${escaped(title)}</title></head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}

/** Describes pages to other programs: previews of links (Open Graph), and the register as a data set (schema.org). */

import { isPlaceholder } from '../shared/city/placeholders.ts';
import type { Day, Instant } from '../shared/day.ts';
import { PREVIEW } from './chart/chart-picture.ts';
import { type Markup, markup } from './markup.ts';
import type { PageLayout } from './page-layout.ts';

type Preview = {
  title: string;
  description: string;
  path: string;
  /** The address of the chart. `undefined` if there are no results. */
  picture: string | undefined;
};

/** Renders the head elements for link previews. */
export function renderPreview(layout: PageLayout, { title, description, path, picture }: Preview): Markup {
  return markup`<meta property="og:type" content="website">
<meta property="og:site_name" content="${layout.localization.say('title')}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${layout.publicUrl}${path}">
${picture && renderPicture(layout, picture, title)}`;
}

function renderPicture({ publicUrl }: PageLayout, path: string, alt: string): Markup {
  return markup`<meta property="og:image" content="${publicUrl}${path}">
<meta property="og:image:width" content="${PREVIEW.width * PREVIEW.scale}">
<meta property="og:image:height" content="${PREVIEW.height * PREVIEW.scale}">
<meta property="og:image:alt" content="${alt}">
<meta name="twitter:card" content="summary_large_image">
`;
}

type Register = { description: string; dataAsOf: Instant | null; latestFiling: Day | null };

/** Renders a description of the register as a data set, without listings. Browsers do not run this script element. */
export function renderDataset(layout: PageLayout, { description, dataAsOf, latestFiling }: Register): Markup {
  const { city, localization, publicUrl } = layout;
  const table = (by: string) => ({
    '@type': 'DataDownload',
    encodingFormat: 'text/csv',
    contentUrl: `${publicUrl}/api/stats.csv?by=${by}`,
  });
  const dataset = {
    '@context': 'https://schema.org',
    '@type': 'Dataset',
    name: localization.say('title'),
    description,
    url: `${publicUrl}/`,
    inLanguage: localization.language,
    isAccessibleForFree: true,
    isBasedOn: [...new Set(city.sources.map(({ homepage }) => homepage))],
    license: [...new Set(city.sources.map(({ license, terms }) => terms ?? license))],
    creator: [...new Set(city.sources.map(({ publisher }) => publisher))].map((name) => ({
      '@type': 'Organization',
      name,
    })),
    ...(!isPlaceholder(city.operator.name) && {
      publisher: { '@type': 'Organization', name: city.operator.name },
    }),
    spatialCoverage: `${city.name}, ${city.region}`,
    ...(latestFiling !== null && { temporalCoverage: `../${latestFiling}` }),
    ...(dataAsOf !== null && { dateModified: dataAsOf }),
    distribution: ['month', 'category', 'neighborhood'].map(table),
  };
  const html = JSON.stringify(dataset).replaceAll('<', '\\u003c');
  return markup`<script type="application/ld+json">${{ html }}</script>
`;
}

/** Describes pages to programs that show previews of links (Open Graph). */

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

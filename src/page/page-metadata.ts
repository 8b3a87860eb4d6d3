/** Describes pages to programs that show previews of links (Open Graph). */

import { PREVIEW } from './chart/picture/chart-picture.ts';
import { type Markup, markup } from './markup.ts';
import type { PageLayout } from './page-layout.ts';

type Preview = {
  title: string;
  description: string;
  path: string;
  /** The address of the chart. `undefined` if there are no results. */
  picture: string | undefined;
  /** The page without a search, which search engines index instead of one with it. */
  whole: '/' | '/changes';
  isWhole: boolean;
};

/** Renders the head elements for link previews and search engines. */
export function renderPreview({ publicUrl, localization }: PageLayout, preview: Preview): Markup {
  const { title, description, path, picture, whole, isWhole } = preview;
  const image =
    picture &&
    markup`<meta property="og:image" content="${publicUrl}${picture}">
<meta property="og:image:width" content="${PREVIEW.width * PREVIEW.scale}">
<meta property="og:image:height" content="${PREVIEW.height * PREVIEW.scale}">
<meta property="og:image:alt" content="${title}">
<meta name="twitter:card" content="summary_large_image">
`;
  return markup`<meta property="og:type" content="website">
<meta property="og:site_name" content="${localization.say('title')}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${publicUrl}${path}">
${image}<link rel="canonical" href="${publicUrl}${whole}">
${!isWhole && { html: '<meta name="robots" content="noindex">\n' }}`;
}

/** The fields to choose kinds of business and neighborhoods for the weekly email. They work without scripts. Pure. */

import type { Localization } from '../../city/localization.ts';
import { type Markup, markup } from './markup.ts';

type Values = { categories: readonly string[]; neighborhoods: readonly string[] };

export type PreferenceFields = {
  /** The values of the listings. */
  choices: Values;
  chosen: Values;
  /** How many values of each may be chosen. */
  most: number;
};

const TITLES = { categories: 'preferences.kinds.title', neighborhoods: 'preferences.places.title' } as const;

/** Unfolded if something is chosen. `data-live`: follows the search on the page. */
export function renderPreferenceFields(localization: Localization, fields: PreferenceFields): Markup {
  const { say, list } = localization;
  const { chosen, most } = fields;
  const all = [...chosen.categories, ...chosen.neighborhoods];
  return markup`<div class="preferences" id="preferences" data-live><details id="preferences-fields"${all.length > 0 && { html: ' open' }}><summary>${say('preferences.title')}</summary>
${all.length > 0 && markup`<p>${say('preferences.chosen', { what: list(all) })}</p>`}<p class="note">${say('preferences.help', { n: most })}</p>
${renderList(localization, 'categories', fields)}
${renderList(localization, 'neighborhoods', fields)}
</details></div>`;
}

/** Chosen values come first; those that no listing has any more are marked. */
function renderList(
  { say }: Localization,
  name: keyof Values,
  { choices, chosen }: PreferenceFields,
): Markup {
  const others = choices[name].filter((value) => !chosen[name].includes(value));
  const boxes = [...chosen[name], ...others].map((value, i) => {
    const isGone = !choices[name].includes(value);
    const label = isGone ? say('preferences.gone', { value }) : value;
    return markup`<label class="choice"><input type="checkbox" name="${name}" value="${value}"${i < chosen[name].length && { html: ' checked' }}><span>${label}</span></label>`;
  });
  return markup`<fieldset><legend>${say(TITLES[name])}</legend><div class="boxes">${boxes}</div></fieldset>`;
}

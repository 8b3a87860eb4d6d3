/** Renders the groups of kinds as chips, each with its mark. A chip stands for all categories of its group. */

import { linkTo, type Markup, markup } from '../markup.ts';
import { changeAddress, type SearchView } from '../search-view.ts';
import { countGroups, findGroup, GROUPS, listGroup } from './kinds.ts';

export function renderGroups(
  view: Pick<SearchView, 'layout' | 'question' | 'facets' | 'shown'>,
): Markup | undefined {
  const { layout, question, facets } = view;
  const { say } = layout.localization;
  const counts = countGroups(facets.category);
  const shown = GROUPS.filter((group) => counts.get(group)! > 0);
  const chosen = findGroup(layout.city, question.category);
  const isFree = question.category.length === 0;
  if (shown.length < 2 || !(isFree || chosen !== undefined)) return undefined;
  const chip = (look: string, label: string, category: readonly string[], isCurrent: boolean) =>
    markup`<li class="${look}">${linkTo(changeAddress(view, { category }), label, { key: `group:${look}`, isCurrent })}</li>`;
  const all = chip('all', say('group.all'), [], isFree);
  const groups = shown.map((group) =>
    chip(group, say(`group.${group}`), listGroup(layout.city, group), group === chosen),
  );
  return markup`<ul class="chips groups" aria-label="${say('kinds.title')}">${all}${groups}</ul>`;
}

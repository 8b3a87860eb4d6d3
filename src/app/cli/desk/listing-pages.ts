/** The page of listings: to find one, to correct or remove it, and to undo that. */

import { type Markup, markup } from '../../../page/markup.ts';
import { compareRecency } from '../../../shared/edition/edition.ts';
import type { StoredListing } from '../../../shared/listing.ts';
import { capitalize } from '../../../shared/text/fill-in.ts';
import { makeSuppressionTest } from '../../../shared/words.ts';
import type { Service } from '../../operations/service.ts';
import { findSuppressionMatches } from '../../operations/suppression-matches.ts';
import { type Body, renderForm, renderTable } from '../operator-html.ts';
import { type CorrectedFields, describeCorrection, listChoices, nameCorrection } from '../people/listings.ts';

const NEWEST_SHOWN = 20;
const LISTINGS_SHOWN = 50;

export async function renderListings(service: Service, name: string): Promise<Body> {
  const search = markup`<form action="listings" method="get"><label for="q">A name, or a key of the register</label>
<input id="q" name="name" value="${name}" size="40"> <button>Find</button></form>`;
  const isSuppressed = await openSuppressionTest(service);
  if (name === '')
    return {
      title: 'Listings',
      main: markup`${search}<h2>The newest listings</h2>${renderListed(service, await readNewest(service), isSuppressed)}
${await renderOverruled(service, () => true)}`,
    };
  const found: StoredListing[] = [];
  const { matches, near } = await findSuppressionMatches(service, name, (one) => {
    if (found.length < LISTINGS_SHOWN) found.push(one);
  });
  const links = near.map(
    (one) => markup`<li><a href="listings?name=${encodeURIComponent(one)}">${one}</a></li>`,
  );
  const others =
    matches > found.length && markup`<p>The first ${found.length} of ${matches} listings with this name.</p>`;
  return {
    title: 'Listings',
    main: markup`${search}${matches === 0 ? markup`<p>No listing has this name or key.</p>` : renderListed(service, found, isSuppressed)}${others}
${links.length > 0 && markup`<p>Similar names:</p><ul class="plain">${links}</ul>`}
${matches > 0 && (await renderOverruling(service, name, found, found.every(isSuppressed)))}
${await renderOverruled(service, (value) => value === name || found.some(makeSuppressionTest([value])))}`,
  };
}

/** Renders listings with a link to the page of each. */
export function renderListed(
  service: Service,
  all: readonly StoredListing[],
  isSuppressed: (one: StoredListing) => boolean,
): Markup {
  const rows = all.map((one) => {
    const { name, category, neighborhood, status } = nameCorrection(one, service);
    const { filed } = one;
    const was = filed && `corrected; filed as ${describeCorrection(nameCorrection(filed, service))}`;
    const notes = [isSuppressed(one) ? 'not served' : undefined, was].filter((note) => note !== undefined);
    const link = markup`<a href="listings?name=${encodeURIComponent(one.key)}">${name}</a>`;
    return [link, category ?? '', neighborhood ?? '', status, one.filedOn, notes.join('; ')];
  });
  return renderTable(['Name', 'Category', 'Neighborhood', 'Status', 'Filed', 'Note'], rows);
}

export const openSuppressionTest = async ({ store }: Service) =>
  makeSuppressionTest((await store.listings.suppressions()).map(({ value }) => value));

/** Reads the newest listings of all runs or of one. */
export async function readNewest({ store }: Service, run?: number): Promise<StoredListing[]> {
  let newest: StoredListing[] = [];
  for await (const batch of store.listings.listings(run))
    newest = [...newest, ...batch].sort(compareRecency).slice(0, NEWEST_SHOWN);
  return newest;
}

/** Renders the forms that overrule the register. A field shows the value that the listings have, if it is one. */
async function renderOverruling(
  service: Service,
  value: string,
  found: readonly StoredListing[],
  isRemoved: boolean,
): Promise<Markup> {
  const named = found.map((one) => nameCorrection(one, service));
  const shared = (field: keyof CorrectedFields) => {
    const values = new Set(named.map((one) => one[field] ?? ''));
    return values.size === 1 ? [...values][0]! : '';
  };
  const meant = markup`<input type="hidden" name="value" value="${value}">`;
  const selects = Object.entries(await listChoices(service)).map(([field, choices]) => {
    const now = shared(field as keyof CorrectedFields);
    const options = choices.map((one) => markup`<option>${one}</option>`);
    return markup`<label for="${field}">${capitalize(field)}</label><select id="${field}" name="${field}">
<option value="">${now === '' ? 'No change' : `${now} (no change)`}</option>${options}</select>`;
  });
  const reason = (id: string) =>
    markup`<label for="${id}">The reason, for your records</label><input id="${id}" name="reason" size="40">`;
  const which = found.length === 1 ? 'this listing' : 'these listings';
  const remove = markup`<h2>Remove ${which}</h2><form method="post" action="listings/remove">${meant}
<p>The page, the API and emails no longer show ${which}, nor a later filing of the same name or key. You can undo this.</p>${reason('why-removed')}
<br><button>Remove ${which}</button></form>`;
  return markup`<h2>Correct ${which}</h2><form method="post" action="listings/correct">${meant}
<input type="hidden" name="was" value="${shared('name')}"><label for="name">Name</label>
<input id="name" name="name" value="${shared('name')}" size="40">${selects}${reason('why-corrected')}
<br><button>Save the correction</button></form>${!isRemoved && remove}`;
}

/** Renders what the operator has removed and corrected of what is meant, each with a button that undoes it. */
async function renderOverruled(service: Service, isMeant: (value: string) => boolean): Promise<Markup> {
  const { listings } = service.store;
  const isShown = ({ value }: { value: string }) => isMeant(value);
  const undo = (action: string, label: string, value: string) =>
    renderForm(action, label, { fields: { value }, isQuiet: true, about: value });
  const removed = (await listings.suppressions())
    .filter(isShown)
    .map(({ value, reason }) => [value, reason, undo('listings/serve', 'Serve it again', value)]);
  const corrected = (await listings.corrections())
    .filter(isShown)
    .map(({ value, reason, ...one }) => [
      value,
      describeCorrection(nameCorrection(one, service)),
      reason,
      undo('listings/uncorrect', 'Undo the correction', value),
    ]);
  return markup`${removed.length > 0 && markup`<h2>Removed</h2>${renderTable([], removed)}`}
${corrected.length > 0 && markup`<h2>Corrected</h2>${renderTable([], corrected)}`}`;
}

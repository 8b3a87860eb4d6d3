/** The page on which people see what is stored about them, change what they get, unsubscribe and erase. Pure. */

import { type Markup, markup } from './markup.ts';
import type { PageLayout } from './page-layout.ts';
import { renderMessagePage } from './subscription-pages.ts';

export type Managed = {
  address: string;
  /** Where the forms go; contains the token. */
  action: string;
  /** Something that was just done. */
  done: string | undefined;
  lines: readonly ManagedLine[];
  notice: string;
};

/** One signup and its state. */
type ManagedLine = {
  title: string;
  sentences: readonly string[];
  /** Names the type that a button unsubscribes. */
  leave: string | undefined;
  /** The fields to change what it covers. */
  preferences: Markup | false;
};

export function renderManagePage(layout: PageLayout, managed: Managed): string {
  const { address, action, done, lines, notice } = managed;
  const { say } = layout.localization;
  const said = done !== undefined && markup`<p class="done" role="status">${done}</p>`;
  const erase = markup`<section class="panel"><h2>${say('manage.erase.title')}</h2><p>${say('manage.erase')}</p>${renderButton(action, 'erase', say('manage.erase.button'))}</section>`;
  return renderMessagePage(
    layout,
    say('manage.title'),
    [say('manage.kept', { address })],
    markup`${said}${lines.map((line) => renderLine(layout, action, line))}${erase}<p class="note">${notice}</p>`,
  );
}

function renderLine({ localization: { say } }: PageLayout, action: string, line: ManagedLine): Markup {
  const { title, sentences, leave, preferences } = line;
  const change =
    preferences !== false &&
    markup`<form method="post" action="${action}">${preferences}<p class="row"><button name="action" value="change">${say('manage.change.button')}</button> <button class="quiet" name="action" value="everything">${say('manage.change.clear')}</button></p></form>`;
  return markup`<section class="panel"><h2>${title}</h2>${sentences.map((sentence) => markup`<p>${sentence}</p>`)}${change}${leave !== undefined && renderButton(action, leave, say('manage.leave'))}</section>`;
}

function renderButton(action: string, does: string, label: string): Markup {
  return markup`<form method="post" action="${action}"><input type="hidden" name="action" value="${does}"><button class="quiet">${label}</button></form>`;
}

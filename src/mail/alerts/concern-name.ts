/** What a concern is called as long as it lasts: its kind, and the source it is about. */

import type { Concern } from './alert-ports.ts';

export function nameConcern({ kind, source }: Pick<Concern, 'kind' | 'source'>): string {
  return source === undefined ? kind : `${kind} ${source}`;
}

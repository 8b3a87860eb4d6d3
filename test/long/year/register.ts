/**
 * A register that grows for a year, the file in which it is published, and what must be served of it. Written without the program's own
 * code, so that both can be compared.
 */

import { csvText, type Filed } from '../../a-city.ts';

export const KINDS = ['Restaurants', 'Legal', 'Auto Repair', 'Retail'] as const;
export const AREAS = ['Old Town', 'The Hill', 'Café Row', 'Harbor'] as const;
const FIRST_ROWS = 80;
const MOST_ROWS_A_DAY = 6;
const HELD_BELOW = 0.9;

type Row = Required<Pick<Filed, 'id' | 'name' | 'kind' | 'area' | 'day'>> & { closedOn?: string };
type Served = Omit<Row, 'closedOn'> & { status: 'open' | 'closed' };

/** What is served, and of it what no edition has announced yet. */
type Shown = { listings: Map<string, Served>; news: Set<string>; hidden: Set<string> };

/** How the file is published: `cut` in the middle, or not at all. */
export type Published = 'whole' | 'cut' | 'away';

export function openRegister(chance: () => number) {
  const rows: Row[] = [];
  let shown: Shown = { listings: new Map(), news: new Set(), hidden: new Set() };
  let keptRows = 0;
  const pick = <T>(from: readonly T[]): T => from[Math.floor(chance() * from.length)]!;
  const add = (day: string) => {
    const id = String(rows.length + 1);
    rows.push({ id, name: `Shop ${id}`, kind: pick(KINDS), area: pick(AREAS), day });
  };

  return {
    /** A day passes: businesses are filed, some close, some move. */
    pass(day: string): void {
      const count = rows.length === 0 ? FIRST_ROWS : Math.floor(chance() * (MOST_ROWS_A_DAY + 1));
      for (let i = 0; i < count; i++) add(day);
      if (chance() < 0.3) pick(rows).closedOn ??= day;
      if (chance() < 0.1) pick(rows).area = pick(AREAS);
    },
    /** The file as it is published today. */
    publish(published: Published, nameColumn: string): string | undefined {
      if (published === 'away') return undefined;
      const filed = rows.flatMap(({ closedOn, ...row }): Filed[] =>
        closedOn === undefined ? [row] : [row, { ...row, day: closedOn, what: 'closure' }],
      );
      const some = published === 'cut' ? filed.slice(0, Math.floor(filed.length / 2)) : filed;
      return csvText(some).replace('NAME', nameColumn);
    },
    /** What becomes of a run that reads the file now. */
    expect(published: Published, isReadable: boolean): 'kept' | 'held' | 'failed' {
      if (published === 'away' || !isReadable) return 'failed';
      const size = rows.length + rows.filter(({ closedOn }) => closedOn !== undefined).length;
      return published === 'cut' && Math.floor(size / 2) < keptRows * HELD_BELOW ? 'held' : 'kept';
    },
    /** A run has kept the whole file. */
    keep(): void {
      const isFirst = shown.listings.size === 0;
      for (const { closedOn, ...row } of rows) {
        if (!isFirst && !shown.listings.has(row.id)) shown.news.add(row.id);
        shown.listings.set(row.id, { ...row, status: closedOn === undefined ? 'open' : 'closed' });
      }
      keptRows = rows.length + rows.filter(({ closedOn }) => closedOn !== undefined).length;
    },
    /** An operator hides a business, and returns its name. */
    hide(): string {
      const { name } = pick([...shown.listings.values()]);
      shown.hidden.add(name);
      return name;
    },
    hidden: (): ReadonlySet<string> => shown.hidden,
    visible: (): Served[] => [...shown.listings.values()].filter(({ name }) => !shown.hidden.has(name)),
    /** What an edition that is decided now announces. */
    news: (): Served[] =>
      [...shown.news].map((id) => shown.listings.get(id)!).filter(({ name }) => !shown.hidden.has(name)),
    announced: () => shown.news.clear(),
    /** For a backup, and its restore. */
    copy: () => structuredClone({ shown, keptRows }),
    restore(copy: { shown: Shown; keptRows: number }): void {
      ({ shown, keptRows } = structuredClone(copy));
    },
  };
}

export type Register = ReturnType<typeof openRegister>;

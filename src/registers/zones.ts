/** Finds the time zone and region of a place from its state, its ZIP codes or its points. Never assumes one. */

import { readDataLines } from '../data/word-table.ts';

export type State = { name: string; timeZone: string; latitude: number; longitude: number };

const STATES = readDataLines('states.csv').map(
  ([short = '', name = '', timeZone = '', latitude, longitude, codes = '']) => ({
    state: { name, timeZone, latitude: Number(latitude), longitude: Number(longitude) } satisfies State,
    texts: [short.toLowerCase(), name.toLowerCase()],
    codes: codes.split('|').map((range) => range.split('-')),
  }),
);

export function findState(text: string): State | undefined {
  const wanted = text.trim().replace(/\.$/, '').toLowerCase();
  return STATES.find(({ texts }) => texts.includes(wanted))?.state;
}

export function findStateOfZip(code: string): State | undefined {
  const area = code.slice(0, 3).toUpperCase();
  return STATES.find(({ codes }) => codes.some(([from = '', to = '']) => area >= from && area <= to))?.state;
}

const FARTHEST_DEGREES = 9;

/** Returns the state with the nearest middle, which may be wrong near a border, or `undefined` if all are far. */
export function findNearestState(point: { longitude: number; latitude: number }): State | undefined {
  const far = (state: State) =>
    Math.hypot(
      state.latitude - point.latitude,
      (state.longitude - point.longitude) * Math.cos((point.latitude * Math.PI) / 180),
    );
  const nearest = STATES.map(({ state }) => state).reduce((a, b) => (far(b) < far(a) ? b : a));
  return far(nearest) > FARTHEST_DEGREES ? undefined : nearest;
}

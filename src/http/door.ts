/** What the HTTP door is handed by the service, and what its resources share. Types only. */

import type { Catalogue } from '../catalogue/catalogue.ts';
import type { City, Limits } from '../city/define.ts';
import type { Outline } from '../city/outline.ts';
import type { Instant } from '../listings/day.ts';
import type { Desk } from '../mailing/desk.ts';
import type { Dress } from '../web/dress.ts';
import type { Limiter } from './limits.ts';
import type { Metrics } from './metrics.ts';

export type Health = {
  status: 'ok' | 'warn' | 'fail';
  /** Sentences for the operator. */
  detail: readonly string[];
};

export type Entrance = {
  city: City;
  version: string;
  /** `undefined` before the first kept run. */
  catalogue(): Catalogue | undefined;
  dataAsOf(): Instant | null;
  /** How the neighborhoods are drawn, if the city has boundaries. */
  outline(): Outline | undefined;
  health(): Health;
  /** Epoch milliseconds. */
  now(): number;
  /** Where people reach it; without a trailing slash. */
  publicUrl: string;
  /** Networks (CIDR) whose forwarded addresses are believed. */
  trustProxy: readonly string[];
  limits: Partial<Limits> | 'off' | undefined;
  log: { warn(sentence: string, reference?: string): string | undefined };
  /** How long the requests that came together have been worked on, in milliseconds; without it nothing is ever given up on. */
  batchMs?: () => number;
  /** What counts the answers. */
  metrics?: Metrics;
  /** Where people sign up and leave; without one there is no signup. */
  desk?: Desk;
};

/** What resources are handed: the entrance, the budgets everybody charges, and what pages wear. */
export type Door = Entrance & { limiter: Limiter; sawUnvouched(): boolean; dress: Dress };

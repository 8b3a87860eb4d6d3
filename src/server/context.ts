/** What the server is handed by the service, and what its plugins and routes share. Types only. */

import type { City, Limits } from '../city/define.ts';
import type { Outline } from '../city/outline.ts';
import type { Instant } from '../listings/day.ts';
import type { PageLayout } from '../pages/page-layout.ts';
import type { ListingIndex } from '../search/listing-index.ts';
import type { SubscriptionService } from '../subscriptions/subscription-service.ts';
import type { Client, Limiter } from './limits/limiter.ts';
import type { Metrics } from './metrics.ts';
import type { Problem } from './problems.ts';

export type Health = {
  status: 'ok' | 'warn' | 'fail';
  /** Sentences for the operator. */
  detail: readonly string[];
};

export type Services = {
  city: City;
  version: string;
  /** The listings that are answered from; `undefined` before the first kept run. */
  index(): ListingIndex | undefined;
  dataAsOf(): Instant | null;
  /** How the neighborhoods are drawn, if the city has boundaries. */
  outline(): Outline | undefined;
  health(): Health;
  /** Epoch milliseconds. */
  now(): number;
  /** The address people use, without a trailing slash. */
  publicUrl: string;
  /** Networks (CIDR) whose forwarded addresses are believed. */
  trustProxy: readonly string[];
  limits: Partial<Limits> | 'off' | undefined;
  log: { warn(sentence: string, reference?: string): string | undefined };
  /** CPU time in milliseconds that the requests which arrived together have taken; without it nothing is shed. */
  batchMs?: () => number;
  metrics?: Metrics;
  /** Without it there is no signup. */
  subscriptions?: SubscriptionService;
};

/** What plugins and routes are handed. */
export type ServerContext = Services & {
  limiter: Limiter;
  /** Whether a forwarded address came lately from a peer that TRUST_PROXY does not name. */
  sawUnvouched(): boolean;
  /** What all pages have in common. */
  layout: PageLayout;
};

/** What a request is worth under load: health is never refused, pages first. */
export type Priority = 'health' | 'leaving' | 'signup' | 'search' | 'page';

/** A path that exists: its methods, and what its routes say about themselves. */
export type Target = { path: string; methods: readonly string[]; config: RouteConfig };

export type RouteConfig = {
  /** When it is refused under load. Default `search`. */
  priority?: Priority;
  /** Costs no request: what watches the service must never use up a budget. */
  isFree?: boolean;
  /** Pages of other origins may read it. */
  isOpen?: boolean;
  /** Its errors are problem details, whatever the client accepts. */
  isForPrograms?: boolean;
  /** It answers with pages, whose security headers are those of `sendPage`. */
  isPage?: boolean;
  /** Requests that take longer than this many milliseconds get 503. */
  timeoutMs?: number;
};

declare module 'fastify' {
  interface FastifyContextConfig extends RouteConfig {}
  interface FastifyRequest {
    /** The path that was asked for, if it exists. */
    target: Target | undefined;
    /** Whose budgets the request is charged to. */
    client: Client;
    /** Charges listings about to be served. False, and nothing is charged, when fewer are left. HEAD costs nothing. */
    chargeListings(count: number): boolean;
  }
  interface FastifyInstance {
    /** Every path that exists. */
    targets(): Target[];
  }
  interface FastifyReply {
    /** Answers with a problem: RFC 9457 JSON, or a page for browsers. */
    problem(problem: Problem): FastifyReply;
  }
}

/** What the service passes to the server, and what plugins and routes share. Types only. */

import type { City, Limits } from '../city/define.ts';
import type { Outline } from '../city/places/outline.ts';
import type { Instant } from '../listings/day.ts';
import type { ListingIndex } from '../search/listing-index.ts';
import type { SubscriptionService } from '../subscribers/subscription-service.ts';
import type { Client, Limiter } from './limits/limiter.ts';
import type { Metrics } from './metrics.ts';
import type { LeftOut } from './pages/city-page-view.ts';
import type { PageLayout } from './pages/page-layout.ts';
import type { Problem } from './problems.ts';

export type Health = {
  status: 'ok' | 'warn' | 'fail';
  /** Sentences for everybody: no path, address or message of another program. */
  detail: readonly string[];
};

/** The time of day and the CPU time of this thread, in milliseconds from any start. */
export type Clocks = { wallMs(): number; cpuMs(): number };

export type Services = {
  city: City;
  version: string;
  /** The index that answers searches; `undefined` before the first kept run. */
  index(): ListingIndex | undefined;
  dataAsOf(): Instant | null;
  /** The outlines of the neighborhoods, if the city has boundaries. */
  outline(): Outline | undefined;
  /** What the last kept runs left out of the register. */
  leftOut?(): LeftOut | undefined;
  /** For each source whose first run is held, why, and which command keeps it. */
  heldRuns?(): readonly string[];
  health(): Health;
  /** Epoch milliseconds. */
  now(): number;
  /** The public address, without a trailing slash. */
  publicUrl: string;
  /** Networks (CIDR) whose forwarded addresses are trusted. */
  trustProxy: readonly string[];
  limits: Partial<Limits> | 'off' | undefined;
  /** The number of instances over which requests are spread at random: each counts its share of the budgets. Default 1. */
  instances?: number;
  log: { warn(sentence: string, reference?: string): string | undefined };
  /** What load is measured with. Without it there is no load shedding. */
  clocks?: Clocks;
  metrics?: Metrics;
  /** Whether other sites may show the listings of a search in a frame. Default: false. */
  mayEmbed?: boolean;
  /** Without it there is no signup. */
  subscriptions?: SubscriptionService;
};

/** The data that answers a request. The same object as long as nothing changes that answers depend on besides their query. */
export type ServedData = {
  index: ListingIndex;
  /** When the data was last brought up to date, as it is served. */
  asOf: string | null;
  /** Names the listings in a few characters: the same for the same version of the index on the same day. */
  listingsVersion: string;
  /** An ETag for an answer that `text` and the data determine. */
  makeEtag(text: string): string;
};

/** The arguments of plugins and routes. */
export type ServerContext = Services & {
  limiter: Limiter;
  /** Whether forwarded addresses came lately from peers that TRUST_PROXY does not name. */
  sawUnvouched(): boolean;
  /** The data that answers requests; `undefined` before the first kept run. */
  data(): ServedData | undefined;
  /** What all pages have in common. */
  layout: PageLayout;
};

/** The priority of a request under load: health is never refused, pages are refused first. */
export type Priority = 'health' | 'leaving' | 'signup' | 'search' | 'page';

/** A path that exists: its methods, and the `config` of its routes. */
export type Target = { path: string; methods: readonly string[]; config: RouteConfig };

export type RouteConfig = {
  /** Its priority under load. Default `search`. */
  priority?: Priority;
  /** Not charged to a client: monitoring must never use up a budget. */
  isFree?: boolean;
  /** Other origins may read it. */
  isOpen?: boolean;
  /** Its errors are always problem details, whatever the client accepts. */
  isForPrograms?: boolean;
  /** It responds with pages, which get their security headers from `sendPage`. */
  isPage?: boolean;
  /** Other sites may show its answers in a frame, its errors too. */
  isFramed?: boolean;
  /** Requests that take longer than this many milliseconds get 503. */
  timeoutMs?: number;
};

declare module 'fastify' {
  interface FastifyContextConfig extends RouteConfig {}
  interface FastifyRequest {
    /** The requested path, if it exists. */
    target: Target | undefined;
    /** The client whose budgets the request is charged to. */
    client: Client;
  }
  interface FastifyInstance {
    /** Every path that exists. */
    targets(): Target[];
  }
  interface FastifyReply {
    /** Sends a problem: RFC 9457 JSON, or a page for browsers. */
    problem(problem: Problem): FastifyReply;
  }
}

/** Defines the context of plugins and routes: what the service passes to the server, and what the server adds. */

import type { CityFacts, Limits } from '../../shared/city/city-facts.ts';
import type { Outline } from '../../shared/city/outline.ts';
import type { Instant } from '../../shared/day.ts';
import type { OtherParameter } from '../../shared/question.ts';
import type { LeftOut } from '../../shared/report.ts';
import type { UndecidedDays } from '../../shared/undecided.ts';
import type { ListingIndex } from '../search/index/open.ts';
import type { SubscriptionService } from '../subscribers/subscription-service.ts';
import type { Client, Limiter } from './limits/limiter.ts';
import type { Metrics } from './metrics.ts';
import type { RefusedOrigins } from './origins.ts';
import type { Problem } from './problems.ts';

export type Health = {
  status: 'ok' | 'warn' | 'fail';
  /** Sentences for the public. They contain no paths, addresses or messages of other programs. */
  detail: readonly string[];
};

/** Wall time and CPU time of this thread, in milliseconds since an arbitrary moment. */
export type Clocks = { wallMs(): number; cpuMs(): number };

export type Services = {
  city: CityFacts;
  version: string;
  /** Returns the index for searches, or `undefined` before the first kept run. */
  index(): ListingIndex | undefined;
  dataAsOf(): Instant | null;
  /** Returns the outlines of the neighborhoods, if the city has boundaries. */
  outline(): Outline | undefined;
  /** Returns how many rows the newest kept runs left out, by reason. */
  leftOut?(): LeftOut | undefined;
  /** For each source whose first run is held, returns a sentence with the reason and the command that keeps the run. */
  heldRuns?(): readonly string[];
  health(): Health;
  /** Returns the time in epoch milliseconds. */
  now(): number;
  publicUrl: string;
  trustProxy: readonly string[];
  limits: Partial<Limits> | 'off' | undefined;
  /** Decides which clients share budgets by chance. Default: a random one. */
  secret?: string;
  log: { warn(sentence: string, reference?: string): string | undefined };
  /** The clocks that measure load. Without them there is no load shedding. */
  clocks?: Clocks;
  metrics?: Metrics;
  /** Whether other sites may show the listings of a search in a frame. Default: false. */
  mayEmbed?: boolean;
  /** Whether emails are written to files, so that nobody gets them. */
  writesFiles?: boolean;
  /** Notices forms of our own pages that are refused. */
  refusedOrigins?: RefusedOrigins;
  /** The origins of other sites whose scripts may sign people up. Default: none. */
  signupOrigins?: readonly string[];
  subscriptions: SubscriptionService;
};

/** A gap in the counts that biases comparisons. */
export type Caveat = { code: 'recent-skips'; detail: string; by_year: Readonly<Record<string, number>> };

/** The data that answers requests. It stays the same object until a change affects answers. */
export type ServedData = {
  index: ListingIndex;
  /** The time of the last update, as formatted in responses. */
  dataAsOf: string | null;
  /** Rows that the newest runs left out by their status. */
  undecided: UndecidedDays;
  /** What all counts of the city leave out. */
  caveats: readonly Caveat[];
  /** Identifies the listings. Changes with the version of the index and with the day. */
  listingsVersion: string;
  /** Makes an ETag for an answer that depends only on `text` and the data, also on its time if `isDated` (default). */
  makeEtag(text: string, isDated?: boolean): string;
};

export type ServerContext = Services & {
  limiter: Limiter;
  /** Charges a client for the CPU time of work, up to where it first waits. */
  measure<Result>(client: Client, work: () => Result): Result;
  /** Returns the data for requests, or `undefined` before the first kept run. */
  data(): ServedData | undefined;
};

/** The priority of a request under load: health is never refused, pages are refused first. */
export type Priority = 'health' | 'leaving' | 'signup' | 'search' | 'page';

/** An existing path: its methods, and the `config` of its routes. */
export type Target = {
  path: string;
  methods: readonly string[];
  config: RouteConfig;
};

export type RouteConfig = {
  /** The priority under load. Default: `search`. */
  priority?: Priority;
  /** Whether requests are exempt from the rate limit, such as those of monitoring. */
  isUnlimited?: boolean;
  /** Whether the response is a picture that other sites may show. */
  isPicture?: boolean;
  /** Whether other origins may read the responses (CORS). */
  isCrossOrigin?: boolean;
  /** The only other origins that may send requests and read the responses. */
  origins?: readonly string[];
  /** Whether other sites may show the responses in a frame, including errors. */
  isFramed?: boolean;
  /** Requests that take longer than this many milliseconds get 503. */
  timeoutMs?: number;
  /** The parameters of its query, for the OpenAPI document. */
  parameters?: Record<string, OtherParameter<unknown>>;
};

declare module 'fastify' {
  interface FastifyContextConfig extends RouteConfig {}
  interface FastifyRequest {
    target: Target | undefined;
    /** When the request was read, on the clock of `performance.now`. */
    startedMs: number;
    client: Client;
  }
  interface FastifyInstance {
    targets(): Target[];
    /** How full the memory of what clients were served is, from 0 to 1. */
    filled(): number;
    /** Returns whether peers that TRUST_PROXY does not name have recently sent forwarded addresses. */
    sawUnvouched(): boolean;
  }
  interface FastifyReply {
    /** Sends a problem: RFC 9457 JSON, or a page for browsers. */
    problem(problem: Problem): FastifyReply;
  }
}

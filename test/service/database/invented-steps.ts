/**
 * Two steps that no release has, after those of this version: the tables of this version are then the older ones. A test imports this;
 * `INVENTED` is the environment of programs that know these steps too.
 */

import { MIGRATIONS } from '../../../src/service/database/migrations.ts';

export const STEPS_BEFORE = [...MIGRATIONS];

(MIGRATIONS as (readonly string[])[]).push(
  ['alter table message add column invented text', 'create table invention (one integer primary key)'],
  ['insert into invention (one) values (1)', "update message set invented = 'x'"],
);

export const INVENTED = { NODE_OPTIONS: `--import=${import.meta.url}` };

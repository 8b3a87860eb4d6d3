-- Step 21: the tables of the first release, for both engines. Released steps never change.
-- No column exists for addresses, owners or telephones of businesses.

-- `arrived_at` is when a kept run's listings arrived: later than that of every run kept before. A run hashes the types of its
-- filings; `types` has the words of those that enough of them share.
-- `retry` says when an import is tried again that did not end by itself: now, or soon; null is at the usual time after a failure
create table run (
  run integer primary key,
  source text not null,
  state text not null check (state in ('running', 'kept', 'unchanged', 'held', 'refused', 'failed')),
  baseline integer not null check (baseline in (0, 1)),
  news_from text not null,
  snapshot integer not null check (snapshot in (0, 1)),
  command text not null,
  place text not null,
  content text not null,
  profile_digest text not null,
  started_at text not null,
  ended_at text,
  arrived_at text,
  detail text,
  read integer not null,
  openings integer not null,
  updates integer not null,
  skipped text not null,
  rejected text not null,
  added integer not null,
  changed integer not null,
  unchanged integer not null,
  folded integer not null,
  withdrawn integer not null,
  updated integer not null,
  mark text,
  shape text,
  findings text,
  types text,
  retry text check (retry in ('now', 'soon'))
);
create index run_of_source on run (source, run);

-- the rows of the newest run that was kept stay, each with the keyed hash of what was read of it, so that a row is judged again only if
-- it or the profile has changed, or from the day `until`. Of a row that was left out, `name` is the reason. `gone`: a row, `nth` below 0,
-- that the run no longer has
create table staged (
  nth integer primary key,
  run integer not null references run (run),
  key text not null,
  kind text not null check (kind in ('opening', 'update', 'skip', 'gone')),
  name text,
  category text,
  neighborhood text,
  status text,
  filed_on text,
  term_on text not null,
  expires_on text,
  type_hash text,
  hash text,
  until text
);

-- a category is its English name, in any language; null is unknown
-- `arrival` numbers the listings of a run in the order of feeds; those of a baseline have 0
create table listing (
  source text not null,
  key text not null,
  name text not null,
  category text,
  neighborhood text,
  status text not null check (status in ('open', 'closed', 'expired', 'abandoned', 'unknown')),
  filed_on text not null,
  expires_on text,
  run integer not null references run (run),
  arrival integer not null default 0,
  absent_since integer references run (run),
  type_id integer,
  primary key (source, key)
);
create index listing_filed on listing (source, filed_on);

-- the closed list of the types of the registers, which are only searched. A listing has the id of a type, never a text.
create table type (type_id integer primary key, words text not null unique);

create table suppression (value text primary key, reason text not null, added_at text not null);

-- the operator's corrections of listings; null keeps the register's value, '' is unknown
create table correction (
  value text primary key,
  name text,
  category text,
  neighborhood text,
  status text check (status in ('open', 'closed', 'expired', 'abandoned', 'unknown')),
  reason text not null,
  added_at text not null
);

-- the city whose data this is, so that data of two cities is never mixed
create table city (one integer primary key check (one = 1), name text not null, region text not null);

-- `row_key`: the secret key of the hashes of rows
create table catalogue (one integer primary key check (one = 1), version text not null, row_key text);
insert into catalogue (one, version) values (1, '0');

create table outline (one integer primary key check (one = 1), drawing text not null);

create table subscriber (
  subscriber text primary key,
  identity text not null unique,
  address text not null,
  asked_at text not null,
  refused_at text,
  refusal text
);

create table consent (version text primary key, words text not null, first_used_at text not null);

-- `preferences` are a person's preferences for editions (null: everything) or, in a message, those of the time it
-- was created
create table subscription (
  subscriber text not null references subscriber (subscriber),
  type text not null,
  state text not null check (state in ('pending', 'confirmed', 'left')),
  source text not null check (source in ('api', 'form', 'operator')),
  consent text not null,
  asked_at text not null,
  confirmed_at text,
  left_at text,
  preferences text,
  primary key (subscriber, type)
);
create index subscription_of_type on subscription (type) where state = 'confirmed';

create table token (
  hash text primary key,
  subscriber text not null references subscriber (subscriber),
  purpose text not null check (purpose in ('confirm', 'unsubscribe', 'manage')),
  type text not null,
  made_at text not null,
  expires_at text,
  preferences text
);
create index token_of_subscriber on token (subscriber);

-- `reason`: why it was skipped
create table edition (
  edition text primary key,
  reason text check (reason in ('empty', 'late', 'unapproved')),
  decided_at text not null,
  content text,
  introduction text
);

-- what the operator says about the edition of a slot before it exists: an introduction, and the digest that was approved
create table review (edition text primary key, introduction text, digest text);

-- the operator's choice of listings that no edition announces
create table left_out (source text not null, key text not null, added_at text not null, primary key (source, key));

-- the listings of a run are news in exactly one edition, even if clocks change
create table edition_run (
  run integer primary key references run (run),
  edition text not null references edition (edition)
);

create table announcement (
  type text primary key,
  subject text not null,
  words text not null,
  decided_at text not null
);

-- a person's announcements and bounces are deleted with the person
create table announced (
  type text not null references announcement (type),
  subscriber text not null references subscriber (subscriber) on delete cascade,
  announced_at text not null,
  primary key (type, subscriber)
);
create index announced_to on announced (subscriber);

create table message (
  message text primary key,
  subscriber text not null references subscriber (subscriber),
  kind text not null check (kind in ('confirmation', 'edition', 'announcement')),
  type text not null,
  edition text references edition (edition),
  announcement text,
  state text not null check (state in ('pending', 'sending', 'sent', 'failed', 'uncertain', 'expired', 'canceled')),
  made_at text not null,
  next_at text not null,
  expires_at text not null,
  attempts integer not null,
  doubts integer not null,
  tried_at text,
  ended_at text,
  outcome text,
  mailbox text,
  domain text,
  client integer,
  turn integer not null default 0,
  preferences text
);
create index message_due on message (state, kind, next_at, message);
create index message_of_subscriber on message (subscriber, type);

-- partial indexes: a signup writes to few of them, and most have few rows of a table that may have millions
create unique index message_of_edition on message (edition, subscriber) where edition is not null;
create index message_tried on message (kind, tried_at) where tried_at is not null;
create index message_of_announcement on message (announcement) where announcement is not null;
create index message_of_mailbox on message (mailbox, made_at) where mailbox is not null;
create index message_of_client on message (client) where client is not null;
create index message_waiting on message (turn, made_at, next_at, message) where state = 'pending' and kind = 'confirmation';
create index message_of_domain on message (domain, turn, made_at) where state = 'pending' and kind = 'confirmation' and domain is not null;

create table outbox (
  one integer primary key check (one = 1),
  paused_until text,
  problem text,
  failures integer not null,
  copied integer not null,
  restored_at text
);
insert into outbox (one, failures, copied) values (1, 0, 0);

create table return_path_key (one integer primary key check (one = 1), key text not null);

create table bounce (
  message text primary key,
  subscriber text not null references subscriber (subscriber) on delete cascade,
  made_at text not null,
  reported_at text not null,
  status text not null,
  in_a_row integer not null
);
create index bounce_of_subscriber on bounce (subscriber, made_at);

create table report_tally (verdict text primary key, reports integer not null);

-- conditions that need the operator, the alert about them, and the running instances
create table concern (
  concern text primary key,
  since text not null
);

create table alert (
  one integer primary key check (one = 1),
  message text not null,
  state text not null,
  made_at text not null,
  attempts integer not null,
  ended_at text,
  next_at text not null,
  outcome text
);

-- requests by route and day, without addresses and queries
create table used (day text not null, route text not null, requests integer not null, primary key (day, route));

create table instance (
  instance text primary key,
  command text not null,
  started_at text not null,
  seen_at text not null
);

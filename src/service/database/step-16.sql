-- Step 16: the closed list of the types of the registers, which are only searched. A listing has the id of a type, never a text.

create table term (term integer primary key, words text not null unique);

-- a run numbers the types of its filings; `terms` has the words of those that enough of them share
alter table run add column terms text;
alter table staged add column term integer;
alter table listing add column term integer;

/**
 * Pasco County, Florida: new companies, day by day.
 *
 * Publisher   Florida Department of State, Division of Corporations ("Sunbiz"), daily corporate filings
 *             (`yyyymmddc.txt`), cut down to principal addresses in Pasco County by whoever makes the daily JSON files.
 * Address     https://dos.fl.gov/sunbiz/other-services/data-downloads/ (the fixed-width state files, by SFTP). The JSON files
 *             have no public address known to us: the operator supplies them by --from (a folder: each file a run).
 * Licence     Public records of Florida, chapter 119, Florida Statutes.
 * Delivers    Changes: a file a day, `{ generated, source_file, count, filings: [...] }`; 74 files of June to August 2026
 *             hold 3,293 filings, 1 to 81 of them a day. `doc_number` is unique over all files: the key.
 *
 * What a filing is: articles of a company, so every row is an opening.
 * - FILED is `filing_date`, the day the filing takes effect: 148 are later than their own file, by up to 84 days (Florida lets
 *   a filing take effect up to 90 days on), and 26 more than a month earlier, the first 2014-05-15: the feed does
 *   not say why.
 * - STATUS is open: dissolutions are events, which this feed does not carry. A company is never seen to close here.
 * - KIND is in no column: the words of the name only, `Uncategorized` for the rest.
 * - NEIGHBORHOOD is `city`, the postal city of the principal address: no coordinates. Land O' Lakes comes in three spellings,
 *   `Land O Lakes`, `Land O' Lakes`, `Land O'Lakes`; they are one.
 * - ENTITY. `Florida LLC`, `FL Corporation`, `FL Non-Profit`, `FL Limited Partnership`, and `Foreign ...` (30 rows): registered in
 *   another state and new here with a principal address in the county: openings like the others.
 * - PEOPLE. A company named after its owner (`ODILE FENWRIGHT LLC`) is a company and is listed; a name that is only a person's is not.
 *   `address`, `registered_agent` and `owner` are people and homes: not read.
 * Missing: sole owners under fictitious names (a file of their own), partnerships, businesses registered elsewhere with only a
 * branch in the county, closures.
 */

import {
  defineCity,
  json,
  kindOf,
  looksPersonal,
  opening,
  PERSONAL_NAME,
  parseDay,
  type Row,
  reject,
  skip,
  source,
  tidyName,
  type Verdict,
} from 'shingle/city';

const COLUMNS = ['doc_number', 'name', 'filing_date', 'city'] as const;

export default defineCity({
  name: 'Pasco County',
  region: 'Florida',
  timeZone: 'America/New_York',
  sources: [
    source({
      id: 'corporate-filings',
      publisher: 'Florida Department of State, Division of Corporations',
      homepage: 'https://dos.fl.gov/sunbiz/other-services/data-downloads/',
      license: 'Public record (chapter 119, Florida Statutes)',
      checked: 'documentation',
      from: json({ records: 'filings' }),
      delivers: 'changes',
      accepts: { 'coarse-neighborhoods': 'the profile is of a county: its towns are its neighborhoods' },
      columns: COLUMNS,
      verdict: judge,
    }),
  ],
});

function judge(row: Row<(typeof COLUMNS)[number]>): Verdict {
  const filedOn = parseDay(row.filing_date, 'YYYY-MM-DD');
  if (filedOn === undefined) return reject('no filing_date');
  if (looksPersonal(row.name)) return skip(PERSONAL_NAME);
  return opening({
    key: row.doc_number,
    name: tidyName(row.name),
    category: kindOf({ name: row.name }),
    neighborhood: /^land o\W*lakes$/i.test(row.city) ? "Land O' Lakes" : tidyName(row.city),
    status: 'open',
    filedOn,
  });
}

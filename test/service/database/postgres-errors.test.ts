/** What Shingle says of an error of PostgreSQL. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findLoginProblem, toPostgresError } from '../../../src/service/database/engines/postgres-errors.ts';

const severity = 'ERROR';
const RESTORE =
  'Restore a dump of all tables (docs/instances.md, "Backups"), or name an empty database in DATABASE_URL';

const ERRORS: Record<string, string> = {
  53300:
    'the database at db.example is temporarily unavailable: it has too many connections: allow 16 for each instance',
  42501: 'the user of DATABASE_URL may not use "run" in the database. Make that user the owner of the tables',
  42703: `the tables of the database are not those of this version: the column "run" is missing. ${RESTORE}`,
  '42P01': `the database does not have the table "run". ${RESTORE}`,
  '42P07': `the database has a table "run", but not the table "migration" of Shingle. ${RESTORE}`,
};

const LOGINS: Record<string, string> = {
  28000:
    'the database at db.example:5433 does not let "a b" in: the role does not exist, or pg_hba.conf does not allow it from here. To make the role, as administrator: createuser --pwprompt "a b"',
  '28P01':
    'the database at db.example:5433 refuses the password of "a b". Correct DATABASE_URL, where characters such as / and @ are percent-encoded',
  '3D000':
    'there is no database "town" at db.example:5433. To make it, as administrator: createdb --owner="a b" --encoding=UTF8 --template=template0 "town"',
  42501:
    '"a b" may not connect to the database "town" at db.example:5433. As its owner: grant connect on database "town" to "a b"',
};

test('an error of the database names the table or column, the host, the user and the database', () => {
  for (const [code, said] of Object.entries(ERRORS)) {
    const error = { code, message: 'relation "run" does not exist', severity };
    assert.equal(toPostgresError(error, 'db.example').message, `${said} (${code})`);
  }
  for (const [code, said] of Object.entries(LOGINS)) {
    const error = { code, message: 'user "a b": s3cret', severity };
    const found = findLoginProblem(error, 'postgres://a%20b:s3cret@db.example:5433/town');
    assert.equal(found?.message, `${said} (${code})`);
  }
});

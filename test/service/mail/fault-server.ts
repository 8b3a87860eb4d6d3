/** A mail server that fails as a test says: at one step, for certain recipients, a number of times. Otherwise it accepts every message. */

import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after } from 'node:test';

export type Fault = {
  /** The step it happens at; `text`: when the first of the message has come, `dot`: when all of it has. */
  at: 'greeting' | 'ehlo' | 'starttls' | 'auth' | 'mail' | 'rcpt' | 'data' | 'text' | 'dot';
  /** What it answers instead, such as `451 4.3.0`; or no answer; or it hangs up; or its answer comes a byte at a time. */
  does: string | 'nothing' | 'drop' | 'drip';
  /** After its answer. */
  hangsUp?: boolean;
  /** To these only; not for what comes before RCPT. */
  to?: readonly string[];
  /** How often, for each of them; then it behaves. */
  times?: number;
  everyMs?: number;
  /** Its answer is held back until then. */
  after?: Promise<unknown>;
};

/** A message of which all was received. `answer`: what was said to it, or nothing where the answer was lost. */
export type Taken = { to: string; raw: string; id: string; answer: string | undefined };

export type FaultServer = Awaited<ReturnType<typeof aFaultServer>>;

export const isRefusal = (answer: string | undefined) => /^[45]/.test(answer ?? '');

/** Everybody whose message was taken, in the order of the alphabet. */
export const takenBy = ({ taken }: FaultServer): string[] =>
  taken.flatMap(({ to, answer }) => (isRefusal(answer) ? [] : [to])).sort();

/** One connection: what it has said so far. `isText`: between DATA and the dot. */
type Session = {
  server: FaultServer;
  /** How often the fault has struck, for each it strikes. */
  struck: Map<string, number>;
  offers: readonly string[];
  socket: Socket;
  pending: string;
  hasSender: boolean;
  to: string;
  isText: boolean;
};

/** Closed after the test file. `offers`: what it says to EHLO. */
export async function aFaultServer(fault?: Fault, offers: readonly string[] = []) {
  const sockets = new Set<Socket>();
  const struck = new Map<string, number>();
  const listening = () =>
    createServer((socket) => {
      note(server, sockets, socket);
      converse({ server, struck, offers, socket, pending: '', hasSender: false, to: '', isText: false });
    });
  let current = listening();
  const server = {
    port: 0,
    /** Set it to `undefined` to mend the server. */
    fault,
    taken: [] as Taken[],
    /** Every RCPT, as it was written. */
    asked: [] as string[],
    /** Everybody whose message was begun. */
    begun: [] as string[],
    /** Verbs, in the order they came. */
    verbs: [] as string[],
    /** How often anything was said, by either side, and how often the fault has struck. */
    ...{ said: 0, struck: 0 },
    connections: { now: 0, most: 0, all: 0 },
    async up() {
      current = listening();
      await new Promise<void>((resolve) => current.listen(server.port, '127.0.0.1', resolve));
      server.port = (current.address() as AddressInfo).port;
    },
    /** Takes no connection until `up`. */
    async down() {
      const closed = new Promise((resolve) => current.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  await server.up();
  after(() => server.down());
  return server;
}

function note({ connections }: FaultServer, sockets: Set<Socket>, socket: Socket): void {
  sockets.add(socket);
  connections.all++;
  connections.most = Math.max(connections.most, ++connections.now);
  socket.on('error', () => undefined); // a client that goes away
  socket.on('close', () => {
    sockets.delete(socket);
    connections.now--;
  });
}

function converse(session: Session): void {
  const { socket } = session;
  socket.setNoDelay(true);
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    session.pending += chunk;
    session.server.said++;
    while (!socket.destroyed && (session.isText ? readText(session) : readLine(session))) {
      // all there is
    }
  });
  answer(session, 'greeting', '220 fault.example ESMTP');
}

/** Does one command; false where there is no whole one. */
function readLine(session: Session): boolean {
  const end = session.pending.indexOf('\r\n');
  if (end === -1) return false;
  const line = session.pending.slice(0, end);
  session.pending = session.pending.slice(end + 2);
  const verb = line.split(' ', 1)[0]!.toUpperCase();
  session.server.verbs.push(verb);
  const step = STEPS[verb];
  if (step === undefined) answer(session, undefined, '502 5.5.1 unknown');
  else step(session, line.slice(verb.length + 1));
  return true;
}

/** Takes the message; false until all of it has come. */
function readText(session: Session): boolean {
  const { server, socket, pending, to } = session;
  if (pending !== '' && strikes(session, 'text')) socket.destroy();
  const end = pending.indexOf('\r\n.\r\n');
  if (end === -1 || socket.destroyed) return false;
  const raw = pending.slice(0, end + 2);
  const id = /^message-id: *(\S+)/im.exec(raw)?.[1] ?? '';
  const taken: Taken = { to, raw, id, answer: undefined };
  server.taken.push(taken);
  taken.answer = answer(session, 'dot', '250 2.0.0 taken');
  Object.assign(session, { pending: pending.slice(end + 5), hasSender: false, to: '', isText: false });
  return true;
}

const STEPS: Record<string, (session: Session, rest: string) => void> = {
  EHLO(session) {
    const lines = ['fault.example', ...session.offers].map((offer) => `250-${offer}\r\n`);
    answer(session, 'ehlo', `${lines.join('')}250 HELP`);
  },
  STARTTLS: (session) => answer(session, 'starttls', '502 5.5.1 unknown'),
  AUTH: (session) => answer(session, 'auth', '235 2.7.0 welcome'),
  MAIL(session) {
    session.hasSender = isYes(answer(session, 'mail', '250 2.1.0 sender'));
  },
  RCPT(session, rest) {
    session.server.asked.push(rest);
    session.to = /^TO:<(.*?)>/i.exec(rest)![1]!;
    const said = session.hasSender ? answer(session, 'rcpt', '250 2.1.5 recipient') : outOfTurn(session);
    if (!isYes(said)) session.to = '';
  },
  DATA(session) {
    const said = session.to === '' ? outOfTurn(session) : answer(session, 'data', '354 go on');
    session.isText = said?.startsWith('354') ?? false;
    if (session.isText) session.server.begun.push(session.to);
  },
  RSET(session) {
    Object.assign(session, { hasSender: false, to: '' });
    answer(session, undefined, '250 2.0.0 forgotten');
  },
  QUIT: ({ socket }) => socket.end('221 2.0.0 bye\r\n'),
};

const isYes = (said: string | undefined): boolean => said?.startsWith('2') ?? false;
const outOfTurn = (session: Session) => answer(session, undefined, '503 5.5.1 not yet');

/** What was said: the usual, or what the fault makes of it; `undefined` where nothing was. */
function answer(session: Session, at: Fault['at'] | undefined, usual: string): string | undefined {
  const { socket } = session;
  const { does = usual, hangsUp = false, everyMs = 5, after } = (at && strikes(session, at)) ?? {};
  session.server.said++;
  if (does === 'nothing') return undefined;
  if (does === 'drop') {
    socket.destroy();
    return undefined;
  }
  if (does === 'drip') drip(session, `${usual}\r\n`, everyMs);
  else if (hangsUp) socket.end(`${does}\r\n`);
  else if (after !== undefined) void after.then(() => socket.write(`${does}\r\n`));
  else socket.write(`${does}\r\n`);
  return does === 'drip' ? usual : does;
}

/** The fault, where it strikes at this step and time. */
function strikes({ server, struck, to }: Session, at: Fault['at']): Fault | undefined {
  const { fault } = server;
  if (fault?.at !== at || (fault.to !== undefined && !fault.to.includes(to))) return undefined;
  const whom = fault.to === undefined ? 'everybody' : to;
  const times = struck.get(whom) ?? 0;
  if (times >= (fault.times ?? Number.POSITIVE_INFINITY)) return undefined;
  struck.set(whom, times + 1);
  server.struck++;
  return fault;
}

function drip({ server, socket }: Session, text: string, everyMs: number): void {
  let at = 0;
  const timer = setInterval(() => {
    server.said++;
    if (at < text.length && !socket.destroyed) socket.write(text[at++]!);
    else clearInterval(timer);
  }, everyMs);
}

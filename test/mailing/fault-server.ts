/** A mail server that does wrong what a test names: at one step, to whom and how often it says. Otherwise it takes everything. */

import { createServer, type Server, type Socket } from 'node:net';
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
};

/** A message of which all was received. `answer`: what was said to it, or nothing where the answer was lost. */
export type Taken = { to: string; raw: string; id: string; answer: string | undefined };

export type FaultServer = {
  port: number;
  /** Set it to `undefined` to mend the server. */
  fault: Fault | undefined;
  taken: Taken[];
  /** Every RCPT, as it was written. */
  asked: string[];
  /** Everybody whose message was begun. */
  begun: string[];
  /** Verbs, in the order they came. */
  verbs: string[];
  connections: { now: number; most: number; all: number };
  /** Takes no connection until `up`. */
  down(): Promise<void>;
  up(): Promise<void>;
};

/** Closed after the test file. `offers`: what it says to EHLO. */
export async function aFaultServer(fault?: Fault, offers: readonly string[] = []): Promise<FaultServer> {
  const sockets = new Set<Socket>();
  const met = new Map<string, number>();
  let server: Server;
  const self: FaultServer = {
    ...{ port: 0, fault, taken: [], asked: [], begun: [], verbs: [] },
    connections: { now: 0, most: 0, all: 0 },
    async up() {
      server = createServer((socket) => {
        note(self, sockets, socket);
        speak(self, met, offers, socket);
      });
      await new Promise<void>((resolve) => server.listen(self.port, '127.0.0.1', resolve));
      self.port = (server.address() as { port: number }).port;
    },
    async down() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  await self.up();
  after(() => self.down());
  return self;
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

/** What a fault makes of an answer; `undefined` where it does not strike. */
function strikes({ fault }: FaultServer, met: Map<string, number>, at: Fault['at'], to: string) {
  if (fault?.at !== at || (fault.to !== undefined && !fault.to.includes(to))) return undefined;
  const whom = fault.to === undefined ? '' : to;
  const times = met.get(whom) ?? 0;
  if (times >= (fault.times ?? Number.POSITIVE_INFINITY)) return undefined;
  met.set(whom, times + 1);
  return fault;
}

function speak(self: FaultServer, met: Map<string, number>, offers: readonly string[], socket: Socket): void {
  let [pending, to, text] = ['', '', undefined as string | undefined];
  let hasSender = false;
  /** Answers, or does wrong; true where the answer was the usual one. */
  const answer = (at: Fault['at'] | undefined, usual: string): string | undefined => {
    const fault = at && strikes(self, met, at, to);
    if (fault === undefined || fault.does === 'drip') {
      if (fault === undefined) socket.write(`${usual}\r\n`);
      else drip(socket, `${usual}\r\n`, fault.everyMs ?? 5);
      return usual;
    }
    if (fault.does === 'nothing') return undefined;
    if (fault.does === 'drop') {
      socket.destroy();
      return undefined;
    }
    const said = `${fault.does} so it is\r\n`;
    if (fault.hangsUp) socket.end(said);
    else socket.write(said);
    return said;
  };
  const steps: Record<string, (rest: string) => void> = {
    EHLO: () =>
      answer('ehlo', ['250-fault.example', ...offers.map((o) => `250-${o}`), '250 OK'].join('\r\n')),
    STARTTLS: () => answer('starttls', '454 4.7.0 not now'),
    AUTH: () => answer('auth', '235 2.7.0 welcome'),
    MAIL() {
      hasSender = answer('mail', '250 2.1.0 sender')?.startsWith('2') ?? false;
    },
    RCPT(rest) {
      const whom = /^TO:<(.*?)>/i.exec(rest)![1]!;
      self.asked.push(rest.slice(3));
      if (!hasSender) return void answer(undefined, '503 5.5.1 MAIL first');
      to = whom;
      if (!answer('rcpt', '250 2.1.5 recipient')?.startsWith('2')) to = '';
    },
    DATA() {
      if (to === '') return void answer(undefined, '503 5.5.1 RCPT first');
      if (!answer('data', '354 go on')?.startsWith('3')) return;
      self.begun.push(to);
      text = '';
    },
    RSET() {
      [hasSender, to] = [false, ''];
      answer(undefined, '250 2.0.0 forgotten');
    },
    QUIT: () => socket.end('221 2.0.0 bye\r\n'),
  };
  const take = (): void => {
    const end = pending.indexOf('\r\n.\r\n');
    if (pending !== '' && text === '') {
      text = 'begun';
      if (strikes(self, met, 'text', to)) return void socket.destroy();
    }
    if (end === -1) return;
    const raw = pending.slice(0, end + 2);
    pending = pending.slice(end + 5);
    text = undefined;
    const taken: Taken = { to, raw, id: /^message-id: *(\S+)/im.exec(raw)?.[1] ?? '', answer: undefined };
    self.taken.push(taken);
    taken.answer = answer('dot', '250 2.0.0 taken');
    [hasSender, to] = [false, ''];
  };
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    pending += chunk;
    while (text === undefined && pending.includes('\r\n') && !socket.destroyed) {
      const [line] = pending.split('\r\n', 1);
      pending = pending.slice(line!.length + 2);
      const verb = line!.split(' ', 1)[0]!.toUpperCase();
      self.verbs.push(verb);
      (steps[verb] ?? (() => answer(undefined, '502 5.5.1 unknown')))(line!.slice(verb.length + 1));
    }
    if (text !== undefined && !socket.destroyed) take();
  });
  answer('greeting', '220 fault.example ESMTP');
}

function drip(socket: Socket, text: string, everyMs: number): void {
  let at = 0;
  const timer = setInterval(() => {
    if (at < text.length && !socket.destroyed) socket.write(text[at++]!);
    else clearInterval(timer);
  }, everyMs);
  socket.on('close', () => clearInterval(timer));
}

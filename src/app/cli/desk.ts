/** `shingle desk`: pages on this machine for the operator, opened by a link that works once, for an hour. */

import { isIP } from 'node:net';
import { type Command, InvalidArgumentError } from 'commander';
import { isLoopback } from '../../shared/city/networks.ts';
import { LINK_MS } from './desk/desk-gate.ts';
import { withService } from './options.ts';
import { printError, printLine } from './terminal.ts';

const STOPPING = ['SIGTERM', 'SIGINT'] as const;

export function deskCommand(program: Command): void {
  program
    .command('desk')
    .description('show the state, held runs, listings and the next edition as pages on this machine')
    .option('--port <number>', 'the port to listen on (default: a free one)', parsePort)
    .option('--listen <address>', 'the address to listen on, for a container', parseAddress, '127.0.0.1')
    .action(runDesk);
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('use a number up to 65535.');
  return port;
}

function parseAddress(text: string): string {
  if (isIP(text) === 0) throw new InvalidArgumentError('use an IP address.');
  return text;
}

async function runDesk({ port = 0, listen: host }: { port?: number; listen: string }): Promise<void> {
  await withService(async (service) => {
    const { openDesk } = await import('./desk/desk-server.ts');
    const desk = await openDesk(service, { port, host });
    for (const signal of STOPPING) process.once(signal, desk.close);
    if (!isLoopback(host))
      printError('the desk listens on more than this machine: publish its port to 127.0.0.1 alone');
    const minutes = LINK_MS / 60_000;
    printLine(`Open this link in your browser within ${minutes} minutes. It works once:\n  ${desk.url}`);
    printLine(`From another machine, first: ssh -L ${desk.port}:127.0.0.1:${desk.port} HOST`);
    printLine('The desk closes one hour after you open it, or when you press Ctrl-C.');
    await desk.closed;
  });
}

/** `shingle desk`: pages on this machine for the operator, opened by a link that works once, for an hour. */

import { isIP } from 'node:net';
import { type Command, InvalidArgumentError } from 'commander';
import { isLoopback } from '../../config.ts';
import { formatMoment } from '../../shared/day.ts';
import { LINK_MS } from '../desk/desk-gate.ts';
import type { Service } from '../operations/service.ts';
import { withService } from './options.ts';
import { formatRunWithFindings } from './report.ts';
import { listFacts } from './status.ts';
import { printError, printLine } from './terminal.ts';

const STOPPING = ['SIGTERM', 'SIGINT'] as const;

export function deskCommand(program: Command): void {
  program
    .command('desk')
    .description('show the state, held runs, listings and the next edition as pages on this machine')
    .option('--port <number>', 'the port to listen on (default: a free one)', parsePort, 0)
    .option('--listen <address>', 'another address, in a container', parseAddress, '127.0.0.1')
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

async function runDesk({ port, listen: host }: { port: number; listen: string }): Promise<void> {
  await withService(async (service) => {
    const { openDesk } = await import('../desk/desk-server.ts');
    const renderRows = (source: string) => renderRowsOf(service, source);
    const desk = await openDesk(service, {
      port,
      host,
      listFacts,
      describeRun: formatRunWithFindings,
      renderRows,
    });
    for (const signal of STOPPING) process.once(signal, desk.close);
    if (!isLoopback(host))
      printError('the desk listens on more than this machine: publish its port to 127.0.0.1 alone');
    const minutes = LINK_MS / 60_000;
    printLine(`Open this link in your browser, once and within ${minutes} minutes:\n  ${desk.url}`);
    printLine(`From another machine, first: ssh -L ${desk.port}:127.0.0.1:${desk.port} HOST`);
    printLine('The desk ends an hour after it was opened, or with Ctrl-C.');
    await desk.closed;
  });
}

/** Renders `check.html` of a source as its file is now. */
async function renderRowsOf({ config, loaded, now }: Service, source: string): Promise<string> {
  const [{ dryRunCity }, { renderCheckPage }, { openAdvice }] = await Promise.all([
    import('../operations/dry-run-city.ts'),
    import('./check/check-page.ts'),
    import('./check/advice.ts'),
  ]);
  const reports = await dryRunCity(config, { source });
  const advise = openAdvice(loaded.path);
  return renderCheckPage({ city: loaded.city.name, checkedAt: formatMoment(now()), reports, advise });
}

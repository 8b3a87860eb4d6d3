/** `shingle desk`: pages on this machine for the operator, opened by a link that works once, for an hour. */

import { isIP } from 'node:net';
import { type Command, InvalidArgumentError } from 'commander';
import type { Run } from '../../service/runs/runs.ts';
import { isLoopback } from '../../shared/city/networks.ts';
import { formatMoment } from '../../shared/day.ts';
import { formatNumber } from '../../shared/text/numbers.ts';
import { LINK_MS } from '../desk/desk-gate.ts';
import type { DryRunReport } from '../ingest/dry-run.ts';
import type { Service } from '../operations/service.ts';
import { withService } from './options.ts';
import { listCounts } from './report.ts';
import { listFacts } from './status.ts';
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
    const { openDesk } = await import('../desk/desk-server.ts');
    const renderRows = (run: Run) => renderRowsOf(service, run);
    const desk = await openDesk(service, {
      port,
      host,
      listFacts,
      listCounts,
      renderRows,
    });
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

/** Renders `check.html` of the file of a run as it is now. Says whether it is the file that the run has read. */
export async function renderRowsOf({ config, loaded, now }: Service, run: Run): Promise<string> {
  const [{ dryRunCity }, { renderCheckPage }, { openAdvice }] = await Promise.all([
    import('../operations/dry-run-city.ts'),
    import('./check/check-page.ts'),
    import('./check/advice.ts'),
  ]);
  const reports = await dryRunCity(config, { source: run.source });
  const advise = openAdvice(loaded.path);
  const note = describeChange(run, reports);
  return renderCheckPage({ city: loaded.city.name, checkedAt: formatMoment(now()), reports, advise, note });
}

/** Compares the SHA-256 of the file that a run has read with that of the file as it is now. */
function describeChange({ run, place, content, read }: Run, reports: readonly DryRunReport[]): string {
  if (reports.some((report) => report.content === content)) return `This is the file as run ${run} read it.`;
  const now = reports.find((report) => report.place === place);
  const is =
    now === undefined
      ? `These rows are not of ${place}`
      : `The file has changed since run ${run} read it: it now has ${formatNumber(now.read)} rows`;
  return `${is}. Accepting run ${run} imports the ${formatNumber(read)} rows that it read.`;
}

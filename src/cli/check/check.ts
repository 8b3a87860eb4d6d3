/** `shingle check`: judges files as an import would. Reports as text and in `check.html`. Stores nothing. */

import { dirname, join, relative } from 'node:path';
import type { Command } from 'commander';
import type { City } from '../../city/define.ts';
import { type LoadedCity, loadCity } from '../../city/load.ts';
import { isPlaceholder } from '../../city/placeholders.ts';
import { readConfig } from '../../config.ts';
import { messageOf, ShingleError } from '../../errors.ts';
import type { DryRunReport } from '../../import/dry-run.ts';
import { formatMoment } from '../../listings/day.ts';
import { dryRunCity } from '../../operations/service.ts';
import { isInteractive } from '../init/prompt.ts';
import {
  addCommand,
  addIngestOptions,
  limitTime,
  type OrderOptions,
  type Report,
  withIngestOrder,
} from '../options.ts';
import { chooseExitCode } from '../report.ts';
import { printError } from '../terminal.ts';
import { formatDryRun } from './dry-run-report.ts';
import { replaceFile } from './replace-file.ts';

type CheckOptions = OrderOptions & { page: boolean; fix?: boolean; yes?: boolean };

const PAGE = 'check.html';

export function checkCommand(program: Command): void {
  const command = addCommand(program, 'check', checkCity);
  command.description(
    'dry run: shows what an import would do, what looks wrong and what to do; stores nothing',
  );
  addIngestOptions(command)
    .option('--fix', 'change city.yaml where a finding has a known correction, and check again')
    .option('--yes', 'with --fix: make all of these changes without asking')
    .option('--no-page', `do not write ${PAGE} beside the profile`);
}

async function checkCity(options: CheckOptions): Promise<Report> {
  const config = readConfig();
  requireFixable(options);
  const judge = () =>
    withIngestOrder(options, (order) =>
      limitTime('check', config.ingest.timeoutMs, () => dryRunCity(config, order)),
    );
  // loaded only here, because few checks use `--fix`
  const fix = options.fix ? await import('./check-fix.ts') : undefined;
  const reports = await (fix?.fixFindings(judge, config.city, options.yes === true) ?? judge());
  const code = chooseExitCode(reports);
  if (options.json) return { json: { runs: reports }, text: '', code };
  return { text: await describeCheck(await loadCity(config.city), reports, options), code };
}

function requireFixable({ fix, yes, json }: CheckOptions): void {
  if (yes && !fix) throw new ShingleError('usage', '--yes belongs to --fix');
  if (!fix) return;
  if (json)
    throw new ShingleError('usage', '--fix and --json cannot be combined. Run check --json afterwards');
  if (!yes && !isInteractive())
    throw new ShingleError('usage', '--fix asks on a terminal. Add --yes to make all known changes');
}

/** Names the sources whose license `/about` cannot link to. */
function describeTerms({ sources }: City): string[] {
  const ids = sources
    .filter(({ licence, terms }) => terms === undefined && !isPlaceholder(licence))
    .map(({ id }) => id);
  if (ids.length === 0) return [];
  return [`The license is shown without a link. Add its web address as terms to: ${ids.join(', ')}`];
}

async function describeCheck(
  loaded: LoadedCity,
  reports: readonly DryRunReport[],
  { page, now }: CheckOptions,
): Promise<string> {
  const { openCityFile } = await import('../../registers/writing/repair.ts');
  const file = openCityFile(loaded);
  const text = [formatDryRun(reports, file), ...describeTerms(loaded.city)].join('\n\n');
  if (!page) return text;
  const checkedAt = formatMoment(now?.() ?? new Date().toISOString());
  const path = join(dirname(loaded.path), PAGE);
  const shown = relative(process.cwd(), path) || PAGE;
  if (file.isShipped) {
    printError(`${PAGE} is not written for a city that comes with Shingle. Copy its folder first`);
    return text;
  }
  try {
    const { renderCheckPage } = await import('./check-page.ts');
    const html = renderCheckPage({ city: loaded.city.name, checkedAt, reports, ...file });
    await replaceFile(path, html, { mode: 0o600 });
    return `${text}\n\nRows and listings to look at: ${shown.startsWith('..') ? path : shown}`;
  } catch (error) {
    printError(`${PAGE} could not be written: ${messageOf(error)}`);
    return text;
  }
}

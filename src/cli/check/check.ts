/** `shingle check`: judges a file like ingest and reports the result, on the screen and in `check.html`. Stores nothing. */

import { dirname, join, relative } from 'node:path';
import type { Command } from 'commander';
import { type LoadedCity, loadCity } from '../../city/load.ts';
import { type Config, readConfig } from '../../config.ts';
import { messageOf, ShingleError } from '../../errors.ts';
import type { DryRunReport } from '../../import/dry-run.ts';
import { dryRunCity } from '../../operations/service.ts';
import { isInteractive } from '../init/prompt.ts';
import { addIngestOptions, type OrderOptions, parseIngestOrder } from '../options.ts';
import { replaceFile } from '../replace-file.ts';
import { chooseExitCode, toRunReport } from '../report.ts';
import { type Done, printError, printJson, printLine } from '../terminal.ts';
import { limitTime } from '../time-limit.ts';
import { formatDryRun } from './dry-run-report.ts';

type CheckOptions = OrderOptions & { page: boolean; fix?: boolean; yes?: boolean };

const PAGE = 'check.html';

export function checkCommand(program: Command, done: Done): void {
  addIngestOptions(
    program
      .command('check')
      .description('dry run: shows what an import would do, what looks wrong and what to do; stores nothing'),
  )
    .option('--fix', 'change city.yaml where a finding has a known correction, and check again')
    .option('--yes', 'with --fix: make all of these changes without asking')
    .option('--no-page', `do not write ${PAGE} beside the profile`)
    .action(async (options: CheckOptions) => {
      const config = readConfig();
      requireFixable(options);
      const judge = () => judgeCity(config, options);
      const reports =
        options.fix === true ? await fix(judge, config.city, options.yes === true) : await judge();
      if (options.json) printJson({ runs: reports.map(dryRunJson) });
      else await printCheck(await loadCity(config.city), reports, options);
      done(chooseExitCode(reports));
    });
}

/** Loads what only `--fix` needs. */
async function fix(
  ...given: Parameters<typeof import('./check-fix.ts').fixFindings>
): Promise<DryRunReport[]> {
  const { fixFindings } = await import('./check-fix.ts');
  return fixFindings(...given);
}

function requireFixable({ fix, yes, json }: CheckOptions): void {
  if (yes === true && fix !== true) throw new ShingleError('usage', '--yes belongs to --fix');
  if (fix !== true) return;
  if (json === true)
    throw new ShingleError('usage', '--fix and --json cannot be combined. Run check --json afterwards');
  if (yes !== true && !isInteractive())
    throw new ShingleError('usage', '--fix asks on a terminal. Add --yes to make all known changes');
}

function judgeCity(config: Config, options: CheckOptions): Promise<DryRunReport[]> {
  const { order, clear } = parseIngestOrder(options);
  return limitTime('check', config.ingest.timeoutMs, () => dryRunCity(config, order).finally(clear));
}

async function printCheck(
  loaded: LoadedCity,
  reports: readonly DryRunReport[],
  { page, now }: CheckOptions,
): Promise<void> {
  const { openCityFile } = await import('../../registers/writing/repair.ts');
  const file = openCityFile(loaded);
  printLine(formatDryRun(reports, file));
  if (!page) return;
  const checkedAt = `${(now ?? new Date().toISOString()).slice(0, 16).replace('T', ' ')} UTC`;
  const path = join(dirname(loaded.path), PAGE);
  const shown = relative(process.cwd(), path) || PAGE;
  if (file.isShipped)
    return printError(`${PAGE} is not written for a city that comes with Shingle. Copy its folder first`);
  try {
    const { renderCheckPage } = await import('./check-page.ts');
    const text = renderCheckPage({ city: loaded.city.name, checkedAt, reports, ...file });
    await replaceFile(path, text, { mode: 0o600 });
    printLine(`\nRows and listings to look at: ${shown.startsWith('..') ? path : shown}`);
  } catch (error) {
    printError(`${PAGE} could not be written: ${messageOf(error)}`);
  }
}

export function dryRunJson(report: DryRunReport) {
  const { coverage, placing, notJudged, odd, findings, newest } = report;
  return { ...toRunReport(report), coverage, placing, notJudged, odd, findings, newest };
}

/** `shingle check`: judges files as an import would. Reports as text and in `check.html`. Stores nothing. */

import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { readConfig } from '../../../config.ts';
import type { City } from '../../../register/profile/define.ts';
import { type LoadedCity, loadCity } from '../../../register/profile/load.ts';
import { isPlaceholder } from '../../../shared/city/placeholders.ts';
import { formatMoment } from '../../../shared/day.ts';
import { messageOf } from '../../../shared/errors.ts';
import type { DryRunReport } from '../../ingest/dry-run.ts';
import { readClock } from '../../operations/clock.ts';
import { dryRunCity } from '../../operations/dry-run-city.ts';
import { limitTime, type OrderOptions, type Report, withIngestOrder } from '../options.ts';
import { chooseExitCode } from '../report.ts';
import { printError } from '../terminal.ts';
import { openAdvice } from './advice.ts';
import { renderCheckPage } from './check-page.ts';
import { formatDryRun } from './dry-run-report.ts';

const PAGE = 'check.html';

export async function checkCity(options: OrderOptions): Promise<Report> {
  const config = readConfig();
  const reports = await withIngestOrder(options, (order) =>
    limitTime('check', () => dryRunCity(config, order, printError)),
  );
  const code = chooseExitCode(reports);
  if (options.json) return { json: { runs: reports }, text: '', code };
  const loaded = await loadCity(config.city);
  if (config.isSampleImplied)
    printError(`this folder has no city.yaml, so the sample city ${loaded.city.name} is checked`);
  return { text: await describeCheck(loaded, reports, options), code };
}

/** Names the sources whose license `/about` shows without a link. */
function describeTerms({ sources }: City): string {
  const isBare = ({ license, terms }: City['sources'][number]) =>
    terms === undefined && !isPlaceholder(license);
  const ids = sources.filter(isBare).map(({ id }) => id);
  return ids.length === 0
    ? ''
    : `\n\nThe license is shown without a link. Add its web address as terms to: ${ids.join(', ')}`;
}

async function describeCheck(
  loaded: LoadedCity,
  reports: readonly DryRunReport[],
  { now }: OrderOptions,
): Promise<string> {
  const advise = openAdvice(loaded.path);
  const text = formatDryRun(reports, advise) + describeTerms(loaded.city);
  const checkedAt = formatMoment(now?.() ?? readClock());
  const path = join(dirname(loaded.path), PAGE);
  const shown = relative(process.cwd(), path) || PAGE;
  // updates replace its folder
  if (loaded.isShipped) {
    printError(`${PAGE} is not written for a city that comes with Shingle. Copy its folder first`);
    return text;
  }
  try {
    const html = renderCheckPage({ city: loaded.city.name, checkedAt, reports, advise });
    rmSync(path, { force: true }); // the mode counts only for a new file
    writeFileSync(path, html, { mode: 0o600, flag: 'wx' });
    return `${text}\n\nRows and listings to look at: ${shown.startsWith('..') ? path : shown}`;
  } catch (error) {
    printError(`${PAGE} could not be written: ${messageOf(error)}`);
    return text;
  }
}

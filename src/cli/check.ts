/** `shingle check`: judges a file as ingest would and shows what came of it. Stores nothing. */

import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import type { Rehearsal } from '../ingest/rehearse.ts';
import { rehearseCity } from '../service/service.ts';
import { type OrderOptions, orderFrom, orderOptions } from './options.ts';
import { exitOf, percent, runLines, runReport } from './report.ts';
import { type Done, say, sayJson } from './terminal.ts';

export function checkCommand(program: Command, done: Done): void {
  orderOptions(
    program
      .command('check')
      .description('dry run: report verdicts, reasons, coverage and odd rows; stores nothing'),
  ).action(async (options: OrderOptions) => {
    const { order, clear } = orderFrom(options);
    const rehearsals = await rehearseCity(readConfig(), order).finally(clear);
    if (options.json) sayJson({ runs: rehearsals.map(rehearsalReport) });
    else for (const rehearsal of rehearsals) say(rehearsalLines(rehearsal));
    done(exitOf(rehearsals));
  });
}

export function rehearsalReport(rehearsal: Rehearsal) {
  return { ...runReport(rehearsal), coverage: rehearsal.coverage, odd: rehearsal.odd };
}

export function rehearsalLines(rehearsal: Rehearsal): string {
  const { coverage, odd } = rehearsal;
  const covered = `  with a category: ${percent(coverage.category)}, with a neighborhood: ${percent(coverage.neighborhood)}`;
  return [
    runLines(rehearsal),
    covered,
    ...odd.map(({ line, what, name }) => `  odd, line ${line}: ${what} (${name})`),
  ].join('\n');
}

/** What `shingle init` asks on a terminal because no file tells it: at most six questions, each with a guess as its default. */

import { existsSync } from 'node:fs';
import { isInTown, zipArea } from '../city/place-text.ts';
import { compareDays } from './dates.ts';
import type { Guesses } from './guess.ts';

/** What a person may change in a draft. */
export type DraftAnswers = {
  name: string;
  timeZone: string | undefined;
  /** The place of a boundaries file; none without one. */
  boundaries: string | undefined;
  /** The place of an address file; none without one. */
  addresses: string | undefined;
  /** Whether ZIP areas stand for neighborhoods. */
  showsZips: boolean;
  guesses: Guesses;
};

export type DraftQuestion = {
  /** A line or more; rows of the file may stand in it, since only the person at the terminal sees them. */
  text: string;
  /** What an empty answer means. */
  standard: string;
  /** Takes an answer. Answers what is wrong with it, or `undefined`. */
  take(answer: string, answers: DraftAnswers): string | undefined;
};

/** The questions that these guesses leave open, in the order to ask them. `isNamed`: the city's name was given. */
export function listQuestions(answers: DraftAnswers, isNamed: boolean): DraftQuestion[] {
  const { guesses } = answers;
  return [
    isNamed ? undefined : askName(answers),
    askTown(guesses),
    askZone(answers),
    askDay(guesses),
    askType(guesses),
    askBoundaries(answers),
  ].filter((question) => question !== undefined);
}

function askName({ name }: DraftAnswers): DraftQuestion {
  return {
    text: 'Name of the city or county',
    standard: name,
    take(answer, answers) {
      answers.name = answer;
      return undefined;
    },
  };
}

function askTown({ town }: Guesses): DraftQuestion | undefined {
  if (town === undefined || town.share > 0.999) return undefined;
  const [name = ''] = town.names;
  const share = Math.round(town.share * 100);
  return {
    text: `${share} % of the rows have ${name} in "${town.column.name}". Rows of other towns are skipped. Type the town to keep, or "all" to skip none`,
    standard: name,
    take(answer, answers) {
      if (answer === name) return undefined;
      const isAll = answer.toLowerCase() === 'all';
      if (!isAll && !town.column.values.some(([text]) => isInTown(text, [answer])))
        return `No row has "${answer}".`;
      answers.guesses = {
        ...answers.guesses,
        town: isAll ? undefined : { ...town, names: [answer] },
      };
      return undefined;
    },
  };
}

function askZone({ timeZone }: DraftAnswers): DraftQuestion {
  return {
    text: 'Time zone, such as America/Chicago',
    standard: timeZone ?? '',
    take(answer, answers) {
      if (!Intl.supportedValuesOf('timeZone').includes(answer) && !isZone(answer))
        return 'Use an IANA time zone such as America/Chicago.';
      answers.timeZone = answer;
      return undefined;
    },
  };
}

function isZone(text: string): boolean {
  try {
    return text.includes('/') && new Intl.DateTimeFormat('en', { timeZone: text }) !== undefined;
  } catch {
    return false;
  }
}

function askDay({ filedOn }: Guesses): DraftQuestion | undefined {
  const rival = filedOn?.rival;
  if (filedOn === undefined || rival === undefined) return undefined;
  const rows = compareDays(filedOn, rival).map(([a, b]) => `     ${a}   |   ${b}`);
  return {
    text: `On which day does a business count as new?\n  1: ${filedOn.column.name}   2: ${rival.column.name}\n${rows.join('\n')}\n  1 or 2`,
    standard: '1',
    take(answer, answers) {
      if (answer !== '1' && answer !== '2') return 'Type 1 or 2.';
      const chosen = answer === '1' ? filedOn : { ...filedOn, ...rival, unknownDays: [] };
      answers.guesses = { ...answers.guesses, filedOn: { ...chosen, rival: undefined } };
      return undefined;
    },
  };
}

/** About the most frequent type that may or may not be a new business. */
function askType({ noBusiness }: Guesses): DraftQuestion | undefined {
  const doubts = noBusiness.flatMap(({ values, doubtful }) =>
    values.filter(([text]) => doubtful.includes(text)),
  );
  const [most] = doubts.sort((a, b) => b[1] - a[1]);
  if (most === undefined) return undefined;
  const [type, rows] = most;
  return {
    text: `Does "${type}" (${rows} ${rows === 1 ? 'row' : 'rows'}) mean a new business? Type yes or no`,
    standard: 'no',
    take(answer, answers) {
      if (!/^(?:y|yes|n|no)$/i.test(answer)) return 'Type yes or no.';
      if (/^n/i.test(answer)) return undefined;
      const kept = answers.guesses.noBusiness
        .map((one) => ({ ...one, values: one.values.filter(([text]) => text !== type) }))
        .filter(({ values }) => values.length > 0);
      answers.guesses = { ...answers.guesses, noBusiness: kept };
      return undefined;
    },
  };
}

/** Points and addresses lead to neighborhoods only through boundaries; a ZIP area stands in for one only where a person says so. */
function askBoundaries({ guesses, boundaries }: DraftAnswers): DraftQuestion | undefined {
  const { point, address, neighborhood } = guesses;
  const area = neighborhood === undefined ? exampleOfZip(guesses) : undefined;
  const hasPlace = point !== undefined || (address.length > 0 && neighborhood === undefined);
  if (boundaries !== undefined || (!hasPlace && area === undefined)) return undefined;
  const what = point !== undefined ? 'coordinates' : address.length > 0 ? 'addresses' : 'ZIP codes';
  const zips = area === undefined ? '' : `, zip to show areas such as "${area}" in their place`;
  return {
    text: `The rows have ${what}. Type a file or URL of neighborhood boundaries (GeoJSON)${zips}, or press Enter for none`,
    standard: '',
    take(answer, answers) {
      answers.showsZips = area !== undefined && /^zip$/i.test(answer);
      if (answers.showsZips) return undefined;
      if (answer !== '' && !/^https?:/i.test(answer) && !existsSync(answer))
        return `There is no file ${answer}.`;
      answers.boundaries = answer || undefined;
      return undefined;
    },
  };
}

function exampleOfZip({ zip }: Guesses): string | undefined {
  return zip?.column.values.map(([text]) => zipArea(text)).find((area) => area !== undefined);
}

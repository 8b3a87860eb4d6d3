/**
 * Adds GET /chart.svg, a picture of the months of a search for other sites, and GET /chart.png, the same for previews of
 * links.
 */

import type { FastifyInstance } from 'fastify';
import PARAMETERS from '../../data/parameters.json' with { type: 'json' };
import { describeComparison } from '../../page/changes/summary.ts';
import {
  drawPicture,
  type Picture,
  PREVIEW,
  renderChartPicture,
  USUAL_WIDTH,
} from '../../page/chart/picture/chart-picture.ts';
import type { ServedData } from '../../service/web/context.ts';
import { countCellsOf, priceOf } from '../../service/web/limits/charge.ts';
import type { Problem } from '../../service/web/problems.ts';
import { addQuestionRoute } from '../../service/web/routes/route-kinds.ts';
import { COUNTS } from '../../service/web/routes/stats.ts';
import { isException } from '../../shared/listing.ts';
import { choosePeriod, findDataStart } from '../../shared/periods.ts';
import { type Asked, EVERYTHING, type OtherParameter } from '../../shared/question.ts';
import { findUndecided } from '../../shared/undecided.ts';
import type { PageContext } from './page-context.ts';
import { openPainter } from './painter.ts';

const width: OtherParameter<number> = {
  schema: { ...PARAMETERS.width, default: USUAL_WIDTH },
  isList: false,
  read([text = String(USUAL_WIDTH)]) {
    const { minimum, maximum } = PARAMETERS.width;
    const value = /^[1-9][0-9]{0,4}$/.test(text) ? Number(text) : 0;
    if (value >= minimum && value <= maximum) return { value };
    return { problem: `width must be a whole number from ${minimum} to ${maximum}.` };
  },
};

const compare: OtherParameter<boolean> = {
  schema: PARAMETERS.compare,
  isList: false,
  read([text = '']) {
    if (text === '' || text === 'year_before') return { value: text !== '' };
    return { problem: 'compare must be year_before.' };
  },
};

const BUSY: Problem = { code: 'overloaded' };

const PICTURES = {
  ...COUNTS,
  config: { priority: 'page' as const, isPicture: true },
  isKept: true,
  headers: { 'cross-origin-resource-policy': 'cross-origin' },
};

export function chartRoute(app: FastifyInstance, context: PageContext): void {
  const painter = openPainter();
  app.addHook('onClose', painter.close);
  addQuestionRoute<{ width: number; compare: boolean }>(app, context, {
    ...PICTURES,
    path: '/chart.svg',
    type: 'image/svg+xml',
    others: { width, compare },
    answer(data, asked) {
      const picture = preparePicture(context, data, asked);
      return {
        price: priceOfPicture(data, asked, picture),
        render: () => renderChartPicture({ ...picture, width: asked.others.width }),
      };
    },
  });
  addQuestionRoute<{ compare: boolean }>(app, context, {
    ...PICTURES,
    path: '/chart.png',
    type: 'image/png',
    others: { compare },
    answer(data, asked) {
      if (painter.isBusy()) return BUSY;
      const picture = preparePicture(context, data, asked);
      return {
        price: priceOfPicture(data, asked, picture),
        headers: { 'content-type': 'image/png' },
        render() {
          const { width, height, scale } = PREVIEW;
          return painter.paint(drawPicture({ ...picture, width, height }), scale);
        },
      };
    },
  });
}

/** Returns the price of a picture, which shows the months of a search. */
function priceOfPicture(
  data: ServedData,
  { question, others: { compare } }: Asked<{ compare: boolean }>,
  { stats, compared }: Omit<Picture, 'width'>,
) {
  const months = (compared?.months ?? []).flatMap(({ count, before }) => [{ count }, { count: before }]);
  const cells = countCellsOf(question, stats.byMonth, months);
  return priceOf(data, compare ? 'compared months' : 'months', question, { cells });
}

function preparePicture(
  context: PageContext,
  { index, undecided: days }: ServedData,
  { question: asked, others }: Asked<{ compare: boolean }>,
): Omit<Picture, 'width'> {
  const { layout } = context;
  const spelled = index.spellQuestion(asked);
  const { dataEnd } = index;
  const { byMonth } = index.stats(EVERYTHING);
  const period = choosePeriod(spelled, { dataEnd, byMonth });
  const isCompared = others.compare && period.caveat === undefined && !spelled.status.some(isException);
  const question = isCompared ? { ...spelled, ...period.now } : spelled;
  const stats = index.months(question);
  const compareMonths = () => {
    const before = index.months({ ...question, ...period.before }).byMonth;
    const undecided = findUndecided(days, period, (side) => index.count({ ...EVERYTHING, ...side }));
    return describeComparison(
      { layout, question, period, dataEnd, undecided },
      { now: stats.byMonth, before },
    );
  };
  return {
    layout,
    stats,
    question,
    compared: isCompared ? compareMonths() : undefined,
    dataStart: findDataStart(byMonth),
    dataEnd,
  };
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aRegister, findingsIn, rowsWith } from './a-register.ts';

test('check warns if nearly all rows of other towns are in a few towns, which may be parts of the city', async () => {
  const city = aRegister(
    ['kindOf, opening,', 'kindOf, opening, skip,'],
    ["columns: ['ID',", "columns: ['TOWN', 'ID',"],
    ['const filedOn', "if (row.TOWN !== 'Rivermouth') return skip('outside the city');\n      const filedOn"],
  );
  const find = async (share: number, townOf: (i: number) => string) => {
    const found = await findingsIn(
      city,
      rowsWith((i) => ({ TOWN: i % 100 < share ? townOf(i) : 'Rivermouth' })),
    );
    return found.find(({ code }) => code === 'outside-city');
  };
  const part = (i: number) => (i % 4 ? 'EAST RIVERMOUTH' : 'Otterfall');
  const left = await find(24, part);
  assert.deepEqual(
    [left?.severity, left?.count, left?.examples],
    ['warn', 96, ['east rivermouth: 72', 'otterfall: 24']],
  );
  assert.equal(await find(20, part), undefined, 'too few');
  assert.equal(await find(48, (i) => `Town ${'ABCDEFGHIJKLMNOPQRSTUVWX'[i % 24]}`), undefined, 'far towns');
  assert.equal((await find(52, (i) => `Town ${i % 52}`))?.severity, 'stop');
});

/** A city whose register was written by somebody who attacks the person that looks at it. */

import { rowsWith } from '../../register/import/a-register.ts';
import { aMappedCity, type MappedCity } from './a-mapped-city.ts';

const HOSTILE = [
  '</style><script>window.hit = 1</script>',
  '"><img src=x onerror=window.hit=1>',
  '</title></section><iframe srcdoc=x></iframe>',
  'javascript:alert(1)',
  '\u202egnp.exe\u0000\u001b[31m\u200b\ufeff',
  '<!-- ]]> --!> <svg/onload=window.hit=1>',
  'A'.repeat(100_000),
];

/** Every column has hostile cells, also those of rows that are left out, and so has a reason. */
export function aHostileCity(): MappedCity {
  const hostile = (i: number) => HOSTILE[i % HOSTILE.length]!;
  const rows = rowsWith((i) => ({
    ID: `${i} ${hostile(i)}`,
    NAME: `Heron ${hostile(i)}`,
    KIND: `${hostile(i + 1)} ${i}`,
    AREA: `Quarter ${hostile(i + 2)}`,
    TOWN: i < 40 ? hostile(i) : 'RIVERMOUTH',
    ...(i % 4 === 0 && { DAY: hostile(i) }),
  }));
  const skip = JSON.stringify([{ column: 'KIND', values: [`${HOSTILE[1]} 0`], because: HOSTILE[0] }]);
  const city = aMappedCity(
    rows,
    ['from: { csv: register.csv }', 'from: { json: register.json }'],
    ['neighborhood: AREA', `neighborhood: AREA\n    skip: ${skip}`],
  );
  city.write('register.json', JSON.stringify(rows));
  return city;
}

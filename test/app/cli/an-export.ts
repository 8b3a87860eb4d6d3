/** A folder with exports of publishers, and with the cities that `shingle init` makes of them. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { command } from '../../a-command.ts';
import { aFolder } from '../../a-folder.ts';

export function anExportFolder() {
  const folder = aFolder();
  const env = { SHINGLE_DATA: join(folder, 'data') };
  let written = 0;
  const file = (text: string, name = `export-${++written}.csv`) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  return {
    folder,
    env,
    file,
    /** A file with so many rows below a header. */
    csv: (header: string, count: number, row: (i: number) => string) =>
      file([header, ...Array.from({ length: count }, (_, i) => row(i))].join('\n')),
    /** Makes a city of an export. */
    init: (place: string, out: string, ...args: string[]) =>
      command(['init', place, '--out', join(folder, out), '--no-install', ...args], env),
    yaml: (out: string) => readFileSync(join(folder, out, 'city.yaml'), 'utf8'),
  };
}

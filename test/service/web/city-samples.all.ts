/** Every sample and every example finds something in real cities. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openService } from '../../../src/app/operations/service.ts';
import { serveCity } from '../../../src/app/operations/serving.ts';
import { configOf } from '../../page/a-sample.ts';
import { realData } from '../../real-data.ts';
import { aFolder } from '../database/a-folder.ts';
import { checkSamples } from './check-samples.ts';

const REGISTERS: [city: string, file: string, boundaries?: string][] = [
  ['long-beach', 'long-beach/business_licenses.csv', 'long-beach/neighborhoods.geojson'],
  ['pasco-county', 'pasco-county/daily'],
  ['little-rock', 'little-rock/business_licenses.csv'],
  ['san-luis-obispo', 'san-luis-obispo/raw_data.xlsx'],
  ['vancouver', 'vancouver/business-licences.csv'],
];

for (const [city, file, boundaries] of REGISTERS) {
  const { path, skip } = realData(file);
  test(`every sample and every example finds something in ${city}`, { skip }, async (t) => {
    const { path: folder, remove } = aFolder();
    const service = await openService(configOf(folder, { city }));
    await service.ingest({ from: path, ...(boundaries && { boundaries: realData(boundaries).path }) });
    const serving = await serveCity(service, { warn: () => undefined, info: () => undefined });
    t.after(async () => {
      await serving.close();
      await service.close();
      remove();
    });
    const get = (address: string) => fetch(serving.url + address);
    assert.ok((await checkSamples(get, city)) > 10);
  });
}

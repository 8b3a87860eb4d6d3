/** Loads the city that is configured, with its operator, and what its sources are reached with. */

import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { type LoadedCity, loadCity } from '../../register/profile/load.ts';
import { UNNAMED_OPERATOR } from '../../shared/city/city-facts.ts';
import { isPlaceholder } from '../../shared/city/placeholders.ts';
import type { CityAccess } from '../ingest/ingest-sources.ts';
import { VERSION } from './version.ts';

export async function loadConfiguredCity(config: Config): Promise<LoadedCity> {
  const loaded = await loadCity(config.city);
  // replaces a draft's placeholders, which pages must not show
  const fillIn = (field: 'name' | 'contact') =>
    isPlaceholder(loaded.city.operator[field]) ? UNNAMED_OPERATOR[field] : loaded.city.operator[field];
  const operator = {
    name: config.operatorName || fillIn('name'),
    contact: config.operatorContact || fillIn('contact'),
  };
  return { ...loaded, city: { ...loaded.city, operator } };
}

export function makePullContext(config: Config, loaded: LoadedCity): CityAccess {
  const { contact } = loaded.city.operator;
  return {
    loaded,
    tempFolder: join(config.dataFolder, 'downloads'),
    socrataToken: config.socrataToken,
    userAgent: `Shingle/${VERSION}${isPlaceholder(contact) ? '' : ` (${contact})`}`,
  };
}

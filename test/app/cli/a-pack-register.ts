/** Made-up registers of whole states in the shape of the publishers': a town and its neighbors, sole traders, and other parties. */

import type { Portal, Records } from '../../register/import/a-portal.ts';
import { anOpendatasoft, aSocrataState } from '../../register/import/a-state-portal.ts';
import { familyOf, givenOf, nameOf, two } from '../../register/survey/a-register.ts';

export type PackRegister = {
  /** The town as a person types it, and as it is shown. */
  typed: string;
  town: string;
  /** Keys of the businesses that are to be served. */
  served: number;
  columns: string[];
  records: Records;
  /** Columns of people, which the portal must not be asked for. */
  forbidden: readonly string[];
  open(data: { records: Records; columns: string[] }): Promise<Portal>;
};

const COUNT = 400;
const SOLE = 200;

const shop = (i: number) => `${nameOf(i)} ${i}`;
const day = (i: number) =>
  `${2024 + (Math.floor(i / 7) % 3)}-${two(1 + (Math.floor(i / 5) % 11))}-${two(1 + (i % 18))}`;
const zip = (i: number) => `9770${1 + (i % 3)}`;

/** The name of a sole trader in one of the ways in which registers write it. */
export function aPerson(i: number): { given: string; family: string; written: string } {
  const [given, family] = [givenOf(i), familyOf(i)];
  const ways = [
    `${given} ${family}`,
    `${family}, ${given}`,
    `${family} ${given}`,
    `${given} ${'ABCDEFGH'[i % 8]} ${family}`,
  ];
  const written = ways[Math.floor(i / 50) % 4]!;
  return { given: given.toUpperCase(), family: family.toUpperCase(), written: written.toUpperCase() };
}

export const PEOPLE = Array.from({ length: SOLE }, (_, i) => aPerson(i));

const each = <Row>(count: number, row: (i: number) => Row): Row[] =>
  Array.from({ length: count }, (_, i) => row(i));

function oregon(): PackRegister {
  const party = (i: number, kind: string, business_name: string, entity_type: string) => ({
    ...{ registry_number: String(100_000 + i), business_name, entity_type },
    ...{ registry_date: `${day(i)}T00:00:00.000`, associated_name_type: kind },
    first_name: kind === 'REGISTERED AGENT' ? 'ODILE' : null,
    ...{ address: '1 QUAY ST', city: ['BEND', 'Bend', 'PORTLAND', 'Bend '][i % 4] },
    ...{ state: i % 40 === 0 ? 'WA' : 'OR', zip: zip(i) },
  });
  const records = each(COUNT, (i) => {
    const kind = i % 10 === 0 ? 'DOMESTIC NONPROFIT CORPORATION' : 'DOMESTIC LIMITED LIABILITY COMPANY';
    const name = `${shop(i)} ${i % 2 ? 'LLC' : ''}`.toUpperCase();
    return ['PRINCIPAL PLACE OF BUSINESS', 'REGISTERED AGENT', 'MAILING ADDRESS'].map((one) =>
      party(i, one, name, kind),
    );
  }).flat();
  const people = PEOPLE.map(({ written }, i) => ({
    ...party(COUNT + i, 'PRINCIPAL PLACE OF BUSINESS', written, 'ASSUMED BUSINESS NAME'),
    ...{ city: 'BEND', state: 'OR' },
  }));
  return {
    ...{ typed: 'bend', town: 'Bend', served: 290, records: [...records, ...people] },
    columns: [...Object.keys(records[0]!), 'last_name', 'middle_name'],
    forbidden: ['first_name', 'last_name', 'address'],
    open: aSocrataState,
  };
}

function colorado(): PackRegister {
  const entity = (i: number, entityname: string) => ({
    ...{ entityid: String(2025_0000 + i), entityname, entitytype: ['DLLC', 'DPC', 'DNC'][i % 3] },
    ...{
      principaladdress1: `${i} Quay St`,
      principaladdress2: null,
      principalcity: ['Fort Collins', 'FT. COLLINS', 'Denver', 'fort collins'][i % 4],
    },
    ...{
      principalstate: 'CO',
      principalzipcode: zip(i),
      agentfirstname: 'Odile',
      agentlastname: 'Fenwright',
    },
    ...{ entitystatus: ['Good Standing', 'Exists', 'Delinquent', 'Voluntarily Dissolved'][i % 4] },
    entityformdate: `${day(i)}T00:00:00.000`,
  });
  const people = PEOPLE.map(({ written }, i) => ({
    ...entity(COUNT + i, written),
    principalcity: 'Fort Collins',
  }));
  const records = [...each(COUNT, (i) => entity(i, `${shop(i)} LLC`)), ...people];
  return {
    ...{ typed: 'Ft Collins', town: 'Fort Collins', served: 300, records },
    columns: Object.keys(records[0]!),
    forbidden: ['agentfirstname', 'agentlastname', 'agentprincipaladdress1'],
    open: aSocrataState,
  };
}

function connecticut(): PackRegister {
  const NAICS = ['Full-Service Restaurants (722511)', 'Other Accounting Services (541219)', null];
  const entity = (i: number, name: string) => ({
    ...{
      accountnumber: String(3_000_000 + i),
      name,
      business_type: 'LLC',
      status: i % 9 ? 'Active' : 'Dissolved',
    },
    ...{
      billingcity: ['Newtown', 'Sandy Hook', 'Danbury', 'HAWLEYVILLE'][i % 4],
      billingstate: 'CT',
      billingstreet: `${i} Quay St`,
    },
    ...{ naics_code: NAICS[i % 3], business_email_address: 'odile@example.org' },
    ...{
      date_registration: i % 50 ? `${day(i)}T00:00:00.000` : '0001-01-01T00:00:00.000',
      dissolution_date: null,
    },
  });
  const people = PEOPLE.map(({ written }, i) => ({ ...entity(COUNT + i, written), billingcity: 'Newtown' }));
  const records = [...each(COUNT, (i) => entity(i, `${shop(i)} LLC`)), ...people];
  return {
    ...{ typed: 'Newtown', town: 'Newtown', served: 296, records },
    columns: Object.keys(records[0]!),
    forbidden: ['business_email_address', 'business_type'],
    open: aSocrataState,
  };
}

function pennsylvania(): PackRegister {
  const party = (i: number, business_name: string, party_type: string) => ({
    ...{ business_name, filing_number: `00${14_000_000 + i}`, address_line1: '1 Quay St' },
    ...{
      city: ['State College', 'STATE COLLEGE', 'Bellefonte'][i % 3],
      state: 'PA',
      zip: `1680${i % 4}-1000`,
    },
    ...{
      typeofbusinessregistration: 'Domestic Limited Liability Company',
      creationdate: `${day(i)}T00:00:00.000`,
    },
    ...{ party_type, first_name: 'Odile', last_name: 'Fenwright' },
  });
  const people = PEOPLE.map(({ written }, i) => ({
    ...party(COUNT + i, written, 'Governor'),
    city: 'State College',
  }));
  const records = each(COUNT, (i) =>
    ['Organizer', 'Governor'].map((one) => party(i, `${shop(i)} Llc`, one)),
  ).flat();
  return {
    ...{ typed: 'state college', town: 'State College', served: 267, records: [...records, ...people] },
    columns: Object.keys(records[0]!),
    forbidden: ['party_type', 'first_name', 'last_name', 'address_line1'],
    open: aSocrataState,
  };
}

function france(): PackRegister {
  const codes = ['75111', '75103', '35238', '75111'];
  const place = (i: number) => ({
    ...{ siret: `3879364200${String(i).padStart(4, '0')}`, statutdiffusionetablissement: i % 20 ? 'O' : 'P' },
    ...{ datecreationetablissement: day(i), etatadministratifetablissement: i % 7 ? 'Actif' : 'Fermé' },
    ...{
      enseigne1etablissement: null as string | null,
      denominationusuelleetablissement: null as string | null,
    },
    ...{
      denominationunitelegale: `SARL ${shop(i).toUpperCase()}` as string | null,
      categoriejuridiqueunitelegale: '5499',
    },
    ...{ nomunitelegale: null as string | null, prenom1unitelegale: null as string | null },
    ...{ activiteprincipaleetablissement: ['10.71C', '96.02A', '47.11B', '68.20B'][Math.floor(i / 4) % 4] },
    ...{ nomenclatureactiviteprincipaleetablissement: 'NAFRev2', codecommuneetablissement: codes[i % 4] },
    libellecommuneetablissement: ['PARIS 11', 'PARIS 3', 'RENNES', 'PARIS 11'][i % 4],
    ...{
      geolocetablissement: '48.85, 2.37',
      sexeunitelegale: 'F',
      adresseetablissement: `${i + 1} RUE DU QUAI`,
    },
  });
  const trader = (i: number, names: object) => ({
    ...place(COUNT + i),
    ...{
      statutdiffusionetablissement: 'O',
      denominationunitelegale: null,
      categoriejuridiqueunitelegale: '1000',
    },
    ...{ nomunitelegale: PEOPLE[i % SOLE]!.family, prenom1unitelegale: PEOPLE[i % SOLE]!.given },
    ...{ activiteprincipaleetablissement: '96.02A', codecommuneetablissement: '75111' },
    libellecommuneetablissement: 'PARIS 11',
    ...names,
  });
  const people = PEOPLE.map(({ written }, i) =>
    trader(
      i,
      i % 2
        ? { enseigne1etablissement: written }
        : i % 4
          ? { denominationusuelleetablissement: written }
          : {},
    ),
  );
  const trades = each(40, (i) =>
    trader(SOLE + i, {
      [i % 2 ? 'enseigne1etablissement' : 'denominationusuelleetablissement']:
        `AU PETIT MOULIN DE ${nameOf(i)}`,
    }),
  );
  const records = [...each(COUNT, place), ...people, ...trades];
  return {
    ...{ typed: 'Paris', town: 'Paris', served: 250, records },
    columns: Object.keys(records[0]!),
    forbidden: ['sexeunitelegale', 'adresseetablissement'],
    open: anOpendatasoft,
  };
}

export const REGISTERS: Readonly<Record<string, () => PackRegister>> = {
  oregon,
  colorado,
  connecticut,
  pennsylvania,
  france,
};

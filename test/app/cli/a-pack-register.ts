/** Made-up registers of whole states in the shape of the publishers': a town and its neighbors, sole traders, and other parties. */

import type { Portal, Records } from '../../register/import/a-portal.ts';
import { anOpendatasoft, aSocrataState } from '../../register/import/a-state-portal.ts';
import { familyOf, givenOf, nameOf, two } from '../../register/survey/a-register.ts';

type Facts = {
  /** The town as a person types it, and as it is shown. */
  typed: string;
  town: string;
  /** Keys of the businesses that are to be served. */
  served: number;
  /** Columns of people, which the portal must not be asked for. */
  forbidden: readonly string[];
};

export type PackRegister = Facts & {
  columns: string[];
  records: Records;
  open(data: { records: Records; columns: string[] }): Promise<Portal>;
};

const COUNT = 400;
const SOLE = 200;

const shop = (i: number) => `${nameOf(i)} ${i}`;
const day = (i: number) =>
  `${2024 + (Math.floor(i / 7) % 3)}-${two(1 + (Math.floor(i / 5) % 11))}-${two(1 + (i % 18))}`;
const moment = (i: number) => `${day(i)}T00:00:00.000`;
const zip = (i: number) => `9770${1 + (i % 3)}`;
const each = <Row>(count: number, row: (i: number) => Row): Row[] =>
  Array.from({ length: count }, (_, i) => row(i));

/** Sole traders, with their names in one of the ways in which registers write them. */
export const PEOPLE = each(SOLE, (i) => {
  const [given, family] = [givenOf(i).toUpperCase(), familyOf(i).toUpperCase()];
  const middle = 'ABCDEFGH'[i % 8];
  const ways = [`${given} ${family}`, `${family}, ${given}`, `${family} ${given}`];
  const written = [...ways, `${given} ${middle} ${family}`][Math.floor(i / 50) % 4]!;
  return { given, family, written };
});

/** A register of companies, each with so many rows, and after them of people in the town. */
function aState(
  facts: Facts,
  companies: (i: number) => Records,
  person: (i: number, name: string) => Records[number],
): PackRegister {
  const records = [
    ...each(COUNT, companies).flat(),
    ...PEOPLE.map(({ written }, i) => person(COUNT + i, written)),
  ];
  return { ...facts, records, columns: Object.keys(records[0]!), open: aSocrataState };
}

function oregon(): PackRegister {
  const HOME = 'PRINCIPAL PLACE OF BUSINESS';
  const party = (i: number, kind: string, business_name: string, entity_type: string) => ({
    ...{ registry_number: String(100_000 + i), business_name, entity_type, registry_date: moment(i) },
    ...{ associated_name_type: kind, first_name: kind === 'REGISTERED AGENT' ? 'ODILE' : null },
    ...{ last_name: null, middle_name: null, address: '1 QUAY ST', zip: zip(i) },
    ...{ city: ['BEND', 'Bend', 'PORTLAND', 'Bend '][i % 4], state: i % 40 === 0 ? 'WA' : 'OR' },
  });
  return aState(
    { typed: 'bend', town: 'Bend', served: 290, forbidden: ['first_name', 'last_name', 'address'] },
    (i) => {
      const kind = `DOMESTIC ${i % 10 === 0 ? 'NONPROFIT CORPORATION' : 'LIMITED LIABILITY COMPANY'}`;
      const name = `${shop(i)} ${i % 2 ? 'LLC' : ''}`.toUpperCase();
      return [HOME, 'REGISTERED AGENT', 'MAILING ADDRESS'].map((one) => party(i, one, name, kind));
    },
    (i, name) => ({ ...party(i, HOME, name, 'ASSUMED BUSINESS NAME'), city: 'BEND', state: 'OR' }),
  );
}

function colorado(): PackRegister {
  const entity = (i: number, entityname: string) => ({
    ...{ entityid: String(2025_0000 + i), entityname, entitytype: ['DLLC', 'DPC', 'DNC'][i % 3] },
    ...{ principaladdress1: `${i} Quay St`, principaladdress2: null, principalstate: 'CO' },
    principalcity: ['Fort Collins', 'FT. COLLINS', 'Denver', 'fort collins'][i % 4],
    ...{ principalzipcode: zip(i), agentfirstname: 'Odile', agentlastname: 'Fenwright' },
    entitystatus: ['Good Standing', 'Exists', 'Delinquent', 'Voluntarily Dissolved'][i % 4],
    entityformdate: moment(i),
  });
  const forbidden = ['agentfirstname', 'agentlastname', 'agentprincipaladdress1'];
  return aState(
    { typed: 'Ft Collins', town: 'Fort Collins', served: 300, forbidden },
    (i) => [entity(i, `${shop(i)} LLC`)],
    (i, name) => ({ ...entity(i, name), principalcity: 'Fort Collins' }),
  );
}

function connecticut(): PackRegister {
  const NAICS = ['Full-Service Restaurants (722511)', 'Other Accounting Services (541219)', null];
  const entity = (i: number, name: string) => ({
    ...{ accountnumber: String(3_000_000 + i), name, business_type: 'LLC' },
    ...{ status: i % 9 ? 'Active' : 'Dissolved', naics_code: NAICS[i % 3] },
    ...{ billingcity: ['Newtown', 'Sandy Hook', 'Danbury', 'HAWLEYVILLE'][i % 4], billingstate: 'CT' },
    ...{ billingstreet: `${i} Quay St`, business_email_address: 'odile@example.org' },
    ...{ date_registration: i % 50 ? moment(i) : '0001-01-01T00:00:00.000', dissolution_date: null },
  });
  return aState(
    {
      ...{ typed: 'Newtown', town: 'Newtown', served: 296 },
      forbidden: ['business_email_address', 'business_type'],
    },
    (i) => [entity(i, `${shop(i)} LLC`)],
    (i, name) => ({ ...entity(i, name), billingcity: 'Newtown' }),
  );
}

function pennsylvania(): PackRegister {
  const party = (i: number, business_name: string, party_type: string) => ({
    ...{ business_name, filing_number: `00${14_000_000 + i}`, address_line1: '1 Quay St', state: 'PA' },
    ...{ city: ['State College', 'STATE COLLEGE', 'Bellefonte'][i % 3], zip: `1680${i % 4}-1000` },
    ...{ typeofbusinessregistration: 'Domestic Limited Liability Company', creationdate: moment(i) },
    ...{ party_type, first_name: 'Odile', last_name: 'Fenwright' },
  });
  const forbidden = ['party_type', 'first_name', 'last_name', 'address_line1'];
  return aState(
    { typed: 'state college', town: 'State College', served: 267, forbidden },
    (i) => ['Organizer', 'Governor'].map((one) => party(i, `${shop(i)} Llc`, one)),
    (i, name) => ({ ...party(i, name, 'Governor'), city: 'State College' }),
  );
}

function france(): PackRegister {
  const SIGNS = ['denominationusuelleetablissement', 'enseigne1etablissement'] as const;
  const PARIS = { codecommuneetablissement: '75111', libellecommuneetablissement: 'PARIS 11' };
  const elsewhere = (code: string, label: string) => ({
    ...{ codecommuneetablissement: code, libellecommuneetablissement: label },
  });
  const towns = [PARIS, elsewhere('75103', 'PARIS 3'), elsewhere('35238', 'RENNES'), PARIS];
  const place = (i: number) => ({
    ...{ siret: `3879364200${String(i).padStart(4, '0')}`, statutdiffusionetablissement: i % 20 ? 'O' : 'P' },
    ...{ datecreationetablissement: day(i), etatadministratifetablissement: i % 7 ? 'Actif' : 'Fermé' },
    ...{ enseigne1etablissement: null, denominationusuelleetablissement: null },
    denominationunitelegale: `SARL ${shop(i).toUpperCase()}`,
    ...{ categoriejuridiqueunitelegale: '5499', nomunitelegale: null, prenom1unitelegale: null },
    activiteprincipaleetablissement: ['10.71C', '96.02A', '47.11B', '68.20B'][Math.floor(i / 4) % 4],
    ...{ nomenclatureactiviteprincipaleetablissement: 'NAFRev2', ...towns[i % 4] },
    ...{ geolocetablissement: '48.85, 2.37', sexeunitelegale: 'F', adresseetablissement: `${i} RUE DU QUAI` },
  });
  const trader = (i: number, sign: object) => ({
    ...{ ...place(COUNT + i), ...PARIS, statutdiffusionetablissement: 'O', denominationunitelegale: null },
    ...{ categoriejuridiqueunitelegale: '1000', activiteprincipaleetablissement: '96.02A' },
    ...{ nomunitelegale: PEOPLE[i % SOLE]!.family, prenom1unitelegale: PEOPLE[i % SOLE]!.given },
    ...sign,
  });
  const people = PEOPLE.map(({ written }, i) => trader(i, i % 4 ? { [SIGNS[i % 2]!]: written } : {}));
  const trades = each(40, (i) => trader(SOLE + i, { [SIGNS[i % 2]!]: `AU PETIT MOULIN DE ${nameOf(i)}` }));
  const records: Records = [...each(COUNT, place), ...people, ...trades];
  return {
    ...{ typed: 'Paris', town: 'Paris', served: 250, records, columns: Object.keys(records[0]!) },
    ...{ forbidden: ['sexeunitelegale', 'adresseetablissement'], open: anOpendatasoft },
  };
}

export const REGISTERS: Readonly<Record<string, () => PackRegister>> = {
  ...{ oregon, colorado, connecticut, pennsylvania, france },
};

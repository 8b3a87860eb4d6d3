/** A register in another language is mapped by its cells and by the words of its headers. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  countSkipped,
  draftRegister,
  draftRows,
  familyOf,
  givenOf,
  isoOf,
  makeRecords,
  tradeOf,
  two,
} from './a-register.ts';

const COUNT = 400;
const dayFirst = (i: number, mark: string) =>
  [two(1 + (i % 28)), two(1 + (i % 12)), String(2010 + (i % 15))].join(mark);

/** Headers of the same columns, and words of their cells. */
const LANGUAGES = {
  French: {
    headers:
      'N° dossier|Enseigne|Raison sociale|Forme juridique|Adresse|Code postal|Commune|Date de création|État',
    ...{ person: 'Entrepreneur individuel', company: 'SARL', open: 'Actif', closed: 'Fermé', mark: '/' },
  },
  Spanish: {
    headers:
      'Expediente|Nombre comercial|Razón social|Tipo de persona|Dirección|Código postal|Municipio|Fecha de inicio|Estado',
    ...{ person: 'Persona física', company: 'Persona moral', open: 'Vigente', closed: 'Baja', mark: '-' },
  },
  Portuguese: {
    headers:
      'CNPJ|Nome fantasia|Razão social|Natureza jurídica|Endereço|CEP|Município|Data de abertura|Situação',
    ...{
      person: 'Empresário individual',
      company: 'Sociedade limitada',
      open: 'Ativa',
      closed: 'Baixada',
      mark: '/',
    },
  },
  German: {
    headers:
      'Aktenzeichen|Geschäftsbezeichnung|Firma|Rechtsform|Anschrift|PLZ|Gemeinde|Datum der Anmeldung|Status',
    ...{ person: 'Einzelunternehmen', company: 'GmbH', open: 'angemeldet', closed: 'abgemeldet', mark: '.' },
  },
  Greek: {
    headers: 'ΑΦΜ|Διακριτικός Τίτλος|Επωνυμία|Νομική Μορφή|Διεύθυνση|ΤΚ|Δήμος|Ημ/νία Έναρξης|Κατάσταση',
    ...{ person: 'ΑΤΟΜΙΚΗ', company: 'ΑΕ', open: 'Ενεργή', closed: 'Διαγραφή', mark: '/' },
  },
} as const;

for (const [language, { headers, person, company, open, closed, mark }] of Object.entries(LANGUAGES))
  test(`${language}: names, people, towns, days and statuses are found, and people are left out`, async () => {
    const isPerson = (i: number) => i % 5 === 1;
    const cells = (i: number) => [
      `${20_000 + i}`,
      isPerson(i) ? '' : `Solaris Zentro ${i}`,
      isPerson(i) ? `${givenOf(i)} ${familyOf(i)}` : `Holdis ${i} ${company}`,
      isPerson(i) ? person : company,
      `Calmar ${i}`,
      i % 10 === 0 ? '75001' : '35000',
      i % 10 === 0 ? 'Farfield' : 'Otterfall',
      dayFirst(i, mark),
      i % 7 === 0 ? closed : open,
    ];
    const records = makeRecords(COUNT, (i) =>
      Object.fromEntries(headers.split('|').map((one, at) => [one, cells(i)[at]!])),
    );
    const drafted = await draftRegister(records, {
      delimiter: ';',
      args: ['--name', 'Otterfall', '--time-zone', 'Europe/Paris'],
    });
    assert.equal(countSkipped(drafted, 'outside the city'), COUNT / 10, drafted.text);
    assert.equal(countSkipped(drafted, 'personal name'), COUNT / 5, drafted.text);
    assert.equal(drafted.listings.length, COUNT - COUNT / 10 - COUNT / 5, drafted.text);
    const [second] = drafted.listings.filter(({ key }) => key === '20002');
    assert.deepEqual(
      [second?.name, second?.filedOn, second?.status],
      ['Solaris Zentro 2', '2012-03-03', 'open'],
    );
    const [seventh] = drafted.listings.filter(({ key }) => key === '20007');
    assert.equal(seventh?.status, 'closed', drafted.text);
  });

/** Headers in other scripts: number, name, owner, type, address, town, first filing. A shop, and an owner in two spellings. */
const SCRIPTS: Record<string, [headers: string, shop: string, name: string, owner: string]> = {
  Japanese: [
    '許可番号|営業所名称|営業者氏名|業種|営業所所在地|市区町村名|初回許可年月日',
    'ひまわり食堂',
    '寺野 さくら',
    '寺野さくら',
  ],
  Korean: [
    '관리번호|사업장명|대표자명|업태구분명|도로명전체주소|시군구명|인허가일자',
    '햇살식당',
    '테른 소라',
    '테른소라',
  ],
  Russian: [
    'Реестровый номер|Наименование|Руководитель|Вид деятельности|Адрес|Город|Дата регистрации',
    'Кафе Ромашка',
    'Тернова Анна',
    'Анна Тернова',
  ],
  Chinese: [
    '統一編號|公司名稱|代表人|行業|公司地址|市區町村|核准設立日期',
    '向日葵小館',
    '林 小青',
    '林小青',
  ],
  Greek: [
    'Αριθμός αδείας|Διακριτικός τίτλος|Ιδιοκτήτης|Δραστηριότητα|Διεύθυνση|Δήμος|Ημερομηνία έναρξης',
    'Ταβέρνα Ηλιοτρόπιο',
    'Τέρνου Άννα',
    'Άννα Τέρνου',
  ],
  Hebrew: [
    'מספר רישיון|שם העסק|שם הבעלים|סוג עסק|כתובת|יישוב|תאריך פתיחה',
    'מסעדת חמנית',
    'טרן נועה',
    'נועה טרן',
  ],
  Arabic: [
    'رقم الرخصة|الاسم التجاري|اسم المالك|النشاط|العنوان|المدينة|تاريخ التسجيل',
    'مطعم عباد الشمس',
    'ترن سارة',
    'سارة ترن',
  ],
};

for (const [language, [headers, shop, name, owner]] of Object.entries(SCRIPTS))
  test(`${language}: the columns are found, and only the name of its owner is a person’s`, async () => {
    const isPerson = (i: number) => i % 5 === 1;
    const cells = (i: number) => [
      `${20_000 + i}`,
      isPerson(i) ? name : `${shop} ${i}`,
      isPerson(i) ? owner : `${owner}${i}`,
      'A',
      `1-${i}`,
      i % 10 === 0 ? '南町' : '北町',
      `2024-0${1 + (i % 9)}-1${i % 9}`,
    ];
    const drafted = await draftRegister(
      makeRecords(COUNT, (i) =>
        Object.fromEntries(headers.split('|').map((one, at) => [one, cells(i)[at]!])),
      ),
      { args: ['--name', '北町', '--time-zone', 'Asia/Tokyo'] },
    );
    assert.equal(countSkipped(drafted, 'outside the city'), COUNT / 10, drafted.text);
    assert.equal(countSkipped(drafted, 'personal name'), COUNT / 5, drafted.text);
    assert.equal(drafted.listings.length, COUNT - COUNT / 10 - COUNT / 5, drafted.text);
  });

test('Chinese headers are read with the kind of place before or behind their words, and no later day is a filing', async () => {
  const drafted = await draftRows(COUNT, (i) => ({
    餐廳登記編號: `${20_000 + i}`,
    發證機關名稱: '衛生局',
    餐廳名稱: `向日葵小館${i}`,
    餐廳負責人姓名: `林小青${i}`,
    餐廳地址: `中山路${i}號`,
    餐廳市鎮鄉村里: `第${'一二三四五'[i % 5]}里`,
    最後核准變更日期: `2025-0${1 + (i % 9)}-1${i % 9}`,
    餐廳設立核准日期: `2024-0${1 + (i % 9)}-1${i % 9}`,
    登記歇業核准日期: i % 9 === 0 ? `2025-0${1 + (i % 9)}-1${i % 9}` : '',
  }));
  for (const line of [
    'name: 餐廳名稱',
    'owner: 餐廳負責人姓名',
    'filed: { column: 餐廳設立核准日期,',
    'ended: { column: 登記歇業核准日期,',
    'address: 餐廳地址',
    'neighborhood: 餐廳市鎮鄉村里',
  ])
    assert.ok(drafted.text.includes(`    ${line}`), `${line}\n${drafted.text}`);
});

test('words for a closure are found inside longer ones, in scripts without spaces', async () => {
  for (const [header, texts] of [
    [
      '영업상태명',
      { open: '영업중 정상영업', closed: '폐업 등록취소 직권말소 허가취소 영업장폐쇄 영업정지' },
    ],
    ['登記狀態', { open: '營業中 核准設立', closed: '已歇業 命令解散 登記廢止 主動停业' }],
    ['営業状態 status', { open: '営業中', closed: '全部廃業 許可取消 営業廃止' }],
  ] as const) {
    const words = `${texts.open} ${texts.closed}`.split(' ');
    const drafted = await draftRows(COUNT, (i) => ({
      사업장명: `햇살식당 ${i}`,
      구분: ['해류업', '소류업', '종류업'][i % 3]!,
      [header]: words[i % words.length]!,
      인허가일자: isoOf(i),
    }));
    const listOf = (status: string) =>
      new RegExp(`${status}: \\[ (.*) \\]`).exec(drafted.text)?.[1]?.split(', ');
    assert.deepEqual(listOf('open')?.sort(), texts.open.split(' ').sort(), drafted.text);
    assert.deepEqual(listOf('closed')?.sort(), texts.closed.split(' ').sort(), drafted.text);
    assert.match(drafted.text, /category: \{ column: 구분, table/);
  }
});

test('names in a column that only sole traders have are people’s, and neighborhoods are found in other scripts', async () => {
  for (const [name, area, who] of [
    ['Наименование', 'Район', 'Индивидуальный предприниматель Тернова Анна Ивановна'],
    ['Назва', 'Район', 'ФОП Тернова Анна'],
    ['Nome Empresarial', 'Bairro', 'ODILE DA SILVA 01234567890'],
    ['Nome Empresarial', 'Bairro', '12.345.678 ODILE DA SILVA'],
    ['사업장명', '동별', ''],
    ['営業施設名称、屋号又は商号', '町名', ''],
  ]) {
    const drafted = await draftRows(COUNT, (i) => ({
      [name!]: who !== '' && i % 4 === 0 ? who! : `Solaris ${i}`,
      [area!]: `Q${i % 7}`,
      'Start Date': `2024-0${1 + (i % 9)}-1${i % 9}`,
    }));
    assert.equal(countSkipped(drafted, 'personal name'), who === '' ? 0 : COUNT / 4, drafted.text);
    assert.match(drafted.text, new RegExp(`^ +neighborhood: ${area}$`, 'm'));
  }
});

test('trade names take precedence over legal names, main activities over others, and districts over areas of districts', async () => {
  for (const [legal, trade, areas, area, second, first] of [
    [
      'NOME_EMPRESARIAL',
      'NOME_DA_EMPRESA',
      'REGIAO',
      'BAIRRO',
      'ATIVIDADE_SECUNDARIA',
      'ATIVIDADE_PRINCIPAL',
    ],
    ['Raison sociale', 'Nom du commerce', 'Arrondissement', 'Quartier', 'Activité secondaire', 'Activité'],
    [
      'Полное наименование',
      'Название',
      'Округ',
      'Район',
      'Дополнительный вид деятельности',
      'Вид деятельности',
    ],
  ]) {
    const drafted = await draftRows(COUNT, (i) => ({
      [legal!]: `Holdis ${i}`,
      [trade!]: `Solaris ${i}`,
      [areas!]: `Q${i % 2}`,
      [area!]: `Q${i % 7}`,
      [second!]: tradeOf(i + 1),
      [first!]: tradeOf(i),
      'Start Date': isoOf(i),
    }));
    assert.match(drafted.text, new RegExp(`^ +name: ${trade}$`, 'm'));
    assert.match(drafted.text, new RegExp(`^ +neighborhood: ${area}$`, 'm'));
    assert.match(drafted.text, new RegExp(`^ +category: \\{ column: ${first},`, 'm'));
  }
});

test('the raw columns of an establishment in Sirene are distinguished, and sole traders are left out', async () => {
  const drafted = await draftRows(COUNT, (i) => ({
    siren: `${300_000_000 + Math.floor(i / 2)}`,
    siret: `${30_000_000_000_000 + i}`,
    statutDiffusionEtablissement: 'O',
    dateCreationEtablissement: `20${two(10 + (i % 10))}-0${1 + (i % 9)}-${two(1 + (i % 28))}`,
    activitePrincipaleRegistreMetiersEtablissement: i % 9 === 0 ? `56${two(i % 90)}CQ` : '',
    dateCreationUniteLegale: `19${two(70 + (i % 30))}-0${1 + (i % 9)}-${two(1 + (i % 28))}`,
    categorieJuridiqueUniteLegale: i % 5 === 1 ? '1000' : '5710',
    denominationUniteLegale: i % 5 === 1 ? '' : i % 10 === 7 ? `Solaris ${familyOf(i)}` : `Holdis ${i}`,
    denominationUsuelle1UniteLegale: i % 8 === 0 ? `Solaris ${i}` : '',
    nomUniteLegale: i % 5 === 1 ? familyOf(i) : '',
    prenom1UniteLegale: i % 5 === 1 ? givenOf(i) : '',
    activitePrincipaleUniteLegale: '70.10Z',
    categorieEntreprise: i % 2 ? 'PME' : 'GE',
    numeroVoieEtablissement: `${i}`,
    typeVoieEtablissement: 'RUE',
    libelleVoieEtablissement: `DU HERON ${i % 40}`,
    libelleCommuneEtablissement: 'OTTERFALL',
    etatAdministratifEtablissement: 'A',
    activitePrincipaleEtablissement: i % 2 ? '56.10A' : '96.02A',
    // a company's sign may be its legal name, also where it looks like a person's
    enseigne1Etablissement: i % 10 === 7 ? `Solaris ${familyOf(i)}` : i % 10 === 3 ? `Zentro ${i}` : '',
  }));
  const [third] = drafted.listings.filter(({ key }) => key.endsWith('003'));
  assert.deepEqual(
    [third?.name, third?.filedOn, third?.category],
    ['Zentro 3', '2013-04-04', 'Restaurants'],
    drafted.text,
  );
  assert.equal(drafted.listings.length, COUNT - COUNT / 5, drafted.text);
  assert.match(drafted.text, /^ +key: siret$/m);
  assert.doesNotMatch(drafted.text, /categorieEntreprise/);
});

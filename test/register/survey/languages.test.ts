/** A register in another language is mapped by its cells and by the words of its headers. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COUNT, checkDraft, familyOf, givenOf, isoOf, testDrafts, tradeOf, two } from './a-register.ts';

const LEFT_OUT = { 'outside the city': COUNT / 10, 'personal name': COUNT / 5 };
const isPerson = (i: number) => i % 5 === 1;
const isFar = (i: number) => i % 10 === 0;
const recordOf = (headers: string, cells: readonly string[]) =>
  Object.fromEntries(headers.split('|').map((header, at) => [header, cells[at]!]));

/** Headers of the same columns, and words of their cells: legal forms, statuses and the mark between the parts of a day. */
const LANGUAGES = {
  French: [
    'N° dossier|Enseigne|Raison sociale|Forme juridique|Adresse|Code postal|Commune|Date de création|État',
    'Entrepreneur individuel|SARL|Actif|Fermé|/',
  ],
  Spanish: [
    'Expediente|Nombre comercial|Razón social|Tipo de persona|Dirección|Código postal|Municipio|Fecha de inicio|Estado',
    'Persona física|Persona moral|Vigente|Baja|-',
  ],
  Portuguese: [
    'CNPJ|Nome fantasia|Razão social|Natureza jurídica|Endereço|CEP|Município|Data de abertura|Situação',
    'Empresário individual|Sociedade limitada|Ativa|Baixada|/',
  ],
  German: [
    'Aktenzeichen|Geschäftsbezeichnung|Firma|Rechtsform|Anschrift|PLZ|Gemeinde|Datum der Anmeldung|Status',
    'Einzelunternehmen|GmbH|angemeldet|abgemeldet|.',
  ],
  Greek: [
    'ΑΦΜ|Διακριτικός Τίτλος|Επωνυμία|Νομική Μορφή|Διεύθυνση|ΤΚ|Δήμος|Ημ/νία Έναρξης|Κατάσταση',
    'ΑΤΟΜΙΚΗ|ΑΕ|Ενεργή|Διαγραφή|/',
  ],
} as const;

for (const [language, [headers, words]] of Object.entries(LANGUAGES))
  test(`${language}: names, people, towns, days and statuses are found, and people are left out`, async () => {
    const [person = '', company = '', open = '', closed = '', mark] = words.split('|');
    const cellsOf = (i: number) => [
      `${20_000 + i}`,
      isPerson(i) ? '' : `Solaris Zentro ${i}`,
      isPerson(i) ? `${givenOf(i)} ${familyOf(i)}` : `Holdis ${i} ${company}`,
      isPerson(i) ? person : company,
      `Calmar ${i}`,
      ...(isFar(i) ? ['75001', 'Farfield'] : ['35000', 'Otterfall']),
      [two(1 + (i % 28)), two(1 + (i % 12)), String(2010 + (i % 15))].join(mark),
      i % 7 === 0 ? closed : open,
    ];
    const { listings, text } = await checkDraft({
      cells: (i) => recordOf(headers, cellsOf(i)),
      delimiter: ';',
      args: ['--name', 'Otterfall', '--time-zone', 'Europe/Paris'],
      leftOut: LEFT_OUT,
    });
    const [second, seventh] = ['20002', '20007'].map((number) => listings.find(({ key }) => key === number));
    assert.deepEqual(
      [second?.name, second?.filedOn, second?.status, seventh?.status],
      ['Solaris Zentro 2', '2012-03-03', 'open', 'closed'],
      text,
    );
  });

/** Headers in other scripts: number, name, owner, type, address, town, first filing. A shop, and an owner in two spellings. */
const SCRIPTS: Record<string, [headers: string, words: string]> = {
  Japanese: [
    '許可番号|営業所名称|営業者氏名|業種|営業所所在地|市区町村名|初回許可年月日',
    'ひまわり食堂|寺野 さくら|寺野さくら',
  ],
  Korean: [
    '관리번호|사업장명|대표자명|업태구분명|도로명전체주소|시군구명|인허가일자',
    '햇살식당|테른 소라|테른소라',
  ],
  Russian: [
    'Реестровый номер|Наименование|Руководитель|Вид деятельности|Адрес|Город|Дата регистрации',
    'Кафе Ромашка|Тернова Анна|Анна Тернова',
  ],
  Chinese: ['統一編號|公司名稱|代表人|行業|公司地址|市區町村|核准設立日期', '向日葵小館|林 小青|林小青'],
  Greek: [
    'Αριθμός αδείας|Διακριτικός τίτλος|Ιδιοκτήτης|Δραστηριότητα|Διεύθυνση|Δήμος|Ημερομηνία έναρξης',
    'Ταβέρνα Ηλιοτρόπιο|Τέρνου Άννα|Άννα Τέρνου',
  ],
  Hebrew: ['מספר רישיון|שם העסק|שם הבעלים|סוג עסק|כתובת|יישוב|תאריך פתיחה', 'מסעדת חמנית|טרן נועה|נועה טרן'],
  Arabic: [
    'رقم الرخصة|الاسم التجاري|اسم المالك|النشاط|العنوان|المدينة|تاريخ التسجيل',
    'مطعم عباد الشمس|ترن سارة|سارة ترن',
  ],
};

for (const [language, [headers, words]] of Object.entries(SCRIPTS)) {
  const [shop = '', name = '', owner = ''] = words.split('|');
  const cellsOf = (i: number) => [
    `${20_000 + i}`,
    ...(isPerson(i) ? [name, owner] : [`${shop} ${i}`, `${owner}${i}`]),
    ...['A', `1-${i}`, isFar(i) ? '南町' : '北町', `2024-0${1 + (i % 9)}-1${i % 9}`],
  ];
  testDrafts({
    [`${language}: the columns are found, and only the name of its owner is a person’s`]: {
      cells: (i) => recordOf(headers, cellsOf(i)),
      args: ['--name', '北町', '--time-zone', 'Asia/Tokyo'],
      leftOut: LEFT_OUT,
    },
  });
}

testDrafts({
  'Chinese headers are read with the kind of place before or behind their words, and no later day is a filing':
    {
      cells: (i) => ({
        餐廳登記編號: `${20_000 + i}`,
        發證機關名稱: '衛生局',
        餐廳名稱: `向日葵小館${i}`,
        餐廳負責人姓名: `林小青${i}`,
        餐廳地址: `中山路${i}號`,
        餐廳市鎮鄉村里: `第${'一二三四五'[i % 5]}里`,
        最後核准變更日期: `2025-0${1 + (i % 9)}-1${i % 9}`,
        餐廳設立核准日期: `2024-0${1 + (i % 9)}-1${i % 9}`,
        登記歇業核准日期: i % 9 === 0 ? `2025-0${1 + (i % 9)}-1${i % 9}` : '',
      }),
      lines: [
        'name: 餐廳名稱',
        'owner: 餐廳負責人姓名',
        'filed: { column: 餐廳設立核准日期,...',
        'ended: { column: 登記歇業核准日期,...',
        'address: 餐廳地址',
        'neighborhood: 餐廳市鎮鄉村里',
      ],
    },
});

test('words for a closure are found inside longer ones, in scripts without spaces', async () => {
  for (const [header, openTexts, closedTexts] of [
    ['영업상태명', '영업중 정상영업', '폐업 등록취소 직권말소 허가취소 영업장폐쇄 영업정지'],
    ['登記狀態', '營業中 核准設立', '已歇業 命令解散 登記廢止 主動停业'],
    ['営業状態 status', '営業中', '全部廃業 許可取消 営業廃止'],
  ] as const) {
    const words = `${openTexts} ${closedTexts}`.split(' ');
    const { text } = await checkDraft({
      cells: (i) => ({
        사업장명: `햇살식당 ${i}`,
        구분: ['해류업', '소류업', '종류업'][i % 3]!,
        [header]: words[i % words.length]!,
        인허가일자: isoOf(i),
      }),
      lines: ['category: { column: 구분, table...'],
    });
    const listOf = (status: string) => new RegExp(`${status}: \\[ (.*) \\]`).exec(text)?.[1]?.split(', ');
    assert.deepEqual(listOf('open')?.sort(), openTexts.split(' ').sort(), text);
    assert.deepEqual(listOf('closed')?.sort(), closedTexts.split(' ').sort(), text);
  }
});

for (const [header, area, who] of [
  ['Наименование', 'Район', 'Индивидуальный предприниматель Тернова Анна Ивановна'],
  ['Назва', 'Район', 'ФОП Тернова Анна'],
  ['Nome Empresarial', 'Bairro', 'ODILE DA SILVA 01234567890'],
  ['Nome Empresarial', 'Bairro', '12.345.678 ODILE DA SILVA'],
  ['사업장명', '동별', ''],
  ['営業施設名称、屋号又は商号', '町名', ''],
] as const)
  testDrafts({
    [`"${who}" in "${header}" is a sole trader, and "${area}" a neighborhood`]: {
      cells: (i) => ({
        [header]: who !== '' && i % 4 === 0 ? who : `Solaris ${i}`,
        [area]: `Q${i % 7}`,
        'Start Date': `2024-0${1 + (i % 9)}-1${i % 9}`,
      }),
      lines: [`neighborhood: ${area}`],
      leftOut: who === '' ? {} : { 'personal name': COUNT / 4 },
    },
  });

for (const [legal, trade, areas, area, second, first] of [
  'NOME_EMPRESARIAL|NOME_DA_EMPRESA|REGIAO|BAIRRO|ATIVIDADE_SECUNDARIA|ATIVIDADE_PRINCIPAL',
  'Raison sociale|Nom du commerce|Arrondissement|Quartier|Activité secondaire|Activité',
  'Полное наименование|Название|Округ|Район|Дополнительный вид деятельности|Вид деятельности',
].map((headers) => headers.split('|')))
  testDrafts({
    [`"${trade}" takes precedence over legal names, "${first}" over other activities, "${area}" over "${areas}"`]:
      {
        cells: (i) => ({
          [legal!]: `Holdis ${i}`,
          [trade!]: `Solaris ${i}`,
          [areas!]: `Q${i % 2}`,
          [area!]: `Q${i % 7}`,
          [second!]: tradeOf(i + 1),
          [first!]: tradeOf(i),
          'Start Date': isoOf(i),
        }),
        lines: [`name: ${trade}`, `neighborhood: ${area}`, `category: { column: ${first},...`],
      },
  });

test('the raw columns of an establishment in Sirene are distinguished, and sole traders are left out', async () => {
  const { listings, text } = await checkDraft({
    cells: (i) => ({
      siren: `${300_000_000 + Math.floor(i / 2)}`,
      siret: `${30_000_000_000_000 + i}`,
      statutDiffusionEtablissement: 'O',
      dateCreationEtablissement: `20${two(10 + (i % 10))}-0${1 + (i % 9)}-${two(1 + (i % 28))}`,
      activitePrincipaleRegistreMetiersEtablissement: i % 9 === 0 ? `56${two(i % 90)}CQ` : '',
      dateCreationUniteLegale: `19${two(70 + (i % 30))}-0${1 + (i % 9)}-${two(1 + (i % 28))}`,
      categorieJuridiqueUniteLegale: isPerson(i) ? '1000' : '5710',
      denominationUniteLegale: isPerson(i) ? '' : i % 10 === 7 ? `Solaris ${familyOf(i)}` : `Holdis ${i}`,
      denominationUsuelle1UniteLegale: i % 8 === 0 ? `Solaris ${i}` : '',
      nomUniteLegale: isPerson(i) ? familyOf(i) : '',
      prenom1UniteLegale: isPerson(i) ? givenOf(i) : '',
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
    }),
    lines: ['key: siret'],
    leftOut: { 'no name': COUNT / 5 },
  });
  const third = listings.find(({ key }) => key.endsWith('003'));
  assert.deepEqual(
    [third?.name, third?.filedOn, third?.category],
    ['Zentro 3', '2013-04-04', 'Restaurants'],
    text,
  );
  assert.doesNotMatch(text, /categorieEntreprise/);
});

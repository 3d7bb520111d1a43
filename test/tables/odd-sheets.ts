/** Sheets as strangers send them, written from scratch, each with the right answer for every column and row. */

/** What a row says: device, size, grade, side, amount, currency and day; undefined is not compared. */
export type RightRow = {
  readonly device: string
  readonly grade?: string
  readonly side?: 'ask' | 'sold' | 'quote'
  readonly amount: number
  readonly currency: string
  readonly day?: string
}

export type OddSheet = {
  readonly name: string
  readonly file: string
  readonly text: string
  /** Of the service; `us` if absent. */
  readonly market?: string
  /** What the user set beforehand. */
  readonly options?: Readonly<Record<string, string>>
  /** What a person answers if asked. */
  readonly answers: Readonly<Record<string, string>>
  /** The field of each title; null for a column that is no part of a price. Titles with several right answers are left out. */
  readonly columns: Readonly<Record<string, string | null>>
  /** In the order of the file; null: a row that must not become a price, such as one of a locked device. */
  readonly rows: readonly (RightRow | null)[]
}

export const ODD_SHEETS_NOW = Date.UTC(2026, 10, 18, 9)
const TODAY = '2026-11-18'
const lines = (...texts: readonly string[]) => `${texts.join('\n')}\n`
type Common = Partial<RightRow> & { readonly currency: string }
const rows = (common: Common, ...each: readonly (readonly [string, number, Partial<RightRow>?] | null)[]) =>
  each.map((row) => row && { day: TODAY, ...common, device: row[0], amount: row[1], ...row[2] })

export const ODD_SHEETS: readonly OddSheet[] = [
  {
    name: 'Polish amounts without a sign',
    file: 'telefony.csv',
    text: lines(
      'Nazwa;Pamięć;Stan;Cena',
      'iPhone 13;128 GB;bardzo dobry;1399',
      'iPhone 14;128 GB;bardzo dobry;1799',
      'Samsung Galaxy S23;256 GB;dobry;1699',
      'iPhone 12;64 GB;dobry;899',
      'Google Pixel 7;128 GB;dobry;799',
    ),
    answers: { side: 'ask', currency: 'PLN', market: 'pl' },
    columns: { Nazwa: 'model', Pamięć: 'storage', Stan: 'condition', Cena: 'amount' },
    rows: rows(
      { currency: 'PLN', side: 'ask' },
      ['iPhone 13', 1399],
      ['iPhone 14', 1799],
      ['Galaxy S23', 1699],
      ['iPhone 12', 899],
      ['Pixel 7', 799],
    ),
  },
  {
    name: 'a day on which the seller registered, beside a day that the user states',
    file: 'crawl.csv',
    text: lines(
      'ad_title,asking_price,currency,seller,registration_date,member_rating',
      'Apple iPhone 13 128GB Midnight very good,329,EUR,anna77,2019-03-02,4.8',
      'iPhone 12 64GB good condition,219,EUR,shop24,2016-11-30,4.1',
      'Samsung Galaxy S21 128GB good,189,EUR,tom,2021-07-15,5',
      'Google Pixel 7 128GB like new,249,EUR,kira,2018-01-09,4.4',
    ),
    options: { date: '2026-11-10' },
    answers: { side: 'ask' },
    columns: {
      ad_title: 'model',
      asking_price: 'amount',
      currency: 'currency',
      registration_date: null,
      member_rating: null,
    },
    rows: rows(
      { currency: 'EUR', side: 'ask', day: '2026-11-10' },
      ['iPhone 13', 329],
      ['iPhone 12', 219],
      ['Galaxy S21', 189],
      ['Pixel 7', 249],
    ),
  },
  {
    name: 'units sold beside asking prices',
    file: 'listings.csv',
    text: lines(
      'Title,Price,Sold,Watching,Condition',
      'Apple iPhone 13 128GB Unlocked,$339.00,12,31,Very Good - Refurbished',
      'Apple iPhone 12 64GB Unlocked,$229.00,3,9,Good - Refurbished',
      'Apple iPhone 14 128GB Unlocked,$419.00,0,4,Good - Refurbished',
      'Samsung Galaxy S22 128GB Unlocked,$239.00,1,2,Good - Refurbished',
      'Google Pixel 7 128GB Unlocked,$215.00,1,7,Good - Refurbished',
    ),
    answers: { side: 'ask', currency: 'USD' },
    columns: { Title: 'model', Price: 'amount', Sold: null, Watching: null, Condition: 'condition' },
    rows: rows(
      { currency: 'USD', side: 'ask' },
      ['iPhone 13', 339],
      ['iPhone 12', 229],
      ['iPhone 14', 419],
      ['Galaxy S22', 239],
      ['Pixel 7', 215],
    ),
  },
  {
    name: 'German: without VAT, said below the table',
    file: 'Lagerliste.csv',
    text: lines(
      'Bezeichnung;Zustand;VK €',
      'iPhone 13 128GB;A;290,00',
      'iPhone 13 128GB;B;260,00',
      'Galaxy S21 128GB;B;150,00',
      'iPhone 12 64GB;B;180,00',
      ';;',
      'Alle Preise netto zzgl. 19 % MwSt.;;',
      'Lieferung ab Lager Köln, solange der Vorrat reicht.;;',
    ),
    market: 'de',
    answers: {},
    columns: { Bezeichnung: 'model', Zustand: 'condition', 'VK €': 'amount' },
    rows: rows(
      { currency: 'EUR', side: 'sold' },
      ['iPhone 13', 345.1],
      ['iPhone 13', 309.4],
      ['Galaxy S21', 178.5],
      ['iPhone 12', 214.2],
    ),
  },
  {
    name: 'a search word in the column name',
    file: 'results.csv',
    text: lines(
      'name,title,asking price,currency',
      'iPhone 13 128GB,Apple iPhone 13 Pro 256GB Graphite good,499,USD',
      'iPhone 13 128GB,Apple iPhone 13 mini 128GB Pink good,299,USD',
      'iPhone 13 128GB,iPhone 13 128GB Blue good condition,339,USD',
      'iPhone 13 128GB,Apple iPhone 13 Pro Max 128GB Gold good,549,USD',
      'iPhone 13 128GB,Apple iPhone 14 128GB Midnight good,429,USD',
      'iPhone 13 128GB,iPhone 12 64GB White good,229,USD',
    ),
    answers: {},
    columns: { name: null, title: 'model', 'asking price': 'amount' },
    rows: rows(
      { currency: 'USD', side: 'ask' },
      ['iPhone 13 Pro', 499],
      ['iPhone 13 Mini', 299],
      ['iPhone 13', 339],
      ['iPhone 13 Pro Max', 549],
      ['iPhone 14', 429],
      ['iPhone 12', 229],
    ),
  },
  {
    name: 'notes that say what costs money',
    file: 'stock.csv',
    text: lines(
      'Device,GB,Cosmetic,Notes,We pay USD',
      'iPhone 13,128,B,,210',
      'iPhone 13,128,B,iCloud locked,60',
      'iPhone 12,64,B,screen cracked,70',
      'iPhone 14,128,A,,290',
      'Galaxy S22,128,B,original box included,150',
    ),
    answers: {},
    columns: { Device: 'model', GB: 'storage', Cosmetic: 'condition', Notes: 'notes', 'We pay USD': 'amount' },
    rows: rows(
      { currency: 'USD', side: 'quote' },
      ['iPhone 13', 210, { grade: 'Good' }],
      null,
      ['iPhone 12', 70, { grade: 'Poor' }],
      ['iPhone 14', 290],
      ['Galaxy S22', 150, { grade: 'Good' }],
    ),
  },
  {
    name: 'Spanish: two tables side by side',
    file: 'tarifa.csv',
    text: lines(
      'Modelo;Capacidad;Precio compra;;Modelo;Capacidad;Precio compra',
      'iPhone 13;128GB;230 €;;Galaxy S22;128GB;150 €',
      'iPhone 12;64GB;140 €;;Galaxy S21;128GB;110 €',
      'iPhone 14;128GB;310 €;;Google Pixel 7;128GB;130 €',
    ),
    market: 'es',
    answers: { condition: 'used' },
    columns: {},
    rows: rows(
      { currency: 'EUR', side: 'quote' },
      ['iPhone 13', 230],
      ['Galaxy S22', 150],
      ['iPhone 12', 140],
      ['Galaxy S21', 110],
      ['iPhone 14', 310],
      ['Pixel 7', 130],
    ),
  },
  {
    name: 'ranges, and grades that are not stated',
    file: 'ebay_search.csv',
    text: lines(
      'Title,Price,Grade',
      'Apple iPhone 13 128GB Unlocked,$309 to $349,N/A',
      'Apple iPhone 12 64GB Unlocked,$209.00,N/A',
      'Apple iPhone 14 128GB Unlocked,$399.00,B',
      'Samsung Galaxy S22 128GB,$219.00,-',
      'Google Pixel 7 128GB,$199 to $219,A',
    ),
    answers: { side: 'ask', currency: 'USD', range: 'low' },
    columns: { Title: 'model', Price: 'amount', Grade: 'condition' },
    rows: rows(
      { currency: 'USD', side: 'ask' },
      ['iPhone 13', 309, { grade: 'Ungraded' }],
      ['iPhone 12', 209, { grade: 'Ungraded' }],
      ['iPhone 14', 399, { grade: 'Good' }],
      ['Galaxy S22', 219, { grade: 'Ungraded' }],
      ['Pixel 7', 199, { grade: 'Excellent' }],
    ),
  },
  {
    name: 'Italian: a price per size below a merged title, date of the list above',
    file: 'ritiro.csv',
    text: lines(
      'Valutazione usato - 12 novembre 2026;;;',
      ';Prezzo di acquisto (€);;',
      'Modello;64GB;128GB;256GB',
      'iPhone 12;140;160;180',
      'iPhone 13;;220;250',
      'iPhone 14;;300;330',
    ),
    market: 'it',
    answers: { condition: 'used' },
    columns: {},
    rows: rows(
      { currency: 'EUR', side: 'quote', day: '2026-11-12' },
      ['iPhone 12', 140],
      ['iPhone 12', 160],
      ['iPhone 12', 180],
      ['iPhone 13', 220],
      ['iPhone 13', 250],
      ['iPhone 14', 300],
      ['iPhone 14', 330],
    ),
  },
  {
    name: 'Lithuanian: warranty until a day, asked with VAT',
    file: 'skelbimai.csv',
    text: lines(
      'Prekė,Būklė,"Kaina, €",Garantija iki,Miestas',
      'iPhone 13 128GB,gera,329,2027-02-01,Vilnius',
      'iPhone 12 64GB,labai gera,239,2026-12-15,Kaunas',
      'Samsung Galaxy S21 128GB,gera,189,2025-08-30,Klaipėda',
      'Google Pixel 7 128GB,gera,229,2026-05-11,Vilnius',
    ),
    market: 'lt',
    answers: { side: 'ask' },
    columns: { Prekė: 'model', Būklė: 'condition', 'Kaina, €': 'amount', 'Garantija iki': null, Miestas: null },
    rows: rows(
      { currency: 'EUR', side: 'ask' },
      ['iPhone 13', 329],
      ['iPhone 12', 239],
      ['Galaxy S21', 189],
      ['Pixel 7', 229],
    ),
  },
  {
    name: 'Korean: amounts in units of ten thousand without a word',
    file: '중고폰.csv',
    text: lines(
      '모델명,용량,등급,매입가',
      '아이폰 13,128GB,A급,33',
      '아이폰 12,64GB,B급,17',
      '갤럭시 S23,256GB,A급,34',
      '아이폰 14,128GB,A급,43',
    ),
    market: 'kr',
    answers: { unit: '10000', currency: 'KRW' },
    columns: { 모델명: 'model', 용량: 'storage', 등급: 'condition', 매입가: 'amount' },
    rows: rows(
      { currency: 'KRW', side: 'quote' },
      ['iPhone 13', 330_000],
      ['iPhone 12', 170_000],
      ['Galaxy S23', 340_000],
      ['iPhone 14', 430_000],
    ),
  },
  {
    name: 'cents that no title names',
    file: 'export_prices.csv',
    text: lines(
      'sku_name,grade,buyback_price,iso',
      'iPhone 13 128GB,B,21000,USD',
      'iPhone 12 64GB,B,12500,USD',
      'iPhone 14 128GB,A,29500,USD',
      'Pixel 7 128GB,B,12000,USD',
      'Galaxy S22 128GB,B,14000,USD',
    ),
    answers: { unit: '0.01' },
    columns: { sku_name: 'model', grade: 'condition', buyback_price: 'amount', iso: 'currency' },
    rows: rows(
      { currency: 'USD', side: 'quote' },
      ['iPhone 13', 210],
      ['iPhone 12', 125],
      ['iPhone 14', 295],
      ['Pixel 7', 120],
      ['Galaxy S22', 140],
    ),
  },
  {
    name: 'Turkish: no sign, two prices and a discount',
    file: 'fiyat listesi.csv',
    text: lines(
      'Ürün;Durumu;Eski Fiyat;Fiyat;İndirim',
      'iPhone 13 128 GB;Çok iyi;21.999;18.999;%14',
      'iPhone 12 64 GB;İyi;14.999;12.999;%13',
      'Samsung Galaxy S23 256 GB;İyi;21.499;18.499;%14',
      'iPhone 14 128 GB;İyi;26.999;23.499;%13',
    ),
    market: 'tr',
    answers: { side: 'ask', currency: 'TRY' },
    columns: { Ürün: 'model', Durumu: 'condition', 'Eski Fiyat': null, Fiyat: 'amount', İndirim: null },
    rows: rows(
      { currency: 'TRY', side: 'ask' },
      ['iPhone 13', 18999],
      ['iPhone 12', 12999],
      ['Galaxy S23', 18499],
      ['iPhone 14', 23499],
    ),
  },
  {
    name: 'Czech: prices without and with VAT, number of pieces',
    file: 'cenik.csv',
    text: lines(
      'Název;Třída;Ks;Cena bez DPH;Cena s DPH;Celkem s DPH',
      'iPhone 13 128GB;A;5;6 611,57 Kč;7 999 Kč;39 995 Kč',
      'iPhone 12 64GB;B;12;3 966,12 Kč;4 799 Kč;57 588 Kč',
      'Galaxy S21 128GB;B;3;3 305,79 Kč;3 999 Kč;11 997 Kč',
      'iPhone 14 128GB;A;2;8 677,69 Kč;10 500 Kč;21 000 Kč',
    ),
    market: 'cz',
    answers: { side: 'ask' },
    columns: { Název: 'model', Třída: 'condition', Ks: null, 'Celkem s DPH': null },
    rows: rows(
      { currency: 'CZK', side: 'ask' },
      ['iPhone 13', 7999],
      ['iPhone 12', 4799],
      ['Galaxy S21', 3999],
      ['iPhone 14', 10500],
    ),
  },
  {
    name: 'French: what the shop pays and what it sells for',
    file: 'stock novembre.csv',
    text: lines(
      'Désignation;Grade;Date d’entrée;Prix achat;Prix vente TTC',
      'iPhone 13 128 Go;A;03/11/2026;230 €;349 €',
      'iPhone 12 64 Go;B;04/11/2026;130 €;229 €',
      'Galaxy S22 128 Go;B;07/10/2026;140 €;239 €',
      'iPhone 14 128 Go;A;12/11/2026;300 €;429 €',
    ),
    market: 'fr',
    answers: { side: 'sold' },
    columns: { Désignation: 'model', Grade: 'condition', 'Prix vente TTC': 'amount' },
    rows: rows(
      { currency: 'EUR', side: 'sold', day: undefined },
      ['iPhone 13', 349],
      ['iPhone 12', 229],
      ['Galaxy S22', 239],
      ['iPhone 14', 429],
    ),
  },
  {
    name: 'Brazilian: cash price and instalments',
    file: 'anuncios.csv',
    text: lines(
      'Anúncio;Estado do aparelho;À vista;Parcela (10x);Visitas',
      'iPhone 13 128GB;Usado - Bom;R$ 2.199,00;R$ 241,90;120',
      'iPhone 12 64GB;Usado - Bom;R$ 1.499,00;R$ 164,90;88',
      'Galaxy S22 128GB;Usado - Excelente;R$ 1.399,00;R$ 153,90;61',
      'iPhone 14 128GB;Usado - Bom;R$ 2.799,00;R$ 307,90;304',
    ),
    answers: { side: 'ask', condition: 'used', market: 'br' },
    columns: {
      Anúncio: 'model',
      'Estado do aparelho': 'condition',
      'À vista': 'amount',
      'Parcela (10x)': null,
      Visitas: null,
    },
    rows: rows(
      { currency: 'BRL', side: 'ask' },
      ['iPhone 13', 2199],
      ['iPhone 12', 1499],
      ['Galaxy S22', 1399],
      ['iPhone 14', 2799],
    ),
  },
  {
    name: 'grades at the end of titles, price per piece and of the lot',
    file: 'wholesale_lots.csv',
    text: lines(
      'Lot description,Units,Price each,Lot total',
      'iPhone 13 128GB (B),10,$235,"$2,350"',
      'iPhone 12 64GB (A/B),20,$150,"$3,000"',
      'iPhone 14 128GB Grade A,5,$320,"$1,600"',
      'Galaxy S22 128GB (C),8,$120,$960',
    ),
    answers: { side: 'ask', currency: 'USD' },
    columns: { 'Lot description': 'model', Units: null, 'Price each': 'amount', 'Lot total': null },
    rows: rows(
      { currency: 'USD' },
      ['iPhone 13', 235, { grade: 'Good' }],
      ['iPhone 12', 150],
      ['iPhone 14', 320, { grade: 'Excellent' }],
      ['Galaxy S22', 120, { grade: 'Fair' }],
    ),
  },
  {
    name: 'Swedish: kronor by the language, day that the ad was put up',
    file: 'annonser.csv',
    text: lines(
      'Rubrik;Skick;Pris;Upplagd;Säljare sedan',
      'iPhone 13 128GB;Bra skick;3499;2026-11-02;2014-05-06',
      'iPhone 12 64GB;Bra skick;2299;2026-11-09;2020-01-20',
      'Samsung Galaxy S21 128GB;Mycket bra skick;1999;2026-10-30;2009-12-01',
      'Google Pixel 7 128GB;Bra skick;2199;2026-11-11;2017-03-15',
    ),
    market: 'se',
    answers: { side: 'ask', currency: 'SEK' },
    columns: { Rubrik: 'model', Skick: 'condition', Pris: 'amount', 'Säljare sedan': null },
    rows: rows(
      { currency: 'SEK', side: 'ask', day: undefined },
      ['iPhone 13', 3499],
      ['iPhone 12', 2299],
      ['Galaxy S21', 1999],
      ['Pixel 7', 2199],
    ),
  },
  {
    name: 'Hungarian: thousands, said above the table',
    file: 'arlista.csv',
    text: lines(
      'Használt telefonok felvásárlása;;',
      'Az árak ezer Ft-ban értendők;;',
      'Készülék;Állapot;Vételár',
      'iPhone 13 128GB;jó;85',
      'iPhone 12 64GB;jó;48',
      'Galaxy S23 256GB;jó;90',
      'iPhone 14 128GB;kiváló;110',
    ),
    market: 'hu',
    answers: { side: 'quote', unit: '1000', currency: 'HUF' },
    columns: { Készülék: 'model', Állapot: 'condition', Vételár: 'amount' },
    rows: rows(
      { currency: 'HUF', side: 'quote' },
      ['iPhone 13', 85_000],
      ['iPhone 12', 48_000],
      ['Galaxy S23', 90_000],
      ['iPhone 14', 110_000],
    ),
  },
  {
    name: 'Japanese: buying prices in yen, updated day per row',
    file: 'kaitori.csv',
    text: lines(
      '機種名,容量,状態,買取価格,更新日,発売日',
      'iPhone 13,128GB,美品,45000,2026/11/15,2021/09/24',
      'iPhone 12,64GB,良品,24000,2026/11/15,2020/10/23',
      'iPhone 14,128GB,美品,58000,2026/11/16,2022/09/16',
      'Google Pixel 7,128GB,良品,20000,2026/11/16,2022/10/13',
    ),
    market: 'jp',
    answers: { side: 'quote', currency: 'JPY' },
    columns: { 機種名: 'model', 容量: 'storage', 状態: 'condition', 買取価格: 'amount', 更新日: 'date', 発売日: null },
    rows: rows(
      { currency: 'JPY', side: 'quote', day: '2026-11-15' },
      ['iPhone 13', 45_000],
      ['iPhone 12', 24_000],
      ['iPhone 14', 58_000, { day: '2026-11-16' }],
      ['Pixel 7', 20_000, { day: '2026-11-16' }],
    ),
  },
  {
    name: 'an old crawl with the day in a column of another name',
    file: 'dump.csv',
    text: lines(
      'product,cond,amount,cur,harvested',
      'Apple iPhone 8 64GB,good,149,EUR,2022-03-11',
      'Apple iPhone XR 64GB,good,229,EUR,2022-03-11',
      'Samsung Galaxy S10 128GB,good,199,EUR,2022-03-12',
      'Apple iPhone 11 64GB,very good,339,EUR,2022-03-12',
    ),
    market: 'de',
    answers: { side: 'ask' },
    columns: { product: 'model', cond: 'condition', amount: 'amount', cur: 'currency', harvested: 'date' },
    rows: rows(
      { currency: 'EUR', side: 'ask', day: '2022-03-11' },
      ['iPhone 8', 149],
      ['iPhone XR', 229],
      ['Galaxy S10', 199, { day: '2022-03-12' }],
      ['iPhone 11', 339, { day: '2022-03-12' }],
    ),
  },
  {
    name: 'dollars by their sign alone, of a Canadian shop in its column of countries',
    file: 'north.csv',
    text: lines(
      'Handset,Storage,Shape,Our offer,Country',
      'iPhone 13,128 GB,Good,$260,Canada',
      'iPhone 12,64 GB,Good,$160,Canada',
      'iPhone 14,128 GB,Fair,$300,Canada',
      'Pixel 7,128 GB,Good,$150,Canada',
    ),
    answers: { side: 'quote' },
    columns: { Handset: 'model', Storage: 'storage', Shape: 'condition', 'Our offer': 'amount', Country: 'country' },
    rows: rows(
      { currency: 'CAD', side: 'quote' },
      ['iPhone 13', 260],
      ['iPhone 12', 160],
      ['iPhone 14', 300],
      ['Pixel 7', 150],
    ),
  },
]

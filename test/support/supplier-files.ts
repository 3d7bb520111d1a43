/** Lists as suppliers send them, each with other habits. Every line in `rows` is a device and must not be lost. */
import { luhnDigit } from '../../src/identifier/check-digit.ts'

type Cell = string | number | Date | null

export type SupplierFile = {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Devices in the file. */
  readonly rows: number
  /** Rows with something that only a person can decide. */
  readonly questions: number
}

const MODELS = [
  'iPhone 12 64GB',
  'iPhone 13 128GB',
  'iPhone 14 Pro 256GB',
  'Galaxy S21 128GB',
  'Galaxy S23 256GB',
  'Pixel 7 128GB',
]
const model = (at: number) => MODELS[at % MODELS.length] as string
const imei = (at: number) => {
  const digits = `35693803${String(100_000 + at)}`
  return `${digits}${luhnDigit(digits)}`
}
const times = <T>(count: number, of: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => of(at))

async function workbook(
  ...sheets: readonly {
    name: string
    rows: Cell[][]
    merges?: readonly (readonly [number, number, number, number])[]
  }[]
): Promise<Uint8Array<ArrayBuffer>> {
  const { writeXlsx } = await import('hucre/xlsx')
  return new Uint8Array(
    await writeXlsx({
      sheets: sheets.map(({ name, rows, merges = [] }) => ({
        name,
        rows,
        merges: merges.map(([startRow, startCol, endRow, endCol]) => ({ startRow, startCol, endRow, endCol })),
      })),
    }),
  )
}

const WINDOWS_1252: Readonly<Record<string, number>> = { '€': 0x80, '–': 0x96 }
const windows1252 = (text: string) => Uint8Array.from(text, (letter) => WINDOWS_1252[letter] ?? letter.charCodeAt(0))
const utf16 = (text: string) =>
  new Uint8Array(Uint16Array.from(`\uFEFF${text}`, (letter) => letter.charCodeAt(0)).buffer)

export async function supplierSheets(): Promise<readonly SupplierFile[]> {
  const germanRows = times(20, (at): Cell[] => [
    at + 1,
    model(at),
    imei(at),
    ['A', 'B', 'gut', 'Kratzer', 'defekt'][at % 5] as string,
    ['', 'ohne Zubehör', 'Display gesprungen', '', ''][at % 5] as string,
    1 + (at % 3),
    `${100 + at},50 €`,
  ])
  const mergedModels = times(6, (at): Cell[][] => [
    [model(at), 'A', 3, 200 + at],
    [null, 'B', 5, 180 + at],
    [null, 'C', 2, 150 + at],
  ]).flat()
  return [
    {
      name: 'German, titles, header on line 3, merged title, sum',
      bytes: await workbook({
        name: 'Liste',
        rows: [
          ['Restposten KW 46'],
          ['Stand: 16.11.2026'],
          ['Pos', 'Bezeichnung', 'IMEI', 'Zustand', 'Bemerkung', 'Menge', 'EK netto'],
          ...germanRows,
          ['Summe', null, null, null, null, 39, '2.390,00 €'],
        ],
        merges: [[0, 0, 0, 6]],
      }),
      rows: 20,
      // "defekt" names no fault.
      questions: 4,
    },
    {
      name: 'model merged over the rows of its grades',
      bytes: await workbook({
        name: 'Stock',
        rows: [['Model', 'Grade', 'Qty', 'Price (EUR)'], ...mergedModels],
        merges: times(6, (at) => [1 + 3 * at, 0, 3 + 3 * at, 0] as const),
      }),
      rows: 18,
      questions: 0,
    },
    {
      name: 'two IMEIs in a cell, dates, battery as a fraction',
      bytes: await workbook({
        name: 'Geräte',
        rows: [
          ['Gerät', 'IMEI 1 / IMEI 2', 'Akku', 'Zustand', 'Eingang', 'Preis'],
          ...times(12, (at): Cell[] => [
            model(at),
            `${imei(at)} / ${imei(500 + at)}`,
            0.8 + at / 100,
            'sehr gut',
            new Date(Date.UTC(2026, 9, 1 + at)),
            120 + at,
          ]),
        ],
      }),
      rows: 12,
      questions: 0,
    },
    {
      name: 'cover sheet, list on the second, notes on the third',
      bytes: await workbook(
        { name: 'Deckblatt', rows: [['Angebot'], ['Bitte Lieferbedingungen beachten']] },
        {
          name: 'Phones',
          rows: [
            ['Hersteller', 'Modell', 'Speicher', 'Farbe', 'Grade', 'Stk.', 'VK'],
            ...times(10, (at): Cell[] => [
              'Apple',
              'iPhone 13',
              [128, 256][at % 2] as number,
              'blau',
              'B+',
              '2 Stk',
              210,
            ]),
            [null, null, null, null, null, null, null],
            ['Gesamt', null, null, null, null, '20 Stk', 2100],
          ],
        },
        { name: 'Notizen', rows: [['keine Garantie'], ['nur Händler']] },
      ),
      rows: 10,
      questions: 0,
    },
    {
      name: 'IMEI as a number in scientific notation, trailing blanks',
      bytes: new TextEncoder().encode(
        [
          'Model  ,IMEI , Grade,Price  ',
          ...times(10, (at) => `${model(at)}   , ${imei(at)}.0 , B ,  ${90 + at}  `),
          ...times(4, (at) => `${model(at)},3.56938E+14,B,95`),
          ',,,',
          '   ,  , , ',
        ].join('\r\n'),
      ),
      rows: 14,
      questions: 4,
    },
    {
      name: 'semicolons in Windows-1252',
      bytes: windows1252(
        [
          'Lager;Gerät;Größe;Zustand;Mängel;Preis (€)',
          ...times(
            12,
            (at) =>
              `L${at};${model(at)};;geprüft, gut;${['', 'Rückseite gesprungen', 'Akku schwach'][at % 3]};${80 + at},90`,
          ),
          'Alle Preise zzgl. MwSt., Zwischenverkauf vorbehalten und nur solange Vorrat reicht.',
        ].join('\n'),
      ),
      rows: 12,
      questions: 0,
    },
    {
      name: 'tabs in UTF-16',
      bytes: utf16(
        [
          'Produkt\tStan\tIlość\tCena',
          ...times(
            9,
            (at) => `${model(at)}\t${['A', 'bardzo dobry', 'uszkodzony'][at % 3]}\t${at + 1}\t${400 + at},00 zł`,
          ),
          'Razem\t\t45\t3636,00 zł',
        ].join('\r\n'),
      ),
      rows: 9,
      questions: 3,
    },
    {
      name: 'no header',
      bytes: new TextEncoder().encode(times(11, (at) => `${imei(at)},${model(at)},B`).join('\n')),
      rows: 11,
      questions: 0,
    },
  ]
}

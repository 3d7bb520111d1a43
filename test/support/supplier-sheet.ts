import { luhnDigit } from '../../src/identifier/check-digit.ts'
import { formatCsvLine } from '../../src/lib/csv-writer.ts'

type SheetCell = string | number | null

/** Models of the catalogue as a German supplier writes them, with a storage size. */
const MODELS: readonly (readonly [make: string, model: string, storage: string])[] = [
  ['Apple', 'iPhone 11', '64GB'],
  ['Apple', 'iPhone 11 Pro', '256 GB'],
  ['Apple', 'iPhone 12', '128'],
  ['Apple', 'iPhone 12 mini', '64GB'],
  ['Apple', 'iPhone 12 Pro Max', '256GB'],
  ['Apple', 'iPhone 13', '128GB'],
  ['Apple', 'iPhone 13 mini', '256 GB'],
  ['Apple', 'iPhone 13 Pro', '128 GB'],
  ['Apple', 'iPhone 14', '128'],
  ['Apple', 'iPhone 14 Plus', '256GB'],
  ['Apple', 'iPhone 14 Pro', '256GB'],
  ['Apple', 'iPhone 15', '128GB'],
  ['Apple', 'iPhone 15 Pro Max', '512GB'],
  ['Apple', 'iPhone 16', '128GB'],
  ['Apple', 'iPhone SE (2022)', '64GB'],
  ['Samsung', 'Galaxy S20 FE', '128GB'],
  ['Samsung', 'Galaxy S21', '128 GB'],
  ['Samsung', 'Galaxy S21 Ultra', '256GB'],
  ['Samsung', 'Galaxy S22', '128GB'],
  ['Samsung', 'Galaxy S22 Ultra', '256GB'],
  ['Samsung', 'Galaxy S23', '128'],
  ['Samsung', 'Galaxy S24', '256GB'],
  ['Samsung', 'Galaxy A52s 5G', '128GB'],
  ['Samsung', 'Galaxy A54', '128GB'],
  ['Samsung', 'Galaxy Z Flip5', '256GB'],
  ['Google', 'Pixel 6', '128GB'],
  ['Google', 'Pixel 7', '128GB'],
  ['Google', 'Pixel 7 Pro', '128 GB'],
  ['Google', 'Pixel 8', '128GB'],
  ['Xiaomi', 'Redmi Note 11', '128GB'],
]
/** Sold in shops, but not in the catalogue. */
const UNKNOWN_MODELS = ['Gigaset Klappe GL390', 'Bea-fon SL605']
const GRADES = [
  ...['gut', 'sehr gut', 'B', 'A', 'neuwertig', 'C', 'gebraucht', 'akzeptabel', 'defekt', 'Kratzer'],
  ...['starke Gebrauchsspuren', 'B-Ware', 'wie neu', '', 'Grade B', 'geht so'],
]
const FAULTS = [
  ...['', 'keine', '', 'Display gesprungen', '', 'Akku schwach', 'Kratzer', '', 'Rückseite gesprungen', '-'],
  ...['Face ID defekt', 'Ladebuchse defekt', 'Pixelfehler?'],
]
const NOTES = [
  '',
  'ohne Zubehör',
  '',
  'mit OVP',
  '',
  'nur Gerät',
  '',
  'Gravur auf der Rückseite',
  '',
  'Größe stimmt',
  '',
]
const LOCKS = ['frei', 'nein', '', 'kein Simlock', 'ja', 'Vodafone', 'simlockfrei']
const COLORS = ['', 'schwarz', 'blau', '', 'weiß']

export const SUPPLIER_ROWS = 403
const ROWS_PER_SECTION = 101

const HEADER = [
  ...['Pos.', 'Hersteller', 'Modell', 'Speicher', 'Farbe', 'IMEI / SN', 'Zustand', 'Mängel', 'Akku (%)', 'Simlock'],
  ...['Menge', 'VK netto (€)', 'Bemerkung'],
]

/** Devices of a model share the first eight digits. */
function imeiOf(number: number, unit = number): string {
  const model = isInCatalogue(number) ? number % MODELS.length : 900 + (number % UNKNOWN_MODELS.length)
  const digits = `86990${String(model).padStart(3, '0')}${String(unit).padStart(6, '0')}`
  return `${digits}${luhnDigit(digits)}`
}

function identifierOf(number: number): string | number {
  if (number % 9 === 4) return `${imeiOf(number)} / ${imeiOf(number, number + 5000)}`
  if (number % 23 === 7) return 'siehe Foto'
  if (number % 7 === 3) return ''
  return number % 2 === 0 ? imeiOf(number) : Number(imeiOf(number))
}

/** Whether the row names a device of the catalogue. */
export const isInCatalogue = (number: number) => number % 50 !== 49

function rowOf(number: number): SheetCell[] {
  const pick = <T>(list: readonly T[]) => list[number % list.length] as T
  const [make, model, storage] = pick(MODELS)
  const device = isInCatalogue(number) ? [make, model, storage] : ['', pick(UNKNOWN_MODELS), '']
  const battery = number % 5 === 0 ? null : 70 + (number % 31)
  return [
    ...[number, ...device, pick(COLORS), identifierOf(number), pick(GRADES), pick(FAULTS), battery, pick(LOCKS)],
    ...[1 + (number % 3), 99.9 + number, pick(NOTES)],
  ]
}

/** The lines of the sheet: title, date, header on line 3, section titles, the rows, the sum and the terms. */
function supplierSheet(rows: number): SheetCell[][] {
  const lines: SheetCell[][] = [['Restpostenliste KW 24 – Muster Handel GmbH'], ['Stand: 12.06.2026'], HEADER]
  for (let number = 1; number <= rows; number++) {
    if (number % ROWS_PER_SECTION === 1) lines.push([`Palette ${Math.ceil(number / ROWS_PER_SECTION)}`])
    lines.push(rowOf(number))
  }
  lines.push(['Gesamtsumme', ...Array(9).fill(null), 806, 121_706.7])
  lines.push(['Alle Preise netto, Verkauf nur an Händler, Zwischenverkauf vorbehalten.'])
  return lines
}

export async function supplierXlsx(rows = SUPPLIER_ROWS): Promise<Uint8Array<ArrayBuffer>> {
  const { writeXlsx } = await import('hucre/xlsx')
  const merges = [{ startRow: 0, startCol: 0, endRow: 0, endCol: HEADER.length - 1 }]
  const bytes = await writeXlsx({
    sheets: [
      { name: 'Hinweise', rows: [['Bitte beachten Sie unsere Lieferbedingungen.']] },
      { name: 'Liste', rows: supplierSheet(rows), merges },
    ],
  })
  return new Uint8Array(bytes)
}

/** As a German spreadsheet saves it: semicolons, decimal commas, windows-1252. */
export function supplierCsv(): Uint8Array {
  const text = supplierSheet(SUPPLIER_ROWS)
    .map((cells) =>
      formatCsvLine(
        cells.map((cell) => cell ?? ''),
        { delimiter: ';', decimal: ',' },
      ),
    )
    .join('')
  const WINDOWS_1252: Readonly<Record<string, number>> = { '€': 0x80, '–': 0x96 }
  return Uint8Array.from(text, (letter) => WINDOWS_1252[letter] ?? letter.charCodeAt(0))
}

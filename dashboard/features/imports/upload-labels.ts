import type { UploadFormat } from '../../../src/contract/uploads.ts'

/** The kinds of list, as people call them. */
export const LIST_KIND_LABELS: Readonly<Record<string, string>> = {
  observations: 'Market prices',
  lists: 'Identifier list',
  rates: 'Exchange rates',
  catalogue: 'Catalogue',
  tac: 'TAC facts',
  repairs: 'Repair facts',
  'open-repair': 'Repair records',
}

/** The commonest first, each with what its file looks like. */
export const UPLOAD_FORMAT_CHOICES: readonly { readonly format: UploadFormat; readonly looks: string }[] = [
  { format: 'observations', looks: 'Prices that were asked, paid or offered: CSV, JSON or a JSON object per line.' },
  { format: 'lists', looks: 'Stolen, barred or registered identifiers: CSV with a column imei or tac.' },
  { format: 'rates', looks: 'CSV with currency, day and usd: what one unit was worth in US dollars.' },
  { format: 'catalogue', looks: 'Devices: our own CSV or JSON, the Google Play list, AppleDB or LineageOS data.' },
  { format: 'tac', looks: 'TACs: our own CSV, Osmocom, Samsung or a GSMA dump.' },
  { format: 'repairs', looks: 'Our own repair facts, or categories and guides of the repair wiki: JSON.' },
  { format: 'open-repair', looks: 'Records of repairs in Open Repair Data’s CSV form.' },
]

/** What a column of a price list can be. */
export const PRICE_FIELD_LABELS: Readonly<Record<string, string>> = {
  model: 'Title or model',
  amount: 'Price',
  condition: 'Condition',
  date: 'Date',
  currency: 'Currency',
  make: 'Make',
  storage: 'Storage',
  ram: 'Memory (RAM)',
  color: 'Color',
  lock: 'Carrier or lock',
  side: 'Asked, sold or quoted',
  state: 'State of the listing',
  listing: 'Id of the listing',
  listedOn: 'Listed on',
  source: 'Market or shop',
  cents: 'Price in cents',
  variant: 'Variant id',
  sku: 'SKU',
  partNumber: 'Part number',
}

export const GRADE_LABELS = ['Excellent', 'Good', 'Fair', 'Poor', 'New', 'used'] as const

export const gradeLabel = (grade: string) => (grade === 'used' ? 'Used, no grade' : grade)

/** What can be done about a reason, where something can. */
export const REASON_HINTS: Readonly<Record<string, string>> = {
  'side is not ask, sold or quote': 'Say below what kind of prices these are.',
  'currency is missing': 'Choose the currency below.',
  'no exchange rate for that currency and day': 'Import exchange rates for it first.',
  'date is missing': 'Say below which day the prices are of.',
  'ambiguous date; set the order of day and month': 'Choose the order of day and month below.',
  'condition is missing': 'Choose one condition for all rows below.',
  'unknown condition': 'Choose a grade for each word below.',
  'amount is a range': 'Ranges can be taken by their low end, below.',
  'the model has no such storage': 'Sizes that are missing can be added, below.',
  'source is missing or too long': 'Name the market below.',
}

const UNITS = ['bytes', 'kB', 'MB', 'GB']

export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024
    unit++
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`
}

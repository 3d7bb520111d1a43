import type { UploadFormat } from '../../../src/contract/uploads.ts'

export const LIST_KIND_LABELS: Readonly<Record<string, string>> = {
  observations: 'Market prices',
  lists: 'Identifier list',
  rates: 'Exchange rates',
  catalogue: 'Catalogue',
  tac: 'TAC data',
  repairs: 'Repair data',
  'open-repair': 'Repair records',
}

/** Most common first, each with its file format. */
export const UPLOAD_FORMAT_CHOICES: readonly { readonly format: UploadFormat; readonly looks: string }[] = [
  { format: 'observations', looks: 'Asking prices, sold prices or dealer offers: CSV, JSON or JSON Lines.' },
  { format: 'lists', looks: 'Stolen, barred or registered identifiers: CSV with an imei or tac column.' },
  { format: 'rates', looks: 'CSV with columns currency, day and usd (value of one unit in US dollars).' },
  {
    format: 'catalogue',
    looks: 'Devices: CSV or JSON in the native format, the Google Play device list, AppleDB or LineageOS data.',
  },
  { format: 'tac', looks: 'TACs: native CSV, Osmocom, Samsung or a GSMA export.' },
  { format: 'repairs', looks: 'JSON: native format, or categories and guides from the repair wiki.' },
  { format: 'open-repair', looks: 'Repair records in the Open Repair Data CSV format.' },
]

/** Fields of a price list. */
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
  side: 'Price type (ask, sold, quote)',
  state: 'Listing status',
  listing: 'Listing id',
  listedOn: 'Listed on',
  description: 'Description',
  battery: 'Battery health',
  source: 'Shop or site',
  country: 'Country',
  cents: 'Price in cents',
  variant: 'Variant id',
  sku: 'SKU',
  partNumber: 'Part number',
}

export const GRADE_LABELS = ['Excellent', 'Good', 'Fair', 'Poor', 'New', 'used', 'damaged', 'broken', 'dead'] as const

const GRADE_NAMES: Readonly<Record<string, string>> = {
  used: 'Used (no grade)',
  damaged: 'Damaged, works',
  broken: 'Broken or for parts',
  dead: 'Does not power on',
}

export const gradeLabel = (grade: string) => GRADE_NAMES[grade] ?? grade

/** How to fix rejected rows, by reason. */
export const REASON_HINTS: Readonly<Record<string, string>> = {
  'side is not ask, sold or quote': 'Choose the price type below.',
  'currency is missing': 'Choose the currency below.',
  'date is missing': 'Set the price date below.',
  'ambiguous date; set the order of day and month': 'Choose the day and month order below.',
  'condition is missing': 'Choose one condition for all rows below.',
  'unknown condition': 'Map each term to a grade below.',
  'amount is a range': 'You can use the low end of ranges; see below.',
  'the model has no such storage': 'You can add missing sizes; see below.',
  'source is missing or too long': 'Enter the shop or site below.',
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

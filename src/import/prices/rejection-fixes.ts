/** What an operator can do about rejected rows, by the reason of the report. Imports nothing, because pages use it. */
const REASONS_BY_FIX = {
  side: ['side is not ask, sold or quote'],
  currency: ['currency is missing', 'currency of the amount differs from the row'],
  country: ['unknown country'],
  date: [
    'date is missing',
    'date is not valid',
    'date is in the future',
    'date is before 2007',
    'listed_on is not a date',
  ],
  dateOrder: ['ambiguous date; set the order of day and month'],
  condition: ['condition is missing'],
  term: ['unknown condition'],
  range: ['amount is a range'],
  amount: ['amount is missing', 'amount is not a number', 'amount is not above zero'],
  unit: ['amount out of range', 'amount is not plausible; check unit and currency'],
  move: ['the amount would move your own price by more than a third; confirm it'],
  rate: [
    'no exchange rate for the currency; add one with "import rates"',
    'no exchange rate on or before the day; add older ones with "import rates"',
  ],
  storage: ['the model has no such storage'],
  storageColumn: ['storage size missing', 'storage is not a size'],
  source: ['source is missing or too long'],
  model: [
    'unknown model',
    'unknown make',
    'unknown variant',
    'unknown SKU',
    'unknown part number',
    'the title fits several models',
    'the title does not identify a model',
    'the title names another make than the make column',
  ],
  device: ['the row names no variant, SKU, part number or model'],
  state: ['unknown state'],
  nothing: [
    'a wanted ad, not an offer',
    'locked to an account or blacklisted',
    'an accessory, not a device',
    'a part, not a device',
    'an empty box, not a device',
    'several items at one price',
    'several storage sizes at one price',
    'several models in one title',
    'sold for parts or untested',
    'a service, not a device',
    'a replica',
  ],
} as const satisfies Record<string, readonly string[]>

export type RejectionFix = keyof typeof REASONS_BY_FIX

const FIX_BY_REASON: ReadonlyMap<string, RejectionFix> = new Map(
  Object.entries(REASONS_BY_FIX).flatMap(([fix, reasons]) =>
    reasons.map((reason) => [reason, fix as RejectionFix] as const),
  ),
)

/** Undefined for reasons of other formats. */
export const findRejectionFix = (reason: string): RejectionFix | undefined => FIX_BY_REASON.get(reason)

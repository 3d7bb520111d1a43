/** Numbers on a device, its box or its parcel that are mistaken for a serial number, each with advice. */

type NumberKind = { readonly pattern: RegExp; readonly message: string; readonly isValid?: (text: string) => boolean }

const SETTINGS = 'The serial number is in the settings under "About"; on a phone, *#06# shows the IMEI.'

/** Texts are upper case, with the separators they were sent with. */
const KINDS: readonly NumberKind[] = [
  {
    // Without "/A" only the American ending LL is certain: other endings occur in service tags of Dell.
    pattern: /^[MNPF3][A-Z0-9]{3,4}[A-Z]{1,2}\/[A-Z]$|^[MNPF][A-Z0-9]{4}LL$/,
    message: `An Apple part number names model, colour and region, not one device. ${SETTINGS}`,
  },
  {
    pattern:
      /^(?:SM-[A-Z]\d{3}[A-Z0-9]{0,3}(?:\/DSN?)?|A[123]\d{3}|XT\d{4}(?:-\d{1,2})?|CPH\d{4}|RMX\d{4}|(?:CFI|CUH)-?\d{4}[A-Z]?|(?:HAC|HEG|HDH|BEE)-\d{3}(?:\(-\d{2}\))?|(?:IPHONE|IPAD|IPOD|WATCH|MACBOOKPRO|MACBOOKAIR|MACBOOK|IMAC|MAC)\d{1,2},\d{1,2}|M\d{4}[A-Z]\d{1,2}[A-Z]{1,3}|2\d(?:0[1-9]|1[0-2])\d{3,5}[A-Z]{1,3})$/,
    message: `A model code is the same on every device of that model. ${SETTINGS}`,
  },
  {
    pattern: /^(?:[0-9A-F]{2}[:-]){5}[0-9A-F]{2}$|^(?:[0-9A-F]{4}\.){2}[0-9A-F]{4}$|^00[0-9A-F]{10}$/,
    isValid: (text) => /[A-F]/.test(text) || /\D/.test(text),
    message: `A MAC address names a network adapter, and phones change it. ${SETTINGS}`,
  },
  {
    pattern: /^(?:1Z[0-9A-Z]{16}|[A-Z]{2}\d{9}[A-Z]{2}|TBA\d{12}|JJD\d{14,17}|9[2-5]\d{18,20})$/,
    message: `A tracking number names a parcel, not a device. ${SETTINGS}`,
    isValid: (text) => !/^[A-Z]{2}\d{9}[A-Z]{2}$/.test(text) || hasPostalCheckDigit(text),
  },
  {
    pattern: /^(?:\d{1,2}([./-])\d{1,2}\1(?:19|20)\d{2}|(?:19|20)\d{2}([./-])\d{1,2}\2\d{1,2})$/,
    message: `A date names no device. ${SETTINGS}`,
  },
  { pattern: /^\+\d[\d ]{7,18}$/, message: `A phone number belongs to the SIM card. ${SETTINGS}` },
]

/** Completes the sentence "expected …". */
export const PRODUCT_BAR_CODE =
  'the IMEI or serial number of one device; this is a product barcode (EAN or UPC), the same on every box: scan the IMEI'

/** Numbers of these lengths that begin like an IMEI are rather truncated IMEIs. */
export const isProductBarCode = (text: string): boolean =>
  /^(?!35|86|99|01[0-8]|(\d)\1+$)\d{12,13}$/.test(text) && hasBarCodeCheckDigit(text)

/** Describes the kind of number and what to do; null if it may be a serial number. */
export function describeOtherNumber(text: string): string | null {
  for (const { pattern, message, isValid } of KINDS) if (pattern.test(text) && (isValid?.(text) ?? true)) return message
  return null
}

/** Check digit of EAN-13 and UPC-A: weights 1 and 3 in turn, from the right. */
function hasBarCodeCheckDigit(text: string): boolean {
  const sum = [...text].reduceRight((total, digit, at) => total + Number(digit) * ((text.length - at) % 2 ? 1 : 3), 0)
  return sum % 10 === 0
}

const POSTAL_WEIGHTS = [8, 6, 4, 2, 3, 5, 9, 7]

/** Check digit of the Universal Postal Union's form S10: two letters, nine digits, two letters of the country. */
function hasPostalCheckDigit(text: string): boolean {
  const sum = POSTAL_WEIGHTS.reduce((total, weight, at) => total + weight * Number(text[at + 2]), 0)
  const digit = 11 - (sum % 11)
  return Number(text[10]) === (digit === 10 ? 0 : digit === 11 ? 5 : digit)
}

import { luhnDigit } from '../../src/identifier/check-digit.ts'

const IMEI_BODY = 14

const isImei = (digits: string) => luhnDigit(digits.slice(0, IMEI_BODY)) === digits.charAt(IMEI_BODY)

/** IMEIs with a valid check digit in a code: the whole code, or named in the text of a QR code. */
function imeisIn(code: string): string[] {
  return (code.match(/(?<!\d)\d{15}(?!\d)/g) ?? []).filter(isImei)
}

export type ScannedCodes = {
  /** The one valid IMEI of the picture: used without asking. */
  readonly imei: string | null
  /** What to choose from if no single IMEI was found; IMEIs of a dual-SIM device alone, otherwise every code. */
  readonly choices: readonly string[]
}

/** A box label has several barcodes: serial number, product code, one or two IMEIs. */
export function chooseCode(codes: readonly string[]): ScannedCodes {
  const texts = [...new Set(codes.map((code) => code.trim()))].filter(Boolean)
  const imeis = [...new Set(texts.flatMap(imeisIn))]
  const [imei = null] = imeis.length === 1 ? imeis : []
  return { imei, choices: imeis.length > 1 ? imeis : texts }
}

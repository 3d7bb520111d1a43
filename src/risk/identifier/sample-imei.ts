import { type Identifier, isCheckDigitValid } from './identifier.ts'

/** Examples that standards, encyclopaedias and manuals print, and that people copy into forms. */
const SAMPLES: ReadonlySet<string> = new Set(['49015420323751', '35824005111111', '12345678901234', '35209900176148'])

export function isSampleImei(identifier: Identifier): boolean {
  return identifier.type === 'imei' && SAMPLES.has(identifier.key) && isCheckDigitValid(identifier)
}

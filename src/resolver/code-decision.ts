/** What a model number, identifier or part number in the title decides. */
import { agreement } from './agreement.ts'
import type { Fit } from './answer.ts'
import type { Claims } from './claims.ts'
import type { Coded } from './codes.ts'
import { keyOf } from './device-name.ts'
import type { Known } from './known.ts'
import type { Looked } from './lookup.ts'
import type { Reading } from './reading.ts'
import type { Refusal } from './refusal.ts'
import { piecesOf } from './title-lexicon.ts'

const NAME_AND_CODE = 99
const CODE_ALONE = 95

export type ByCode = { readonly refusal: Refusal | null; readonly fits: readonly Fit[]; readonly sureness: number }

/** The code decides, also where it says more than the name ("iPhone 8 A1864" is an 8 Plus), unless they contradict. */
export function decideByCode(byCode: readonly Coded[], looked: Looked, claims: Claims, reading: Reading): ByCode {
  const devices = new Set(byCode.map((one) => one.known))
  const both = looked.fits.filter((fit) => devices.has(fit.known))
  if (both.length > 0) {
    return { refusal: null, fits: both.map((fit) => ({ ...fit, isUnsaid: false })), sureness: NAME_AND_CODE }
  }
  const fits: Fit[] = []
  for (const known of devices) {
    const agreed = agreement(reading, known.facts)
    if (agreed) fits.push({ known, isWhole: true, isUnsaid: false, isChipExact: agreed.isChipExact, isByNumber: false })
  }
  if (fits.length > 0 && isBorneOut([...devices], looked, claims)) {
    return { refusal: null, fits, sureness: CODE_ALONE }
  }
  return { refusal: 'contradiction', fits: [...looked.fits, ...fits], sureness: 0 }
}

/** What is said of the name, if anything, is part of the name the code stands for. */
function isBorneOut(devices: readonly Known[], looked: Looked, claims: Claims): boolean {
  const said = keyOf(claims.list.filter((claim) => !claim.isSoft))
  if (said === '') return true
  const numbers = claims.list.filter((claim) => claim.isNumber).map((claim) => claim.text)
  const names = devices.map(({ device }) => piecesOf(device.name).join(''))
  const isPart = names.some((name) => name.includes(said) || numbers.every((number) => name.includes(number)))
  return isPart && (looked.fits.length === 0 || names.some((name) => name.startsWith(looked.key)))
}

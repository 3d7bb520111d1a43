import { type DepreciationFamily, familyOf, isPhone } from './device-family.ts'
import type { DeviceInput } from './observation.ts'

/**
 * Prior of the dealer margin: a share of the resale price, and the cost of handling one device. Set so that a US trade-in
 * shop pays 0.9 of it at the median; wholesale lists pay less (`npm run lab -- appraisals`).
 */
const PHONE_MARGIN_SHARE = 0.17
const HANDLING_CENTS = 1_500
/** Dealers pay at least this share for a working device. */
const MIN_PAID_SHARE = 0.3

/**
 * Expert estimates: shops pay about half of what they ask for consoles, which they test, clean and keep in stock, and about two
 * thirds for other devices that sell more slowly than phones. There are no quotes to fit them on.
 */
const MARGIN_SHARES: Readonly<Partial<Record<DepreciationFamily, number>>> = {
  console: 0.45,
  'handheld-pc': 0.45,
  ipad: PHONE_MARGIN_SHARE,
  macbook: PHONE_MARGIN_SHARE,
  'apple-watch': 0.25,
}
const OTHER_MARGIN_SHARE = 0.3

/** Share of the resale price of a device that a dealer keeps. */
export function marginShareOf(device: DeviceInput): number {
  const family = familyOf(device)
  return isPhone(family) ? PHONE_MARGIN_SHARE : (MARGIN_SHARES[family] ?? OTHER_MARGIN_SHARE)
}

/** Buyback price (ln) for a resale price (ln). */
export function buybackFromResale(ln: number, marginShare = PHONE_MARGIN_SHARE): number {
  return ln + Math.log(Math.max(MIN_PAID_SHARE, 1 - marginShare - HANDLING_CENTS / Math.exp(ln)))
}

/** Resale price (ln) for a buyback price (ln). */
export function resaleFromBuyback(ln: number, marginShare = PHONE_MARGIN_SHARE): number {
  const paid = Math.exp(ln)
  return Math.log(Math.min(paid / MIN_PAID_SHARE, (paid + HANDLING_CENTS) / (1 - marginShare)))
}

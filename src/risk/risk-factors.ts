/**
 * Every way a device can worry us, worst first. To weigh a new one, add a line; `docs/risk.md` prints this table.
 * `points` are what the factor adds; the sum, capped at 100, is the score.
 */
export const FACTORS = [
  { code: 'reported_lost_stolen', points: 90, message: 'It was reported lost or stolen.' },
  { code: 'fraud', points: 85, message: 'It is listed for fraud.' },
  { code: 'lost_mode', points: 80, message: 'Its owner has set it to lost mode.' },
  { code: 'duplicate', points: 75, message: 'Its identifier is listed as duplicated or cloned.' },
  { code: 'blacklisted', points: 70, message: 'It is on a blacklist; the source gives no closer reason.' },
  { code: 'impossible_identifier', points: 60, message: 'No body ever allocated this identifier.' },
  {
    code: 'sample_identifier',
    points: 60,
    message: 'It is an example that standards and manuals print; no device carries it.',
  },
  { code: 'test_identifier', points: 60, message: 'The identifier is from a range set aside for test equipment.' },
  { code: 'barred_tac', points: 60, message: 'Every device with this type allocation code is barred.' },
  { code: 'non_payment', points: 50, message: 'It is listed because instalments or bills are unpaid.' },
  { code: 'check_digit_mismatch', points: 45, message: 'The check digit does not fit the identifier.' },
  { code: 'not_an_imei', points: 45, message: 'It nearly is an IMEI, and is none.' },
  {
    code: 'looks_like_imsi',
    points: 45,
    message: 'It is probably the number of a SIM card (IMSI), which names no device.',
  },
  { code: 'activation_lock', points: 45, message: "It is locked to its owner's account." },
  { code: 'report_pending', points: 40, message: 'A report about it is pending.' },
  {
    code: 'model_mismatch',
    points: 40,
    message: 'A source says it is another model than its identifier was given to.',
  },
  { code: 'mdm_lock', points: 35, message: "It is enrolled in an organization's device management." },
  {
    code: 'tac_unknown',
    points: 35,
    message: 'Its type allocation code is on no list, and has been around for longer than lists lag behind.',
  },
  { code: 'unallocated_reporting_body', points: 30, message: 'No body allocates identifiers that begin like this.' },
  {
    code: 'blacklist_unverified',
    points: 25,
    message: 'No source that covers a blacklist could clear it. Unknown is not clean.',
  },
  {
    code: 'pseudo_esn',
    points: 15,
    message: 'A pseudo-ESN is shared by many devices, so nothing said about it is about this one alone.',
  },
  { code: 'tac_not_listed', points: 10, message: 'Its type allocation code is not in the data at hand.' },
  { code: 'carrier_locked', points: 10, message: 'It is locked to a carrier.' },
  { code: 'source_unavailable', points: 10, message: 'A source could not be asked.' },
  { code: 'baseline', points: 5, message: 'Every used device carries some risk.' },
  { code: 'serial_read', points: 0, message: 'What the serial number says, if it is of the maker whose form it has.' },
  { code: 'randomised_serial', points: 0, message: 'The serial number tells neither model nor date.' },
  { code: 'registered', points: 0, message: 'It is on a registration list.' },
] as const

export type FactorCode = (typeof FACTORS)[number]['code']

const BY_CODE = new Map(FACTORS.map((factor) => [factor.code, factor]))

export function findFactor(code: FactorCode): { readonly points: number; readonly message: string } {
  const factor = BY_CODE.get(code)
  if (!factor) throw new Error(`${code} is not in the factor table`)
  return factor
}

const RANK_BY_CODE = new Map<string, number>(FACTORS.map(({ code }, at) => [code, at]))

/** Worst first: the table is in that order. */
export function compareFactors(left: { readonly code: FactorCode }, right: { readonly code: FactorCode }): number {
  return (RANK_BY_CODE.get(left.code) ?? 0) - (RANK_BY_CODE.get(right.code) ?? 0)
}

/**
 * All risk factors, worst first; `docs/risk.md` prints this table. The score is the sum of their points, capped at 100.
 */
export const FACTORS = [
  { code: 'reported_lost_stolen', points: 90, message: 'Reported lost or stolen.' },
  { code: 'fraud', points: 85, message: 'Reported for fraud.' },
  { code: 'lost_mode', points: 80, message: 'The owner has activated lost mode.' },
  { code: 'duplicate', points: 75, message: 'The identifier is reported as duplicated or cloned.' },
  { code: 'blacklisted', points: 70, message: 'On a blacklist; the source gives no reason.' },
  { code: 'impossible_identifier', points: 60, message: 'This identifier was never allocated.' },
  {
    code: 'sample_identifier',
    points: 60,
    message: 'An example number from standards and manuals; no device has it.',
  },
  { code: 'test_identifier', points: 60, message: 'The identifier is from a range reserved for test equipment.' },
  { code: 'barred_tac', points: 60, message: 'All devices with this type allocation code (TAC) are blocked.' },
  { code: 'non_payment', points: 50, message: 'Reported for unpaid instalments or bills.' },
  { code: 'activation_lock', points: 45, message: "Activation lock: the device is locked to its owner's account." },
  { code: 'report_pending', points: 40, message: 'A report about this device is pending.' },
  {
    code: 'model_mismatch',
    points: 40,
    message: 'A source reports another model than the identifier was allocated to.',
  },
  { code: 'mdm_lock', points: 35, message: "Enrolled in an organization's device management (MDM)." },
  {
    code: 'tac_unknown',
    points: 35,
    message: 'The type allocation code (TAC) is in no database although it is old enough to be listed.',
  },
  {
    code: 'unallocated_reporting_body',
    points: 30,
    message: 'No reporting body allocates identifiers with this prefix.',
  },
  {
    code: 'blacklist_unverified',
    points: 25,
    message: 'Blacklist not checked: no source connected that covers it.',
  },
  { code: 'check_digit_mismatch', points: 15, message: 'Check the number: the check digit is wrong.' },
  { code: 'not_an_imei', points: 15, message: 'Check the number: it looks like an IMEI but is not a valid one.' },
  {
    code: 'not_an_identifier',
    points: 15,
    message: 'Check the number: a part number, model code or the like, not the number of one device.',
  },
  {
    code: 'looks_like_imsi',
    points: 15,
    message: 'Check the number: probably that of a SIM card (IMSI), not of a device.',
  },
  {
    code: 'pseudo_esn',
    points: 15,
    message: 'A pseudo-ESN is shared by many devices, so findings may be about another one.',
  },
  { code: 'tac_not_listed', points: 10, message: 'The type allocation code (TAC) is not in the database.' },
  { code: 'carrier_locked', points: 10, message: 'Locked to a carrier.' },
  { code: 'source_unavailable', points: 10, message: 'A source was unavailable.' },
  { code: 'baseline', points: 5, message: 'Base risk of any used device.' },
  {
    code: 'serial_read',
    points: 0,
    message: 'Decoded from the serial number, assuming the manufacturer matches its format.',
  },
  {
    code: 'randomised_serial',
    points: 0,
    message: 'The serial number is randomised: it contains neither model nor date.',
  },
  {
    code: 'tac_confirmed',
    points: 0,
    message: 'People who had devices with this type allocation code (TAC) in hand confirmed the model.',
  },
  {
    code: 'stated_model_unknown',
    points: 0,
    message: 'The stated model was not recognised and is ignored; send a device id or a fuller title.',
  },
  { code: 'registered', points: 0, message: 'On a registration list.' },
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

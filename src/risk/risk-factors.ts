/** All risk factors, worst first. The score is the sum of their points, capped at 100. */
const TABLE = {
  reported_lost_stolen: { points: 90, message: 'Reported lost or stolen.' },
  fraud: { points: 85, message: 'Reported for fraud.' },
  lost_mode: { points: 80, message: 'The owner has activated lost mode.' },
  duplicate: { points: 75, message: 'The identifier is reported as duplicated or cloned.' },
  blacklisted: { points: 70, message: 'On a blacklist; the source gives no reason.' },
  impossible_identifier: { points: 60, message: 'This identifier was never allocated.' },
  sample_identifier: { points: 60, message: 'An example number from standards and manuals; no device has it.' },
  test_identifier: { points: 60, message: 'The identifier is from a range reserved for test equipment.' },
  barred_tac: { points: 60, message: 'All devices with this type allocation code (TAC) are blocked.' },
  non_payment: { points: 50, message: 'Reported for unpaid instalments or bills.' },
  activation_lock: { points: 45, message: "Activation lock: the device is locked to its owner's account." },
  report_pending: { points: 40, message: 'A report about this device is pending.' },
  model_mismatch: { points: 40, message: 'A source reports another model than the identifier was allocated to.' },
  mdm_lock: { points: 35, message: "Enrolled in an organization's device management (MDM)." },
  tac_unknown: {
    points: 35,
    message: 'The type allocation code (TAC) is in no database although it is old enough to be listed.',
  },
  unallocated_reporting_body: { points: 30, message: 'No reporting body allocates identifiers with this prefix.' },
  blacklist_unverified: { points: 25, message: 'Blacklist not checked: no source connected that covers it.' },
  check_digit_mismatch: { points: 15, message: 'Check the number: the check digit is wrong.' },
  not_an_imei: { points: 15, message: 'Check the number: it looks like an IMEI but is not a valid one.' },
  not_an_identifier: {
    points: 15,
    message: 'Check the number: a part number, model code or the like, not the number of one device.',
  },
  looks_like_imsi: { points: 15, message: 'Check the number: probably that of a SIM card (IMSI), not of a device.' },
  pseudo_esn: { points: 15, message: 'A pseudo-ESN is shared by many devices, so findings may be about another one.' },
  tac_not_listed: { points: 10, message: 'The type allocation code (TAC) is not in the database.' },
  carrier_locked: { points: 10, message: 'Locked to a carrier.' },
  source_unavailable: { points: 10, message: 'A source was unavailable.' },
  baseline: { points: 5, message: 'Base risk of any used device.' },
  serial_read: { points: 0, message: 'Decoded from the serial number, assuming the manufacturer matches its format.' },
  randomised_serial: { points: 0, message: 'The serial number is randomised: it contains neither model nor date.' },
  tac_confirmed: {
    points: 0,
    message: 'People who had devices with this type allocation code (TAC) in hand confirmed the model.',
  },
  stated_model_unknown: {
    points: 0,
    message: 'The stated model was not recognised and is ignored; send a device id or a fuller title.',
  },
  registered: { points: 0, message: 'On a registration list.' },
} as const

export type FactorCode = keyof typeof TABLE

const CODES = Object.keys(TABLE) as FactorCode[]

export const FACTORS = CODES.map((code) => ({ code, ...TABLE[code] }))

export const findFactor = (code: FactorCode) => TABLE[code]

/** Worst first: the table is in that order. */
export const compareFactors = (left: { readonly code: FactorCode }, right: { readonly code: FactorCode }) =>
  CODES.indexOf(left.code) - CODES.indexOf(right.code)

import type { Device } from '../catalog/device.ts'
import { CONDITIONS, type Condition } from '../contract/condition-grades.ts'
import { DEFECTS, type DefectCode } from '../contract/defects.ts'
import { defectsOfKind, deviceKind } from '../contract/device-kinds.ts'
import type { CarrierLock } from '../contract/pricing.ts'
import { invalid } from '../lib/errors.ts'
import { reason } from '../lib/reasons.ts'
import { checkLock } from '../pricing/quotes/carrier-lock.ts'
import { type FaultKind, isFaultKind } from '../repairs/fault-kinds.ts'

/**
 * Weight of each defect when it is not repaired: 1 costs as much as a cracked screen, which dealers call damaged; faults that
 * add up to 2 make a device broken. Dealers' lists price the states, not single defects: the weights follow repair costs
 * relative to that of a screen. `Infinity`: dead, nothing else can be tested.
 */
const SEVERITY: Readonly<Record<DefectCode, number>> = {
  cracked_screen: 1,
  cracked_back: 0.7,
  weak_battery: 0.3,
  charging_port: 0.5,
  camera: 0.7,
  speaker_or_microphone: 0.4,
  buttons: 0.4,
  biometric_sensor: 0.8,
  radio: 0.9,
  sim_reader: 0.6,
  headphone_jack: 0.2,
  keyboard_or_trackpad: 0.7,
  hinge: 1,
  fan: 0.4,
  ports: 0.5,
  stick_drift: 0.4,
  disc_drive: 0.6,
  storage_drive: 0.6,
  lens: 1,
  image_sensor: 1,
  shutter: 0.9,
  viewfinder: 0.6,
  gimbal: 1,
  motor: 0.7,
  image_errors: 1.5,
  ear_cushions: 0.3,
  missing_earbud: 1,
  no_power: Number.POSITIVE_INFINITY,
  water_damage: 2.5,
  activation_locked: Number.POSITIVE_INFINITY,
  missing_accessories: 0.1,
  // Priced by `lock`, from prices of locked devices.
  carrier_locked: 0,
}

export type DefectRule = {
  readonly code: DefectCode
  readonly name: string
  readonly repairs: readonly FaultKind[]
  readonly isGradable: boolean
  readonly bestGrade: Condition | null
  readonly isSellable: boolean
  readonly severity: number
}

const BY_CODE = new Map<DefectCode, DefectRule>(
  DEFECTS.map(({ code, name, repairs, gradable, best_grade, sellable }) => [
    code,
    {
      code,
      name,
      repairs: (repairs as readonly string[]).filter(isFaultKind),
      isGradable: gradable,
      bestGrade: best_grade,
      isSellable: sellable,
      severity: SEVERITY[code],
    },
  ]),
)

export function defectRules(codes: Iterable<DefectCode>): DefectRule[] {
  return [...codes].flatMap((code) => BY_CODE.get(code) ?? [])
}

function worseGrade(left: Condition, right: Condition): Condition {
  return CONDITIONS.indexOf(left) >= CONDITIONS.indexOf(right) ? left : right
}

/** Best grade possible with these defects; null if the device has no grade. */
export function gradeWithDefects(condition: Condition, defects: readonly DefectRule[]): Condition | null {
  let grade = condition
  for (const { isGradable, bestGrade } of defects) {
    if (!isGradable) return null
    if (bestGrade !== null) grade = worseGrade(grade, bestGrade)
  }
  return grade
}

/** Throws for a defect or a lock that the device cannot have, naming those it can. `prefix` names the item of a batch. */
export function checkDefects(
  {
    defects = [],
    lock = 'unlocked',
  }: { readonly defects?: readonly DefectCode[] | undefined; readonly lock?: CarrierLock | undefined },
  { device }: { readonly device: Device | null },
  prefix = '',
): void {
  if (device) checkLock(lock, device, `${prefix}lock`)
  const kind = device && defects.length > 0 ? deviceKind(device) : null
  if (!device || !kind) return
  const possibleCodes = defectsOfKind(kind).map(({ code }) => code)
  const index = defects.findIndex((code) => !possibleCodes.includes(code))
  if (index < 0) return
  const expected = `a defect that ${device.name} (${kind}) can have: ${possibleCodes.join(', ')}`
  throw invalid(
    `${prefix}defects.${index}`,
    defects[index],
    expected,
    reason('defect_not_of_device', { device: device.name }),
  )
}

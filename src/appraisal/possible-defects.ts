/** The defects that a device can have: those of its kind, without those of parts that it does not have. */
import type { Device } from '../catalog/device.ts'
import { type Defect, defectsOfKind, deviceKind } from '../contract/device-kinds.ts'
import { absentPartsOf } from '../repairs/absent-parts.ts'

const FACE_ID = { name: 'Face ID', description: 'Face ID cannot be set up.' }
const TOUCH_ID = { name: 'Touch ID', description: 'Touch ID cannot be set up.' }

export function possibleDefects(device: Device): readonly Defect[] {
  const absent = absentPartsOf(device)
  const sensor = appleSensor(device)
  return defectsOfKind(deviceKind(device))
    .filter(({ repairs }) => !isWithout(repairs, absent))
    .map((defect) => (sensor && defect.code === 'biometric_sensor' ? { ...defect, ...sensor } : defect))
}

const isWithout = (repairs: readonly string[], absent: ReadonlySet<string>) =>
  repairs.length > 0 && repairs.every((kind) => absent.has(kind))

const FACE_ID_SINCE: Readonly<Record<string, { readonly name: RegExp; readonly from: string }>> = {
  Smartphone: { name: /^iPhone (?!8|SE)/, from: '2017-11-01' },
  Tablet: { name: /^iPad Pro/, from: '2018-10-01' },
}

function appleSensor({ make, category, name, releasedOn }: Device): { name: string; description: string } | null {
  if (make !== 'Apple' || category === 'Smartwatch') return null
  const face = FACE_ID_SINCE[category]
  return face?.name.test(name) && releasedOn !== null && releasedOn >= face.from ? FACE_ID : TOUCH_ID
}

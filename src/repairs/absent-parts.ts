/** Parts that a device does not have: no fault of an iPhone 13 is its headphone jack. */
import absentParts from '../../data/repairs/absent-parts.json'
import type { Device } from '../catalog/device.ts'
import { memoizeWeak } from '../lib/memoize.ts'
import { type FaultKind, isFaultKind } from './fault-kinds.ts'

type AbsenceRule = {
  readonly parts: readonly FaultKind[]
  readonly category: string
  readonly make?: string
  readonly name?: RegExp
  readonly from?: string
}

type RuleText = Omit<AbsenceRule, 'parts' | 'name'> & { readonly parts: readonly string[]; readonly name?: string }

const RULES: readonly AbsenceRule[] = (absentParts.rules as readonly RuleText[]).map(({ name, parts, ...rule }) => ({
  ...rule,
  parts: parts.filter(isFaultKind),
  ...(name !== undefined && { name: new RegExp(name) }),
}))

const hasMobileNetwork = /cellular|lte|5g|4g/i

/** The parts that this device does not have, as far as it is known. */
export const absentPartsOf = memoizeWeak((device: Device): ReadonlySet<FaultKind> => {
  const absent = new Set(RULES.filter((rule) => applies(rule, device)).flatMap(({ parts }) => parts))
  if (/^none$/i.test(device.specifications.optical_drive ?? '')) absent.add('optical-drive')
  if (isWithoutMobileNetwork(device)) absent.add('sim-slot')
  return absent
})

function applies({ category, make, name, from }: AbsenceRule, device: Device): boolean {
  if (device.category !== category || (make !== undefined && device.make !== make)) return false
  if (name && !name.test(device.name)) return false
  return from === undefined || (device.releasedOn !== null && device.releasedOn >= from)
}

/** Whether all variants say how they connect, and none to a mobile network. */
function isWithoutMobileNetwork({ variants }: Device): boolean {
  const connections = variants.map(({ attributes }) => attributes.find(({ name }) => name === 'connectivity')?.value)
  return connections.length > 0 && connections.every((value) => value !== undefined && !hasMobileNetwork.test(value))
}

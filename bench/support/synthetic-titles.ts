import type { Device } from '../../src/catalog/device.ts'
import { seededRandom } from './synthetic-registry.ts'

const random = seededRandom(11)
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T

const PREFIXES = ['', '', '', 'New Listing', 'Apple', 'prodajem', 'Used', 'NEW SEALED', '📱']
const SUFFIXES = [
  '',
  'Unlocked',
  '(Unlocked) Very Good Condition',
  '- AT&T Locked - Good',
  'Factory Unlocked AT&T T-Mobile Verizon 100% Battery',
  'kao nov, baterija 89%, račun i garancija',
  'sehr guter Zustand, OVP',
  'débloqué tout opérateur',
  '자급제 배터리 90%',
  'with case and charger',
  'cracked screen read description',
]

/** Titles as sellers write them, of random devices. */
export function syntheticTitles(devices: readonly Device[], count: number): string[] {
  return Array.from({ length: count }, () => {
    const device = pick(devices)
    const attributes = pick(device.variants)?.attributes ?? []
    const attributeText = attributes.map(({ value }) => value).join(' ')
    const make = random() < 0.5 ? device.make : ''
    return `${pick(PREFIXES)} ${make} ${device.name} ${attributeText} ${pick(SUFFIXES)}`.trim()
  })
}

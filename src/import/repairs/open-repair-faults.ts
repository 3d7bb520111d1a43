/** The words of Open Repair Data files in ours. The free text `problem` is never read: it may name people. */
import type { FaultKind } from '../../repairs/fault-kinds.ts'

/** Their fault types; null for what is no fault of a part of the device. */
const FAULT_TYPES: Readonly<Record<string, FaultKind | null>> = {
  screen: 'screen',
  'integrated screen': 'screen',
  'power/battery': 'battery',
  'usb/charging port': 'charging-port',
  camera: 'camera',
  'headphone jack': 'headphone-jack',
  'speaker/amplifier': 'speaker',
  'integrated media component': 'speaker',
  microphone: 'microphone',
  'on/off button': 'buttons',
  'volume buttons': 'buttons',
  'other buttons': 'buttons',
  'storage problem': 'storage',
  'internal storage': 'storage',
  'sim card slot': 'sim-slot',
  'memory card slot': 'memory-card',
  bluetooth: 'connectivity',
  'external damage': 'back-cover',
  'case/chassis': 'hinge',
  'internal damage': 'board',
  'system board': 'board',
  'liquid damage': 'liquid',
  'integrated keyboard': 'keyboard',
  'integrated pointing device': 'trackpad',
  'integrated optical drive': 'optical-drive',
  overheating: 'fan',
  'ports/slots/connectors': 'ports',
  charger: null,
  'software update': null,
  'software issue': null,
  'stuck booting': null,
  boot: null,
  'operating system': null,
  'virus/malware': null,
  configuration: null,
  'help/configuration': null,
  performance: null,
  'access issue': null,
  multiple: null,
  other: null,
  unknown: null,
  'poor data': null,
}

/** Their product categories by our category's slug. */
const CATEGORIES: Readonly<Record<string, string>> = {
  mobile: 'smartphone',
  tablet: 'tablet',
  laptop: 'laptop',
  'desktop computer': 'desktop',
  headphones: 'headphones',
  'games console': 'game-console',
}

/** Undefined for a word we have never met, null for one that is no fault of a part. */
export function faultForType(type: string): FaultKind | null | undefined {
  const key = type.trim().toLowerCase()
  return Object.hasOwn(FAULT_TYPES, key) ? FAULT_TYPES[key] : undefined
}

export function categoryForProduct(product: string): string | undefined {
  const key = product.trim().toLowerCase()
  return Object.hasOwn(CATEGORIES, key) ? CATEGORIES[key] : undefined
}

import type { AppraisalWire } from '../contract/appraisal.ts'

type Identity = Pick<AppraisalWire['identity'], 'device_name' | 'variant_name' | 'attributes'>

/** Name of a device with the known part of its configuration: "iPhone 13 256GB", or "iPhone 13 Midnight" if the storage is unknown. */
export function deviceTitle(
  { device_name: name, variant_name: variantName, attributes = [] }: Identity,
  unknownDevice = 'Unknown device',
): string {
  if (variantName) return variantName
  if (!name) return unknownDevice
  return [name, ...attributes.map((attribute) => attribute.attribute_value)].join(' ')
}

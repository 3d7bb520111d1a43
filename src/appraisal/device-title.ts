import type { AppraisalWire } from '../contract/appraisal.ts'
import { affectsPrice } from '../pricing/price-attributes.ts'

type Identity = Pick<AppraisalWire['identity'], 'device_name' | 'variant_name' | 'attributes'>

/** Name of a device with the known part of its configuration, such as "iPhone 13 256GB" if the colour is unknown. */
export function deviceTitle(
  { device_name: name, variant_name: variantName, attributes = [] }: Identity,
  unknownDevice = 'Unknown device',
): string {
  if (variantName) return variantName
  if (!name) return unknownDevice
  const configuration = attributes
    .filter((attribute) => affectsPrice(attribute.attribute_name))
    .map((attribute) => attribute.attribute_value)
  return [name, ...configuration].join(' ')
}

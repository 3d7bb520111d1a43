import type { AppraisalWire } from '../contract/appraisal.ts'
import { affectsPrice } from '../pricing/price-attributes.ts'

type Identity = Pick<AppraisalWire['identity'], 'device_name' | 'variant_name' | 'attributes'>

/** Name of a device with what is known of its configuration, such as "iPhone 13 256GB" while the colour is open. */
export function deviceTitle({ device_name: name, variant_name: variantName, attributes = [] }: Identity): string {
  if (variantName) return variantName
  if (!name) return 'Unknown device'
  const known = attributes.filter((one) => affectsPrice(one.attribute_name)).map((one) => one.attribute_value)
  return [name, ...known].join(' ')
}

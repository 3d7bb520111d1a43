import type { VariantWire } from '../../../src/contract/variant.ts'
import { affectsPrice } from '../../../src/pricing/price-attributes.ts'
import { humanize } from '../../format.ts'

/** Variants that differ in what moves no price, their colour above all. */
export type Configuration = {
  /** "128GB", or a word of ours where the device has but one. */
  readonly name: string
  /** The variant that stands for all of them when a price is asked. */
  readonly variant: VariantWire
  readonly variants: readonly VariantWire[]
  /** "Midnight, Starlight": what is left open by the configuration. */
  readonly colours: readonly string[]
}

const NAMELESS = 'One configuration'

/** The configurations of a device in the order of its variants. */
export function groupConfigurations(variants: readonly VariantWire[]): Configuration[] {
  const groups = new Map<string, VariantWire[]>()
  for (const variant of variants) {
    const name = partsOf(variant, true).join(', ') || NAMELESS
    groups.set(name, [...(groups.get(name) ?? []), variant])
  }
  return [...groups].flatMap(([name, group]) => {
    const variant = group.find(({ disabled }) => !disabled) ?? group[0]
    const colours = [...new Set(group.map((one) => partsOf(one, false).join(', ')).filter(Boolean))]
    return variant ? [{ name, variant, variants: group, colours }] : []
  })
}

function partsOf(variant: VariantWire, priced: boolean): string[] {
  return variant.attributes
    .filter(({ attribute_name: name }) => affectsPrice(name) === priced)
    .map(({ attribute_name: name, attribute_value: value }) =>
      // "16GB" alone could be memory or storage; a chip, a size or a carrier speaks for itself.
      name.toLowerCase() === 'ram' ? `${value} ${humanize(name).toUpperCase()}` : value,
    )
}

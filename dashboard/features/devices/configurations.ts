import i18next from 'i18next'
import type { VariantWire } from '../../../src/contract/variant.ts'
import { affectsPrice } from '../../../src/pricing/price-attributes.ts'
import { humanize } from '../../format.ts'

/** Variants with the same price: they differ only in colour and the like. */
export type Configuration = {
  /** Such as "128GB". */
  readonly name: string
  /** The variant used to look up the price. */
  readonly variant: VariantWire
  readonly variants: readonly VariantWire[]
  /** Such as "Midnight", "Starlight". */
  readonly colours: readonly string[]
}

/** Groups variants by configuration, in their original order. */
export function groupConfigurations(variants: readonly VariantWire[]): Configuration[] {
  const groups = new Map<string, VariantWire[]>()
  for (const variant of variants) {
    const name = partsOf(variant, true).join(', ') || i18next.t('devices:value.oneConfiguration')
    groups.set(name, [...(groups.get(name) ?? []), variant])
  }
  return [...groups].flatMap(([name, group]) => {
    const variant = group.find(({ disabled }) => !disabled) ?? group[0]
    const colours = [...new Set(group.map((variant) => partsOf(variant, false).join(', ')).filter(Boolean))]
    return variant ? [{ name, variant, variants: group, colours }] : []
  })
}

function partsOf(variant: VariantWire, priced: boolean): string[] {
  return variant.attributes
    .filter(({ attribute_name: name }) => affectsPrice(name) === priced)
    .map(({ attribute_name: name, attribute_value: value }) =>
      // "16GB" alone could be memory or storage; other values are unambiguous.
      name.toLowerCase() === 'ram' ? `${value} ${humanize(name).toUpperCase()}` : value,
    )
}

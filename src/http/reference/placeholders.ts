import { TIERS, type Tier } from '../../contract/tiers.ts'

/** Also used by the examples of the contract. */
export const BASE_URL_PLACEHOLDER = '{base_url}'
export const limitPlaceholder = (tier: Tier) => `{limit_${tier}}`

export type ServiceSettings = {
  readonly baseUrl: string
  /** Rate limit per tier. */
  readonly limits: Readonly<Record<Tier, number>>
}

/** Replaces the placeholders of a document; `encode` writes a text in the syntax of the document. */
export function fillPlaceholders(
  template: string,
  { baseUrl, limits }: ServiceSettings,
  encode: (text: string) => string,
): string {
  const values = [
    [BASE_URL_PLACEHOLDER, baseUrl],
    ...TIERS.map((tier) => [limitPlaceholder(tier), limits[tier].toLocaleString('en-US')]),
  ] as const
  return values.reduce((text, [placeholder, value]) => text.replaceAll(placeholder, () => encode(value)), template)
}

/** Color changes a used price by less than any interval, and most sources do not state it. */
const PRICE_NEUTRAL_ATTRIBUTES = new Set(['color', 'colour', 'band', 'band color'])

/** Whether variants that differ in this attribute have different prices. */
export const affectsPrice = (attribute: string) => !PRICE_NEUTRAL_ATTRIBUTES.has(attribute.toLowerCase())

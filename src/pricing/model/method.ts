/** Version of the engine. It changes when the same observations would give other numbers. */
export const PRICING_METHOD = 'hierarchical/7'

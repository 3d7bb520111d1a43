/** Version of the engine. It changes when the same observations would give other numbers. */
export const METHOD = 'pooled-ladder/6'

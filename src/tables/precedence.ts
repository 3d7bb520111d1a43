/** Who decides what holds for the rows of a table, the strongest first. What none of them states is a question. */
export const EVIDENCE = ['option', 'profile', 'column', 'words', 'setting'] as const
/** `words`: a title, a line above or below the table, the name of a column, sheet or file; `setting`: of the service. */
export type Evidence = (typeof EVIDENCE)[number]

export type Stated<Value> = { readonly [By in Evidence]?: Value | undefined }

export type Decision<Value> = {
  readonly value: Value
  readonly by: Evidence
  /** Weaker evidence that says something else. */
  readonly overrules: readonly Evidence[]
}

/** Null if nothing states it. */
export function decide<Value>(stated: Stated<Value>): Decision<Value> | null {
  const [by, ...weaker] = EVIDENCE.filter((each) => stated[each] !== undefined)
  if (by === undefined) return null
  const value = stated[by] as Value
  return { value, by, overrules: weaker.filter((each) => stated[each] !== value) }
}

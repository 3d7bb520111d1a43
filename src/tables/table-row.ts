/** A line of a table. `line` is the physical line on which it begins, as an editor counts it. */
export type TableRow = { readonly line: number; readonly fields: readonly string[] }

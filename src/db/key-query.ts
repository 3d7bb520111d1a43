import type { CompiledQuery } from 'kysely'
import { memoize } from '../lib/memoize.ts'

/**
 * A query with a list of keys, compiled once per power of two and padded with the last key, so that statements are reused.
 * Other parameters follow the keys.
 */
export function compileByKeyCount<Row>(
  compile: (size: number) => CompiledQuery<Row>,
): (keys: readonly string[], ...others: readonly string[]) => CompiledQuery<Row> {
  const compileSize = memoize(16, compile)
  return (keys, ...others) => {
    const size = 2 ** Math.ceil(Math.log2(Math.max(1, keys.length)))
    const padding = Array<string>(size - keys.length).fill(keys.at(-1) ?? '')
    return { ...compileSize(size), parameters: [...keys, ...padding, ...others] }
  }
}

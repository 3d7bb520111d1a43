import type { Result, Router } from 'hono/router'
import { TrieRouter } from 'hono/router/trie-router'

/**
 * Routes of exact paths come from a map; only paths with parameters or wildcards are searched in the trie. Hono's default
 * router searches the trie for every path as soon as one pattern overlaps with an exact path, such as
 * `/api/appraisals/{id}` with `/api/appraisals/batch`.
 */
export function exactPathRouter<T>(): Router<T> {
  const trie = new TrieRouter<T>()
  const exactPaths = new Set<string>()
  const matches = new Map<string, Map<string, Result<T>>>()
  return {
    name: 'ExactPathRouter',
    add(method, path, handler) {
      trie.add(method, path, handler)
      if (!/[:*{]/.test(path)) exactPaths.add(path)
      matches.clear()
    },
    match(method, path) {
      const known = matches.get(method)?.get(path)
      if (known) return known
      const result = trie.match(method, path)
      if (exactPaths.has(path)) {
        const ofMethod = matches.get(method) ?? new Map<string, Result<T>>()
        matches.set(method, ofMethod.set(path, result))
      }
      return result
    },
  }
}

import { useCallback } from 'react'
import { useSearchParams } from 'wouter'

type Changed = Readonly<Record<string, string>>

/** What stands behind "?" in the address, and how to change parts of it; an empty value takes one away. */
export function useFilters(): [URLSearchParams, (changed: Changed, options?: { replace: boolean }) => void] {
  const [params, setParams] = useSearchParams()
  const change = useCallback(
    (changed: Changed, options?: { replace: boolean }) =>
      setParams((before) => {
        const next = new URLSearchParams(before)
        for (const [name, value] of Object.entries(changed)) {
          if (value) next.set(name, value)
          else next.delete(name)
        }
        return next
      }, options),
    [setParams],
  )
  return [params, change]
}

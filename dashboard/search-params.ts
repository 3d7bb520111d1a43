import { useCallback } from 'react'
import { useSearchParams } from 'wouter'

type Changed = Readonly<Record<string, string>>

/** The query parameters of the page and a function to change them; an empty value removes one. */
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

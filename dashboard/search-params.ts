import { useCallback } from 'react'
import { useSearchParams } from 'wouter'

type Changed = Readonly<Record<string, string>>

/** The query parameters of the page and a function to change them; an empty value removes one. */
export function useFilters(): [URLSearchParams, (changed: Changed, options?: { replace: boolean }) => void] {
  const [params, setParams] = useSearchParams()
  const change = useCallback(
    (changed: Changed, options?: { replace: boolean }) =>
      setParams((before) => pickParams(new URLSearchParams({ ...Object.fromEntries(before), ...changed })), options),
    [setParams],
  )
  return [params, change]
}

/** The parameters that are not empty, only those with these names if they are given. */
export const pickParams = (params: URLSearchParams, names?: readonly string[]) =>
  new URLSearchParams([...params].filter(([name, value]) => value && (names?.includes(name) ?? true)))

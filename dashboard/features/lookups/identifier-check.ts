import { useLayoutEffect } from 'react'
import { useLocation } from 'wouter'
import { callApi } from '../../api.ts'
import { operationQuery, queryClient, useApiMutation } from '../../queries.ts'

export const lookupQuery = (id: string) => operationQuery('GET /api/imei/{id}', { params: { id } })

/** Checks an identifier and shows the result. */
export function useIdentifierCheck() {
  const change = useApiMutation()
  const [, navigate] = useLocation()
  const check = (identifier: string, type: string) =>
    change.run(async () => {
      const body = { identifier, ...(type ? { identifier_type: type } : {}) }
      const response = await callApi('POST /api/imei', { body })
      // The response is the stored record, so the lookup page needs no second request.
      queryClient.setQueryData(lookupQuery(response.data.lookup_id).queryKey, response)
      navigate(`/dashboard/lookups/${response.data.lookup_id}`)
    })
  return { check, busy: change.isPending, error: change.error }
}

/** Whether a search text is an IMEI, 14 to 17 digits with any separators, or the two of a dual-SIM phone. */
export function looksLikeIdentifier(text: string): boolean {
  const isImei = (part: string) => /^[\d\s./-]+$/.test(part) && /^\d{14,17}$/.test(part.replace(/[\s./-]/g, ''))
  const parts = text.trim().split(/\s*[/,;|]\s*|\s+/)
  return isImei(text) || (parts.length === 2 && parts.every(isImei))
}

/** Passed between pages in memory: identifiers must not appear in a URL. */
let handedOver = ''
const arrivals = new EventTarget()

export function handToCheckPage(identifier: string): void {
  handedOver = identifier.trim()
  arrivals.dispatchEvent(new Event('taken'))
}

/** Delivers the pending identifier once, on mount or while the page is open. */
export function useHandedIdentifier(receive: (identifier: string) => void): void {
  useLayoutEffect(() => {
    function handOver() {
      if (handedOver) receive(handedOver)
      handedOver = ''
    }
    handOver()
    arrivals.addEventListener('taken', handOver)
    return () => arrivals.removeEventListener('taken', handOver)
  }, [receive])
}

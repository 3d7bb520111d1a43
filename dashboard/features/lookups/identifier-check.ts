import { useLayoutEffect } from 'react'
import { useLocation } from 'wouter'
import type { LookupRecordWire, LookupResultWire } from '../../../src/contract/lookups.ts'
import { apiPost } from '../../api.ts'
import { apiQuery, queryClient, useApiMutation } from '../../queries.ts'

export const lookupQuery = (id: string) => apiQuery<LookupRecordWire>(`/account/lookup?id=${encodeURIComponent(id)}`)

/** Checks an identifier and shows the result. */
export function useIdentifierCheck() {
  const change = useApiMutation()
  const [, navigate] = useLocation()
  const check = (identifier: string, type: string) =>
    change.mutate(async () => {
      const body = { identifier, ...(type ? { identifier_type: type } : {}) }
      const answer = await apiPost<LookupResultWire>('/account/explore/imei', body)
      // The answer is the record: it is shown without being asked for.
      queryClient.setQueryData(lookupQuery(answer.data.lookup_id).queryKey, answer)
      navigate(`/dashboard/lookups/${answer.data.lookup_id}`)
    })
  return { check, busy: change.isPending, error: change.error }
}

/** Whether a text pasted into a search is an IMEI rather than a device: 14 to 17 digits, however they are parted. */
export function looksLikeIdentifier(text: string): boolean {
  return /^[\d\s./-]+$/.test(text) && /^\d{14,17}$/.test(text.replace(/[\s./-]/g, ''))
}

/** Taken along from one page to the next in memory: an identifier never stands in an address. */
let handedOver = ''
const arrivals = new EventTarget()

export function handToCheckPage(identifier: string): void {
  handedOver = identifier.trim()
  arrivals.dispatchEvent(new Event('taken'))
}

/** Hands over what was taken along, on arrival and while the page is there. It is gone from memory only once it was handed over. */
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

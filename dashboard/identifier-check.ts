import { useLayoutEffect } from 'react'
import { useLocation } from 'wouter'
import type { LookupRecordWire, LookupResultWire } from '../src/contract/imei.ts'
import { answerAt, queryClient, useChange } from './answers.ts'
import { post } from './service.ts'

export const lookupAt = (id: string) => answerAt<LookupRecordWire>(`/account/lookup?id=${encodeURIComponent(id)}`)

/** Checks an identifier and shows the result. */
export function useIdentifierCheck() {
  const change = useChange()
  const [, navigate] = useLocation()
  const check = (identifier: string, type: string) =>
    change.mutate(async () => {
      const body = { identifier, ...(type ? { identifier_type: type } : {}) }
      const answer = await post<LookupResultWire>('/account/explore/imei', body)
      // The answer is the record: it is shown without being asked for.
      queryClient.setQueryData(lookupAt(answer.data.lookup_id).queryKey, answer)
      navigate(`/dashboard/lookups/${answer.data.lookup_id}`)
    })
  return { check, busy: change.isPending, error: change.error }
}

/** Whether a text pasted into a search is an IMEI rather than a device: 14 to 17 digits, however they are parted. */
export function looksLikeIdentifier(text: string): boolean {
  return /^[\d\s./-]+$/.test(text) && /^\d{14,17}$/.test(text.replace(/[\s./-]/g, ''))
}

/** Taken along from one page to the next in memory: an identifier never stands in an address. */
let taken = ''
const arrivals = new EventTarget()

export function takeToCheck(identifier: string): void {
  taken = identifier.trim()
  arrivals.dispatchEvent(new Event('taken'))
}

/** Hands over what was taken along, on arrival and while the page is there. It is gone from memory only once it was handed over. */
export function useTakenToCheck(receive: (identifier: string) => void): void {
  useLayoutEffect(() => {
    function handOver() {
      if (taken) receive(taken)
      taken = ''
    }
    handOver()
    arrivals.addEventListener('taken', handOver)
    return () => arrivals.removeEventListener('taken', handOver)
  }, [receive])
}

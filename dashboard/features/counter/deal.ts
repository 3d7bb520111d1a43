import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { useSearchParams } from 'wouter'
import type { AppraisalPreviewWire } from '../../../src/contract/appraisal.ts'
import { CONDITIONS, type Condition } from '../../../src/contract/condition-grades.ts'
import { type ApiResponse, callApi } from '../../api.ts'

/** The deal being worked on. It lives in the URL, so that it survives reload, back and sharing. */
export type Deal = {
  readonly variant: string | null
  readonly device: string | null
  readonly lookup: string | null
  /** Number of the quote that the customer brings. */
  readonly quote: string | null
  /** Name or title as typed, without defects and identifiers; the service matches it. */
  readonly text: string | null
  readonly attributes: Readonly<Record<string, string>>
  readonly grade: Condition | null
  readonly defects: readonly string[]
  /** What was read from the typed text: defect codes, and `grade`. */
  readonly read: readonly string[]
}

const ATTRIBUTE = 'a.'

export function parseDeal(params: URLSearchParams): Deal {
  const attributes = [...params].flatMap(([name, value]) =>
    name.startsWith(ATTRIBUTE) ? [[name.slice(ATTRIBUTE.length), value] as const] : [],
  )
  return {
    variant: params.get('variant'),
    device: params.get('device'),
    lookup: params.get('lookup'),
    quote: params.get('quote'),
    text: params.get('text'),
    attributes: Object.fromEntries(attributes),
    grade: CONDITIONS.find((grade) => grade === params.get('grade')) ?? null,
    defects: (params.get('defects') ?? '').split(',').filter(Boolean),
    read: (params.get('read') ?? '').split(',').filter(Boolean),
  }
}

function toParams(deal: Partial<Deal>): URLSearchParams {
  const params = new URLSearchParams()
  for (const name of ['variant', 'device', 'lookup', 'quote', 'text', 'grade'] as const) {
    const value = deal[name]
    if (value) params.set(name, value)
  }
  for (const [name, value] of Object.entries(deal.attributes ?? {})) params.set(ATTRIBUTE + name, value)
  if (deal.defects?.length) params.set('defects', deal.defects.join(','))
  if (deal.read?.length) params.set('read', deal.read.join(','))
  return params
}

/** URL of the counter page for a deal. */
export const counterUrl = (deal: Partial<Deal>) => `/dashboard/counter?${toParams(deal)}`

export type UpdateDeal = (changed: Partial<Deal>) => void

/** The deal from the URL and a function to update it. */
export function useDeal(): [Deal, UpdateDeal] {
  const [params, setParams] = useSearchParams()
  const deal = useMemo(() => parseDeal(params), [params])
  const change: UpdateDeal = (changed) =>
    setParams((before) => toParams({ ...parseDeal(before), ...changed }), { replace: true })
  return [deal, change]
}

/** Request body of an appraisal; the identifier comes from the lookup. */
export function toAppraisalRequest({ variant, device, text, attributes, grade, defects, quote }: Deal) {
  return {
    ...(quote ? { quote_id: quote } : {}),
    ...(variant ? { variant_id: variant } : {}),
    ...(device && !variant ? { device_id: device } : {}),
    ...(text ? { text } : {}),
    ...(Object.keys(attributes).length > 0 ? { attributes } : {}),
    ...(grade ? { condition: grade } : {}),
    ...(defects.length > 0 ? { defects } : {}),
  }
}

export const isDealEmpty = ({ variant, device, text, lookup }: Deal) => !variant && !device && !text && !lookup

/** What the deal is about: while it stays the same, a preview of other choices is better than none. */
export const subjectOf = ({ variant, device, text, lookup }: Deal) =>
  [variant, device, text, lookup].find(Boolean) ?? ''

/**
 * Previews the offer without recording it. While the next preview loads, or if it fails, the last one of the same device
 * stays; `isCurrent` is then false, because its offer is for other choices.
 */
export function useOfferPreview(deal: Deal) {
  const body = { ...toAppraisalRequest(deal), lookup_id: deal.lookup ?? undefined }
  const subject = subjectOf(deal)
  const query = useQuery({
    queryKey: ['POST /api/appraisals/preview', body],
    queryFn: ({ signal }) => callApi('POST /api/appraisals/preview', { body }, signal),
    enabled: !isDealEmpty(deal),
    staleTime: 60_000,
  })
  const last = useRef<{ readonly subject: string; readonly response: ApiResponse<AppraisalPreviewWire> }>(null)
  if (query.data) last.current = { subject, response: query.data }
  const previous = last.current?.subject === subject ? last.current.response : undefined
  return {
    preview: (query.data ?? previous)?.data,
    isCurrent: query.data !== undefined,
    error: query.error,
    refetch: query.refetch,
  }
}

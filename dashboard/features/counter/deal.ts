import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSearchParams } from 'wouter'
import type { AppraisalPreviewWire } from '../../../src/contract/appraisal.ts'
import { CONDITIONS, type Condition } from '../../../src/contract/condition-grades.ts'
import { apiPost } from '../../api.ts'

/** The deal being worked on. It lives in the URL, so that it survives reload, back and sharing. */
export type Deal = {
  readonly variant: string | null
  readonly device: string | null
  readonly lookup: string | null
  readonly attributes: Readonly<Record<string, string>>
  readonly grade: Condition | null
  readonly defects: readonly string[]
}

const ATTRIBUTE = 'a.'

function parseDeal(params: URLSearchParams): Deal {
  const attributes = [...params].flatMap(([name, value]) =>
    name.startsWith(ATTRIBUTE) ? [[name.slice(ATTRIBUTE.length), value] as const] : [],
  )
  return {
    variant: params.get('variant'),
    device: params.get('device'),
    lookup: params.get('lookup'),
    attributes: Object.fromEntries(attributes),
    grade: CONDITIONS.find((grade) => grade === params.get('grade')) ?? null,
    defects: (params.get('defects') ?? '').split(',').filter(Boolean),
  }
}

function toParams(deal: Partial<Deal>): URLSearchParams {
  const params = new URLSearchParams()
  for (const name of ['variant', 'device', 'lookup', 'grade'] as const) {
    const value = deal[name]
    if (value) params.set(name, value)
  }
  for (const [name, value] of Object.entries(deal.attributes ?? {})) params.set(ATTRIBUTE + name, value)
  if (deal.defects?.length) params.set('defects', deal.defects.join(','))
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
export function toAppraisalRequest({ variant, device, attributes, grade, defects }: Deal) {
  return {
    ...(variant ? { variant_id: variant } : {}),
    ...(device && !variant ? { device_id: device } : {}),
    ...(Object.keys(attributes).length > 0 ? { attributes } : {}),
    ...(grade ? { condition: grade } : {}),
    ...(defects.length > 0 ? { defects } : {}),
  }
}

export const isDealEmpty = ({ variant, device, lookup }: Deal) => !variant && !device && !lookup

/** Previews the offer without recording it; the previous preview stays visible while the next one loads. */
export function useOfferPreview(deal: Deal) {
  const body = { lookup_id: deal.lookup, request: toAppraisalRequest(deal) }
  return useQuery({
    queryKey: ['/account/appraisals/preview', body],
    queryFn: ({ signal }) => apiPost<AppraisalPreviewWire>('/account/appraisals/preview', body, signal),
    enabled: !isDealEmpty(deal),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })
}

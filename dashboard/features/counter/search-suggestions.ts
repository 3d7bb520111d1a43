import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { DeviceWire } from '../../../src/contract/device.ts'
import type { MatchWire } from '../../../src/contract/match.ts'
import { apiGet } from '../../api.ts'
import { looksLikeIdentifier } from '../lookups/identifier-check.ts'
import { checkTypedImei } from '../lookups/typed-imei.ts'
import type { Deal } from './deal.ts'

/** A device in the catalogue, or an identifier to look up. */
export type SearchSuggestion =
  | {
      readonly kind: 'device'
      readonly id: string
      readonly name: string
      readonly detail: string
      readonly deal: Partial<Deal>
    }
  | {
      readonly kind: 'identifier'
      readonly id: string
      readonly name: string
      readonly detail: string
      readonly identifier: string
    }

const TYPING_PAUSE_MS = 120
const MAX_SUGGESTIONS = 7

function useDebounced(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

export function useSuggestions(typed: string): {
  readonly suggestions: readonly SearchSuggestion[]
  readonly isSettled: boolean
} {
  const text = useDebounced(typed.trim())
  const isName = text.length >= 2 && !looksLikeIdentifier(text)
  const encodedText = encodeURIComponent(text.slice(0, 300))
  const matched = useQuery({
    queryKey: ['suggestions', 'match', text],
    queryFn: ({ signal }) => apiGet<MatchWire>(`/account/explore/match?text=${encodedText}`, signal),
    enabled: isName,
    placeholderData: keepPreviousData,
  })
  const searched = useQuery({
    queryKey: ['suggestions', 'search', text],
    queryFn: ({ signal }) =>
      apiGet<DeviceWire[]>(`/account/explore/devices?limit=${MAX_SUGGESTIONS}&search=${encodedText}`, signal),
    enabled: isName,
    placeholderData: keepPreviousData,
  })
  if (text === '') return { suggestions: [], isSettled: true }
  const devices = isName ? deviceSuggestions(matched.data?.data, searched.data?.data ?? []) : []
  return {
    suggestions: [...identifierSuggestions(text, devices.length > 0), ...devices],
    isSettled: text === typed.trim() && !matched.isFetching && !searched.isFetching,
  }
}

/** The best match first, then search results, then other candidates. */
function deviceSuggestions(match: MatchWire | undefined, found: readonly DeviceWire[]): SearchSuggestion[] {
  const suggestions = new Map<string, SearchSuggestion>()
  const add = (id: string, name: string, about: string, deal: Partial<Deal>) => {
    if (!suggestions.has(id)) suggestions.set(id, { kind: 'device', id, name, detail: about, deal })
  }
  if (match?.device_id && match.device_name) {
    const deal = { ...(match.variant_id ? { variant: match.variant_id } : {}), device: match.device_id }
    const extra = match.condition ? { ...deal, grade: match.condition } : deal
    add(match.device_id, match.variant_name ?? match.device_name, 'Best match', extra)
  }
  for (const { id, name, make, category } of found) add(id, name, `${make.name} · ${category.name}`, { device: id })
  for (const { device_id: id, device_name: name } of match?.candidates ?? [])
    add(id, name, 'Possible match', { device: id })
  return [...suggestions.values()].slice(0, MAX_SUGGESTIONS)
}

function identifierSuggestions(text: string, isDevice: boolean): SearchSuggestion[] {
  const identifier = text
  if (looksLikeIdentifier(text)) {
    const about =
      checkTypedImei(text).state === 'mistyped' ? 'Check digit mismatch: probably mistyped' : 'Check risk and value'
    return [{ kind: 'identifier', id: 'imei', name: `Check ${text}`, detail: about, identifier }]
  }
  const isSerial = /^(?=.*\d)[A-Z0-9]{8,20}$/i.test(text) && !isDevice
  return isSerial
    ? [{ kind: 'identifier', id: 'serial', name: `Check ${text}`, detail: 'Serial number', identifier }]
    : []
}

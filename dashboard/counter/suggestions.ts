import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { DeviceWire } from '../../src/contract/device.ts'
import type { MatchWire } from '../../src/contract/match.ts'
import { readTyped } from '../check/typed.ts'
import { looksLikeIdentifier } from '../identifier-check.ts'
import { get } from '../service.ts'
import type { Deal } from './deal.ts'

/** What a text may mean: a device of the registry, or an identifier to look up. */
export type Suggestion =
  | {
      readonly kind: 'device'
      readonly id: string
      readonly name: string
      readonly about: string
      readonly deal: Partial<Deal>
    }
  | {
      readonly kind: 'identifier'
      readonly id: string
      readonly name: string
      readonly about: string
      readonly identifier: string
    }

const TYPING_PAUSE_MS = 120
const MOST = 7

/** What was typed once the typing pauses. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

export function useSuggestions(typed: string): {
  readonly suggestions: readonly Suggestion[]
  readonly isSettled: boolean
} {
  const text = useSettled(typed.trim())
  const isName = text.length >= 2 && !looksLikeIdentifier(text)
  const asked = encodeURIComponent(text.slice(0, 300))
  const matched = useQuery({
    queryKey: ['suggestions', 'match', text],
    queryFn: ({ signal }) => get<MatchWire>(`/account/explore/match?text=${asked}`, signal),
    enabled: isName,
    placeholderData: keepPreviousData,
  })
  const searched = useQuery({
    queryKey: ['suggestions', 'search', text],
    queryFn: ({ signal }) => get<DeviceWire[]>(`/account/explore/devices?limit=${MOST}&search=${asked}`, signal),
    enabled: isName,
    placeholderData: keepPreviousData,
  })
  if (text === '') return { suggestions: [], isSettled: true }
  const devices = isName ? devicesOf(matched.data?.data, searched.data?.data ?? []) : []
  return {
    suggestions: [...identifiersIn(text, devices.length > 0), ...devices],
    isSettled: text === typed.trim() && !matched.isFetching && !searched.isFetching,
  }
}

/** What the whole text names comes first, then what its words find, then what it may also mean. */
function devicesOf(match: MatchWire | undefined, found: readonly DeviceWire[]): Suggestion[] {
  const suggestions = new Map<string, Suggestion>()
  const add = (id: string, name: string, about: string, deal: Partial<Deal>) => {
    if (!suggestions.has(id)) suggestions.set(id, { kind: 'device', id, name, about, deal })
  }
  if (match?.device_id && match.device_name) {
    const deal = { ...(match.variant_id ? { variant: match.variant_id } : {}), device: match.device_id }
    const extra = match.condition ? { ...deal, grade: match.condition } : deal
    add(match.device_id, match.variant_name ?? match.device_name, 'what the text names', extra)
  }
  for (const { id, name, make, category } of found) add(id, name, `${make.name} · ${category.name}`, { device: id })
  for (const { device_id: id, device_name: name } of match?.candidates ?? [])
    add(id, name, 'may be meant', { device: id })
  return [...suggestions.values()].slice(0, MOST)
}

function identifiersIn(text: string, isDevice: boolean): Suggestion[] {
  const identifier = text
  if (looksLikeIdentifier(text)) {
    const about =
      readTyped(text).state === 'mistyped'
        ? 'The last digit does not fit the others: look at it again'
        : 'Look it up, and see what it is worth'
    return [{ kind: 'identifier', id: 'imei', name: `Check ${text}`, about, identifier }]
  }
  const isSerial = /^(?=.*\d)[A-Z0-9]{8,20}$/i.test(text) && !isDevice
  return isSerial
    ? [{ kind: 'identifier', id: 'serial', name: `Check ${text}`, about: 'as a serial number', identifier }]
    : []
}

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import i18next from 'i18next'
import { useEffect, useState } from 'react'
import type { DeviceWire } from '../../../src/contract/device.ts'
import type { MatchWire } from '../../../src/contract/match.ts'
import { identifierOf, readIdentifiers } from '../../../src/text/facts.ts'
import { tokenize } from '../../../src/text/text-tokens.ts'
import { callApi } from '../../api.ts'
import { deviceName } from '../../format.ts'
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
const MAX_TEXT_LENGTH = 300

function useDebounced(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** Identifiers must not appear in a URL: they are taken out before the service reads the text. */
export function splitIdentifiers(typed: string): { readonly text: string; readonly identifier: string | null } {
  let text = typed.normalize('NFC')
  const found = readIdentifiers(tokenize(text))
  for (const { from, to } of found.identifiers) text = text.slice(0, from) + ' '.repeat(to - from) + text.slice(to)
  return { text: text.replace(/\s+/g, ' ').trim(), identifier: identifierOf(found) }
}

/** Suggestions for the text. While `isFresh` is false they are for an earlier text and must not be taken. */
export function useSuggestions(typed: string): {
  readonly suggestions: readonly SearchSuggestion[]
  readonly isFresh: boolean
} {
  const text = useDebounced(typed.trim())
  const described = splitIdentifiers(text.slice(0, MAX_TEXT_LENGTH)).text
  const isName = described.length >= 2 && !looksLikeIdentifier(text)
  const matched = useQuery({ ...matchQuery(described), enabled: isName, placeholderData: keepPreviousData })
  const match = matched.data?.data
  const name = match?.name ?? ''
  const searched = useQuery({
    queryKey: ['suggestions', 'search', name],
    queryFn: ({ signal }) => callApi('GET /api/devices', { query: { limit: MAX_SUGGESTIONS, search: name } }, signal),
    enabled: isName && name !== '',
    placeholderData: keepPreviousData,
  })
  if (text === '') return { suggestions: [], isFresh: true }
  const devices = isName && match ? deviceSuggestions(match, searched.data?.data ?? []) : []
  const isSearched = name === '' || (searched.isSuccess && !searched.isPlaceholderData)
  const isLoaded = matched.isSuccess && !matched.isPlaceholderData && isSearched
  return {
    suggestions: [...identifierSuggestions(text, devices.length > 0), ...devices],
    isFresh: text === typed.trim() && (!isName || isLoaded),
  }
}

export const matchQuery = (text: string) => ({
  queryKey: ['suggestions', 'match', text],
  queryFn: ({ signal }: { signal: AbortSignal }) => callApi('GET /api/match', { query: { text } }, signal),
  staleTime: 60_000,
})

/** What the words of the text state beside the device: defects, a lock and a grade. */
export function statedChoices({ read_from_text: fields, condition }: MatchWire): Partial<Deal> {
  const stated = fields.flatMap(({ field, value }) => {
    if (field === 'defects') return value
    return field === 'lock' && value === 'locked' ? 'carrier_locked' : []
  })
  const defects = [...new Set(stated)]
  return {
    read: condition ? [...defects, 'grade'] : defects,
    ...(defects.length > 0 ? { defects } : {}),
    ...(condition ? { grade: condition } : {}),
  }
}

/** Warranty, replaced parts and wear: no field of the deal holds them. */
export const isShownFact = ({ field }: MatchWire['read_from_text'][number]) => /^(warranty|replaced\.|wear)/.test(field)

/** The name, and the words that no field of the deal holds: the service must see them. */
export const textOfDeal = ({ name, unread_words: unread, read_from_text: fields }: MatchTexts) => {
  const words = [...unread, ...fields.filter(isShownFact)].map((each) => each.words)
  return [name, ...new Set(words)].filter(Boolean).join(', ')
}
type MatchTexts = Pick<MatchWire, 'name' | 'unread_words' | 'read_from_text'>

/** Serial numbers have no fixed form: 8 to 20 letters and digits with at least one digit. */
export const looksLikeSerial = (text: string) => /^(?=.*\d)[A-Z0-9]{8,20}$/i.test(text)

/** The best match first, then search results, then other candidates. */
function deviceSuggestions(match: MatchWire, found: readonly DeviceWire[]): SearchSuggestion[] {
  const suggestions = new Map<string, SearchSuggestion>()
  const add = (id: string, name: string, detail: string, deal: Partial<Deal>) => {
    if (!suggestions.has(id)) suggestions.set(id, { kind: 'device', id, name, detail, deal })
  }
  const stated = statedChoices(match)
  const unreadText = textOfDeal({ ...match, name: '' }) || null
  if (match.device_id && match.device_name) {
    // The text names the storage and colour of the chosen device.
    const deal = { device: match.device_id, text: textOfDeal(match), ...stated }
    add(match.device_id, match.variant_name ?? nameWithSizes(match), i18next.t('counter:search.bestMatch'), deal)
  }
  for (const device of found) {
    const detail = `${device.make.name} · ${device.category.name}`
    add(device.id, deviceName(device), detail, { device: device.id, text: unreadText, ...stated })
  }
  for (const { device_id: id, device_name: name } of match.candidates)
    add(id, name, i18next.t('counter:search.possibleMatch'), { device: id, text: unreadText, ...stated })
  return [...suggestions.values()].slice(0, MAX_SUGGESTIONS)
}

const nameWithSizes = ({ device_name: name, attributes }: MatchWire) =>
  [
    name,
    ...attributes
      .filter((attribute) => attribute.attribute_name === 'storage')
      .map((attribute) => attribute.attribute_value),
  ].join(' ')

function identifierSuggestions(text: string, isDevice: boolean): SearchSuggestion[] {
  const identifier = text
  const name = i18next.t('counter:search.check', { identifier })
  if (looksLikeIdentifier(text)) {
    const isMistyped = checkTypedImei(text).state === 'mistyped'
    const detail = i18next.t(isMistyped ? 'counter:search.mistyped' : 'counter:search.checkDetail')
    return [{ kind: 'identifier', id: 'imei', name, detail, identifier }]
  }
  return looksLikeSerial(text) && !isDevice
    ? [{ kind: 'identifier', id: 'serial', name, detail: i18next.t('counter:search.serial'), identifier }]
    : []
}

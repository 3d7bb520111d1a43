import { editDistance } from '../lib/edit-distance.ts'
import type { Registry } from './registry.ts'
import { parseSearchTerm } from './search/search-term.ts'

const MAX_SUGGESTIONS = 5
/** A longer id was not typed by hand, and searching and comparing it is slow. */
const MAX_ID_CHARS = 120
const MAX_ID_WORDS = 12
/** Search results that are compared by edit distance. */
const MAX_COMPARED = 60

/** Ids of the devices most similar to an unknown id, most similar first. */
export function suggestDeviceIds(registry: Registry, id: string): string[] {
  if (id.length > MAX_ID_CHARS) return []
  return sortByEditDistance(searchDeviceIds(registry, id), id)
}

/** Ids of the variants most similar to an unknown id: of its device if that exists, else of the most similar devices. */
export function suggestVariantIds(registry: Registry, id: string): string[] {
  if (id.length > MAX_ID_CHARS) return []
  const prefixId = longestDeviceIdPrefix(registry, id)
  const deviceIds = prefixId === undefined ? sortByEditDistance(searchDeviceIds(registry, id), id) : [prefixId]
  return sortByEditDistance(
    deviceIds.flatMap((deviceId) => registry.findDevice(deviceId)?.variants.map((variant) => variant.id) ?? []),
    id,
  )
}

/** The longest prefix that is a device id. */
function longestDeviceIdPrefix(registry: Registry, id: string): string | undefined {
  for (let end = id.length; end > 0; end = id.lastIndexOf('-', end - 1)) {
    const prefix = id.slice(0, end)
    if (registry.findDeviceNumber(prefix) !== undefined) return prefix
  }
  return undefined
}

/** Devices found by the words of the id; if none has all words, by as many of them as possible, from the left. */
function searchDeviceIds(registry: Registry, id: string): string[] {
  const words = id.split(/[^A-Za-z0-9]+/).filter(Boolean)
  if (words.length > MAX_ID_WORDS) return []
  let found: readonly number[] = []
  // What has more words has fewer too, so that half of the counts need no search.
  for (let [fewest, most] = [1, words.length] as [number, number]; fewest <= most; ) {
    const count = Math.ceil((fewest + most) / 2)
    const term = parseSearchTerm(words.slice(0, count).join(' '))
    const matches = term ? registry.searchDevices(term).matches : []
    if (matches.length > 0) {
      found = matches
      fewest = count + 1
    } else most = count - 1
  }
  return found.slice(0, MAX_COMPARED).map((number) => registry.deviceAt(number).id)
}

function sortByEditDistance(ids: readonly string[], id: string): string[] {
  const lowerCaseId = id.toLowerCase()
  return ids
    .map((candidate) => ({ candidate, distance: editDistance(lowerCaseId, candidate, MAX_ID_CHARS) }))
    .sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, MAX_SUGGESTIONS)
    .map(({ candidate }) => candidate)
}

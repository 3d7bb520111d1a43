import { editDistance } from '../lib/edit-distance.ts'
import { isLarge } from './registry-rows.ts'
import { parseSearchTerm } from './search/search-term.ts'
import type { CatalogueSnapshot } from './snapshot.ts'

const MAX_SUGGESTIONS = 5
/** What is longer was not written by hand, and comparing it takes long. */
const MAX_ID_CHARS = 120
/** So many of what a search finds are compared letter by letter. */
const MAX_COMPARED = 60

/** Ids of devices that look most like one that is not there, nearest first. */
export function suggestDeviceIds(snapshot: CatalogueSnapshot, id: string): string[] {
  if (id.length > MAX_ID_CHARS || isIndexPending(snapshot)) return []
  return sortByEditDistance(searchDeviceIds(snapshot, id), id)
}

/** Ids of variants that look most like one that is not there: of its device if that is there, else of the nearest devices. */
export function suggestVariantIds(snapshot: CatalogueSnapshot, id: string): string[] {
  if (id.length > MAX_ID_CHARS || isIndexPending(snapshot)) return []
  const own = longestDeviceIdPrefix(snapshot, id)
  const devices = own === undefined ? sortByEditDistance(searchDeviceIds(snapshot, id), id) : [own]
  return sortByEditDistance(
    devices.flatMap((device) => snapshot.findDevice(device)?.variants.map((variant) => variant.id) ?? []),
    id,
  )
}

/** Of a large registry what is searched in is made between requests: a hint is not worth making everybody wait for it. */
function isIndexPending({ searchIndex: index, devices }: CatalogueSnapshot): boolean {
  return !index.isDone() && isLarge(devices.length)
}

/** The longest beginning that is the id of a device. */
function longestDeviceIdPrefix(snapshot: CatalogueSnapshot, id: string): string | undefined {
  for (let end = id.length; end > 0; end = id.lastIndexOf('-', end - 1)) {
    const beginning = id.slice(0, end)
    if (snapshot.placeOfDevice.has(beginning)) return beginning
  }
  return undefined
}

/** Devices that a search by the words of the id finds; where nothing has them all, by fewer of them, from the left. */
function searchDeviceIds(snapshot: CatalogueSnapshot, id: string): string[] {
  const words = id.split(/[^A-Za-z0-9]+/).filter(Boolean)
  for (let count = words.length; count > 0; count--) {
    const term = parseSearchTerm(words.slice(0, count).join(' '))
    const places = term ? snapshot.searchDevices(term) : []
    if (places.length > 0) {
      return [...places.slice(0, MAX_COMPARED)].map((place) => snapshot.devices.id(place))
    }
  }
  return []
}

function sortByEditDistance(ids: readonly string[], id: string): string[] {
  const sent = id.toLowerCase()
  return ids
    .map((each) => ({ each, errors: editDistance(sent, each, MAX_ID_CHARS) }))
    .sort((a, b) => a.errors - b.errors || (a.each < b.each ? -1 : 1))
    .slice(0, MAX_SUGGESTIONS)
    .map(({ each }) => each)
}

import { editDistance } from '../text/edit-distance.ts'
import { isLarge } from './registry-rows.ts'
import type { Snapshot } from './snapshot.ts'
import { readTerm } from './words.ts'

const MOST_NAMED = 5
/** What is longer was not written by hand, and comparing it takes long. */
const LONGEST_ID = 120
/** So many of what a search finds are compared letter by letter. */
const MOST_COMPARED = 60

/** Ids of devices that look most like one that is not there, nearest first. */
export function nearestDevices(snapshot: Snapshot, id: string): string[] {
  if (id.length > LONGEST_ID || mustWait(snapshot)) return []
  return nearestOf(found(snapshot, id), id)
}

/** Ids of variants that look most like one that is not there: of its device if that is there, else of the nearest devices. */
export function nearestVariants(snapshot: Snapshot, id: string): string[] {
  if (id.length > LONGEST_ID || mustWait(snapshot)) return []
  const own = deviceIn(snapshot, id)
  const devices = own === undefined ? nearestOf(found(snapshot, id), id) : [own]
  return nearestOf(
    devices.flatMap((device) => snapshot.findDevice(device)?.variants.map((variant) => variant.id) ?? []),
    id,
  )
}

/** Of a large registry what is searched in is made between requests: a hint is not worth making everybody wait for it. */
function mustWait({ index, devices }: Snapshot): boolean {
  return !index.isDone() && isLarge(devices.length)
}

/** The longest beginning that is the id of a device. */
function deviceIn(snapshot: Snapshot, id: string): string | undefined {
  for (let end = id.length; end > 0; end = id.lastIndexOf('-', end - 1)) {
    const beginning = id.slice(0, end)
    if (snapshot.placeOfDevice.has(beginning)) return beginning
  }
  return undefined
}

/** Devices that a search by the words of the id finds; where nothing has them all, by fewer of them, from the left. */
function found(snapshot: Snapshot, id: string): string[] {
  const words = id.split(/[^A-Za-z0-9]+/).filter(Boolean)
  for (let count = words.length; count > 0; count--) {
    const term = readTerm(words.slice(0, count).join(' '))
    const places = term ? snapshot.searchDevices(term) : []
    if (places.length > 0) {
      return [...places.slice(0, MOST_COMPARED)].map((place) => snapshot.devices.id(place))
    }
  }
  return []
}

function nearestOf(ids: readonly string[], id: string): string[] {
  const sent = id.toLowerCase()
  return ids
    .map((each) => ({ each, errors: editDistance(sent, each, LONGEST_ID) }))
    .sort((a, b) => a.errors - b.errors || (a.each < b.each ? -1 : 1))
    .slice(0, MOST_NAMED)
    .map(({ each }) => each)
}

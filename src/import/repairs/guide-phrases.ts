/** Detects faults, parts, difficulties and times in the words of repair guides and lists. */
import type { Difficulty, FaultKind, PartKind } from '../../repairs/fault-kinds.ts'

/** The first match counts, so specific phrases come before general words ("rear glass" before "glass"). */
const FAULT_RULES: readonly { readonly kind: FaultKind; readonly when: RegExp }[] = [
  {
    kind: 'back-cover',
    when: /\b(?:rear|back) (?:glass|cover|case|panel|housing)|\b(?:midframe|bezel|housing|enclosure)\b/,
  },
  { kind: 'camera', when: /\bcameras?\b|\blens(?:es)?\b/ },
  { kind: 'trackpad', when: /\btrack ?pad\b|\btouch ?pad\b/ },
  { kind: 'keyboard', when: /\bkey ?board\b|\bupper case\b|\btop case\b|\bkeys?\b/ },
  { kind: 'stick', when: /\b(?:analog(?:ue)?|thumb|joy) ?-?sticks?\b|\bstick drift\b/ },
  { kind: 'hdmi-port', when: /\bhdmi\b/ },
  { kind: 'optical-drive', when: /\b(?:optical|disc|disk|blu-?ray|dvd|cd) drive\b/ },
  { kind: 'power-supply', when: /\bpower supply\b|\bpsu\b/ },
  { kind: 'battery', when: /\bbatter(?:y|ies)\b/ },
  {
    kind: 'charging-port',
    when: /\b(?:charg(?:e|ing)|lightning|dock|usb(?:-?c)?|dc-?in|magsafe)[a-z -]{0,12}(?:port|connector|jack|assembly|board)\b|\bcharging port\b/,
  },
  { kind: 'headphone-jack', when: /\b(?:head ?phone|audio|aux) (?:jack|port)\b/ },
  { kind: 'sim-slot', when: /\bsim\b/ },
  { kind: 'memory-card', when: /\b(?:sd|memory|game)(?: card)? (?:card|reader|slot)\b|\bcard reader\b/ },
  { kind: 'screen', when: /\b(?:screen|display|lcd|oled|digiti[sz]er|front panel|front glass|glass)\b/ },
  { kind: 'speaker', when: /\b(?:loud ?)?speakers?\b|\bear(?:piece| speaker)\b/ },
  { kind: 'microphone', when: /\bmicrophones?\b|\bmic\b/ },
  { kind: 'crown', when: /\bcrown\b/ },
  { kind: 'hinge', when: /\bhinges?\b/ },
  { kind: 'fan', when: /\bfans?\b|\bheat ?sinks?\b|\bthermal paste\b|\bcooling\b/ },
  { kind: 'storage', when: /\b(?:ssd|hard drive|storage|hdd|m\.2|nvme)\b/ },
  { kind: 'board', when: /\b(?:mother|logic|main) ?board\b/ },
  { kind: 'buttons', when: /\b(?:power|volume|home|mute|side|action)? ?(?:buttons?|switch)\b/ },
  { kind: 'connectivity', when: /\bantennas?\b|\bwi-?fi\b|\bbluetooth\b/ },
  { kind: 'sensor', when: /\bsensors?\b/ },
  { kind: 'ports', when: /\b(?:ports?|connectors?|i\/?o board)\b/ },
  { kind: 'liquid', when: /\b(?:liquid|water) damage\b/ },
]

export function detectFault(text: string): FaultKind | null {
  const plain = text.toLowerCase()
  return FAULT_RULES.find(({ when }) => when.test(plain))?.kind ?? null
}

export function detectPart(text: string): PartKind {
  return /\badhesives?\b|\bglue\b|\btape\b|\bseal\b/i.test(text) ? 'adhesive' : (detectFault(text) ?? 'other')
}

const DIFFICULTY_WORDS: Readonly<Record<string, Difficulty>> = {
  'very easy': 'very_easy',
  easy: 'easy',
  moderate: 'moderate',
  difficult: 'difficult',
  'very difficult': 'very_difficult',
}

export function parseDifficulty(text: string): Difficulty | null {
  const plain = text
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
  return DIFFICULTY_WORDS[plain] ?? null
}

const MINUTES_PER: Readonly<Record<string, number>> = { s: 1 / 60, m: 1, h: 60, d: 24 * 60 }
const MAX_MINUTES = 10_000

/**
 * "45 minutes", "30 minutes - 1 hour", "1 - 2 hours", "1 hour 30 minutes": the midpoint in minutes. A number without a unit
 * takes the next unit. Null if no time is stated.
 */
export function parseMinutes(text: string): number | null {
  const rangeEnds = text
    .toLowerCase()
    .split(/\s*(?:-|–|—|\bto\b)\s*/)
    .slice(0, 2)
  const amountsByEnd = rangeEnds.map((end) => [...end.matchAll(/(\d{1,5}(?:[.,]\d{1,2})?)\s*([smhd])?/g)])
  let unit = ''
  const minutes = amountsByEnd
    .reverse()
    .map((amounts) => {
      let total = 0
      for (const [, amount = '', ownUnit] of amounts.reverse()) {
        unit = ownUnit ?? unit
        total += Number(amount.replace(',', '.')) * (MINUTES_PER[unit] ?? Number.NaN)
      }
      return total
    })
    .filter((total) => total > 0)
  return midpoint(minutes)
}

/** Midpoint of a range in seconds; either end may be missing. */
export function secondsToMinutes(min: number | null, max: number | null): number | null {
  return midpoint([min, max].flatMap((seconds) => (seconds !== null && seconds > 0 ? [seconds / 60] : [])))
}

function midpoint(minutes: readonly number[]): number | null {
  if (minutes.length === 0) return null
  const mean = Math.round(minutes.reduce((sum, value) => sum + value, 0) / minutes.length)
  return mean >= 1 && mean <= MAX_MINUTES ? mean : null
}

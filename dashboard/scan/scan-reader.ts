/** A barcode scanner types faster than a person: its keys follow each other within this time. */
const SCANNER_GAP_MS = 50
const MIN_SCAN_LENGTH = 8
/** A wireless scanner pauses in the middle: after so many fast keys, what follows soon is the rest of the same scan. */
const MIN_FAST_KEYS = 3
const SCANNER_PAUSE_MS = 300
/** Digits that are the beginning or the end of an IMEI; product codes have 12 or 13. */
const FRAGMENT = /^\d{4,11}$/
/** No person types so many keys so fast: after them the Enter of a slow connection is still that of the scanner. */
const SCANNER_ENTER_GAP_MS = 400

/** Where a key goes: `form` is a field of a dialog that Enter would send, `dialog` the rest of a dialog. */
export type KeyTarget = 'page' | 'field' | 'form' | 'dialog'
export type PressedKey = {
  readonly key: string
  /** In milliseconds since the page began. */
  readonly at: number
  readonly target: KeyTarget
}
/** What a key means. A key that is taken must not reach its target. */
export type KeyReading = {
  readonly isTaken?: boolean
  /** What the scanner typed, ended by this Enter. */
  readonly scan?: string
  /** The first keys of the scan came before the page could receive them. */
  readonly isLost?: boolean
}

const PASSED: KeyReading = {}
const TAKEN: KeyReading = { isTaken: true }

/**
 * Tells scans from typing. A scan that began outside of every field stays one when a field gets the focus meanwhile, and a
 * scan whose field disappears goes on outside. The Enter of a scanner sends no form of a dialog and presses none of its
 * buttons: the next device, scanned too early, must not confirm the purchase of this one.
 */
export function scanReader(startedAt: number) {
  let typed = { text: '', at: Number.NEGATIVE_INFINITY, fastKeys: 0, isForPage: false, isWhole: true }
  const isScanner = () => typed.fastKeys >= MIN_FAST_KEYS

  function pressEnter(isScanning: boolean, target: KeyTarget): KeyReading {
    const { text, isForPage, isWhole } = typed
    const isFragment = isScanner() && FRAGMENT.test(text)
    typed = { ...typed, text: '', at: Number.NEGATIVE_INFINITY }
    if (!isScanning) return PASSED
    const isScan = text.length >= MIN_SCAN_LENGTH
    if (target === 'dialog' || target === 'form') return isScan ? TAKEN : PASSED
    if (target === 'field' && !isForPage) return PASSED
    if (isFragment || (!isWhole && !/^\d{15}$/.test(text))) return { isTaken: true, isLost: true }
    return isScan ? { isTaken: true, scan: text } : PASSED
  }

  return {
    /** The keys of the scan or word that is being typed. */
    typed: () => typed.text,
    /** How long the next key may take to belong to them. */
    maxGapMs() {
      if (typed.text.length >= MIN_SCAN_LENGTH) return SCANNER_ENTER_GAP_MS
      return isScanner() ? SCANNER_PAUSE_MS : SCANNER_GAP_MS
    },
    press({ key, at, target }: PressedKey): KeyReading {
      if (key === 'Enter') return pressEnter(at - typed.at <= this.maxGapMs(), target)
      const isFast = at - typed.at <= SCANNER_GAP_MS
      const isScanning = isFast || (isScanner() && at - typed.at < SCANNER_PAUSE_MS)
      // A scanner holds Shift for capital letters.
      if (key === 'Shift' && isScanning) typed = { ...typed, at }
      if (key.length !== 1) return PASSED
      if (!isScanning) {
        typed = {
          text: key,
          at,
          fastKeys: 0,
          isForPage: target === 'page',
          isWhole: at - startedAt > SCANNER_GAP_MS,
        }
        return PASSED
      }
      typed = { ...typed, text: typed.text + key, at, fastKeys: typed.fastKeys + (isFast ? 1 : 0) }
      return typed.isForPage && target === 'field' ? TAKEN : PASSED
    },
  }
}

import { useEffectEvent, useLayoutEffect, useSyncExternalStore } from 'react'
import { type KeyTarget, scanReader } from './scan-reader.ts'

/** A scan waits this long for a page that is still loading. */
const MAX_WAIT_MS = 30_000

type ScanHandler = (text: string) => unknown

const reader = scanReader(performance.now())
/** The page that is open, and what serves a scan that no page asks for. */
const handlers: { page: ScanHandler | undefined; other: ScanHandler | undefined } = {
  page: undefined,
  other: undefined,
}
const keyListeners = new Set<(key: string) => void>()
const lossListeners = new Set<() => void>()
const waiting: { readonly text: string; readonly at: number }[] = []
let isDelivering = false
let isLost = false
/** Keys of a scan that a field did not get, until it is known to be one. */
let withheld = false
let timer: ReturnType<typeof setTimeout> | undefined

/** Hands waiting scans to the page, one after the other: the second IMEI belongs to what the first one opened. */
async function deliver(): Promise<void> {
  if (isDelivering) return
  isDelivering = true
  for (;;) {
    const handle = handlers.page ?? handlers.other
    const scan = handle && waiting.shift()
    if (!scan) break
    if (performance.now() - scan.at > MAX_WAIT_MS) continue
    // The page shows its errors.
    await Promise.resolve(handle(scan.text)).catch(() => {})
    // What was opened is rendered first.
    await new Promise((resolve) => setTimeout(resolve))
  }
  isDelivering = false
}

/** A scan, as if it were made now. */
export function passScan(text: string): void {
  waiting.push({ text, at: performance.now() })
  void deliver()
}

function setLost(next: boolean): void {
  if (isLost === next) return
  isLost = next
  for (const notify of lossListeners) notify()
}

function targetOf({ target }: KeyboardEvent): KeyTarget {
  if (!(target instanceof Element)) return 'page'
  const field = target.closest('input:not([type=radio], [type=checkbox], [type=range]), textarea, select')
  const dialog = target.closest('dialog')
  if (!dialog) return field ? 'field' : 'page'
  // A password or the search of the dialog is meant to be sent at once.
  return field ? (field.matches('form input:not([type=password])') ? 'form' : 'field') : 'dialog'
}

/** What was typed is no scan: a single key is a shortcut, and keys that a field did not get are typed into it. */
function endTyping(text: string): void {
  if (withheld) document.execCommand('insertText', false, text)
  else if (text.length === 1) for (const notify of keyListeners) notify(text)
  withheld = false
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const target = targetOf(event)
  const typedBefore = reader.typed()
  const { isTaken, scan, isLost: isCut } = reader.press({ key: event.key, at: event.timeStamp, target })
  if (isTaken) {
    event.preventDefault()
    event.stopPropagation()
  }
  clearTimeout(timer)
  if (event.key === 'Enter') {
    if (scan !== undefined || isCut) withheld = false
    else if (withheld) endTyping(typedBefore)
  } else if (target === 'page' || isTaken) {
    withheld ||= isTaken === true
    timer = setTimeout(() => endTyping(reader.typed()), reader.maxGapMs())
  }
  if (isCut) setLost(true)
  if (scan === undefined) return
  setLost(false)
  passScan(scan)
}

// From the first moment: a scan may begin before the page for it is loaded.
document.addEventListener('keydown', onKeyDown, true)

/** Receives what a scanner types while no field has the focus. `onKey`: a single key that a person presses. */
export function useKeyboardScan({ onScan, onKey }: { onScan: ScanHandler; onKey?: (key: string) => void }): void {
  const scanned = useEffectEvent(onScan)
  const pressed = useEffectEvent((key: string) => onKey?.(key))
  // Other effects may run after the timer that hands a waiting scan to `useOtherScans`, which would drop it.
  useLayoutEffect(() => {
    const handle: ScanHandler = (text) => scanned(text)
    const listen = (key: string) => pressed(key)
    handlers.page = handle
    keyListeners.add(listen)
    void deliver()
    return () => {
      if (handlers.page === handle) handlers.page = undefined
      keyListeners.delete(listen)
    }
  }, [])
}

/** Receives scans on pages that have no use of their own for them. Not while such a page is loading: it may have one. */
export function useOtherScans(onScan: ScanHandler): void {
  const scanned = useEffectEvent(onScan)
  // Unlike other effects this one ends while the page is replaced by what is shown during loading.
  useLayoutEffect(() => {
    const handle: ScanHandler = (text) => scanned(text)
    handlers.other = handle
    // After the effects of the page.
    const delivery = setTimeout(deliver)
    return () => {
      clearTimeout(delivery)
      handlers.other = undefined
    }
  }, [])
}

/** Whether the beginning of the last scan was lost. */
export const useScanLost = () =>
  useSyncExternalStore(
    (notify) => {
      lossListeners.add(notify)
      return () => lossListeners.delete(notify)
    },
    () => isLost,
  )

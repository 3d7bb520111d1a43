import { useEffect, useEffectEvent, useRef } from 'react'

/** A barcode scanner types faster than a person: its keys follow each other within this time. */
const SCANNER_GAP_MS = 50
const MIN_SCAN_LENGTH = 8

/** Keys for the page, as opposed to those for a field, a dialog or the browser. */
function isForPage({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  const isTyping =
    target instanceof Element &&
    target.closest('input:not([type=radio], [type=checkbox], [type=range]), textarea, select, dialog') !== null
  return !isTyping && !ctrlKey && !metaKey && !altKey
}

/**
 * Keys that are pressed while no field has the focus. What a scanner types, ended by Enter, is one scan; a key of a person is
 * reported when no other one follows it, so that a scan is not taken for shortcuts.
 */
export function useKeyboardScan(handlers: {
  readonly onScan: (text: string) => void
  readonly onKey?: (key: string) => void
}): void {
  const typed = useRef({ text: '', at: 0, timer: 0 })
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const { text, at, timer } = typed.current
    const isScanning = event.timeStamp - at <= SCANNER_GAP_MS
    if (event.key === 'Enter' && isScanning && text.length >= MIN_SCAN_LENGTH && isForPage(event)) {
      // Enter would press the button that has the focus.
      event.preventDefault()
      typed.current = { text: '', at: 0, timer: 0 }
      handlers.onScan(text)
    }
    if (event.key.length !== 1 || !isForPage(event)) return
    clearTimeout(timer)
    const key = event.key
    const isFirst = !isScanning
    typed.current = {
      text: isFirst ? key : text + key,
      at: event.timeStamp,
      timer: isFirst ? window.setTimeout(() => onSingleKey(key), SCANNER_GAP_MS) : 0,
    }
  })
  const onSingleKey = useEffectEvent((key: string) => handlers.onKey?.(key))
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown)
    return () => {
      document.removeEventListener('keydown', onKeyDown)
      clearTimeout(typed.current.timer)
    }
  }, [])
}

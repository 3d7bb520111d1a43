import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { useOperation } from '../../queries.ts'
import { handToCheckPage, looksLikeIdentifier } from '../lookups/identifier-check.ts'
import { findPaletteEntries, type PaletteEntry } from './palette-entries.ts'

type Page = { readonly to: string; readonly name: string }

/** Ctrl+K or ⌘K opens the palette; "/" focuses the search field of the page, or opens the palette if there is none. */
export function usePaletteShortcuts(open: () => void): void {
  useEffect(() => {
    function pressed(event: globalThis.KeyboardEvent) {
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault()
        open()
        return
      }
      const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select, dialog')
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      const search = document.querySelector<HTMLInputElement>('main input[type="search"]')
      if (search) search.focus()
      else open()
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [open])
}

export function CommandPalette({ pages, close }: { pages: readonly Page[]; close: () => void }) {
  const { t } = useTranslation('command-palette')
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const [, navigate] = useLocation()
  const id = useId()
  // Identifiers are personal data and are not sent to the search.
  const search = text.trim().length > 1 && !looksLikeIdentifier(text) ? text.trim() : ''
  const query = useOperation('GET /api/devices', search ? { query: { limit: 7, search } } : null)
  const entries = findPaletteEntries(text, pages, search ? (query.data?.data ?? []) : [])
  const chosen = Math.min(at, entries.length - 1)

  useEffect(() => {
    if (dialog.current && !dialog.current.open) dialog.current.showModal()
  }, [])

  function go(entry: PaletteEntry | undefined) {
    if (!entry) return
    if (entry.identifier) handToCheckPage(entry.identifier)
    dialog.current?.close()
    navigate(entry.to)
  }
  function pressed(event: KeyboardEvent) {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && entries.length > 0) {
      event.preventDefault()
      setAt((chosen + step + entries.length) % entries.length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      go(entries[chosen])
    }
  }

  return (
    <dialog ref={dialog} className="palette" aria-label={t('goTo')} onClose={close}>
      <input
        type="text"
        role="combobox"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={entries.length > 0 ? `${id}-${chosen}` : undefined}
        aria-label={t('search')}
        placeholder={t('placeholder')}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setAt(0)
        }}
        onKeyDown={pressed}
      />
      <div role="listbox" id={id} aria-label={t('results')} className="palette-list" tabIndex={-1}>
        {entries.map((entry, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input above handles the keys
          <div
            key={`${entry.to} ${entry.text}`}
            id={`${id}-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === chosen}
            className="palette-entry"
            onClick={() => go(entry)}
          >
            <span>{entry.text}</span>
            <span className="muted">{entry.kind}</span>
          </div>
        ))}
      </div>
      {entries.length === 0 && !query.isFetching ? <p className="muted palette-none">{t('none')}</p> : null}
    </dialog>
  )
}

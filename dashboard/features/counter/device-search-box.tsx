import { type KeyboardEvent, useId, useState } from 'react'
import { useLocation } from 'wouter'
import type { LookupResultWire } from '../../../src/contract/lookups.ts'
import { apiPost } from '../../api.ts'
import { apiQuery, queryClient, useApiMutation } from '../../queries.ts'
import { useHasTier } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { canScan, ScanDialog } from '../../ui/scan-dialog.tsx'
import { ErrorMessage } from '../../ui/states.tsx'
import { counterUrl, type Deal } from './deal.ts'
import { type SearchSuggestion, useSuggestions } from './search-suggestions.ts'

/** Looks up an identifier and opens the counter with the lookup id, so that the identifier never appears in a URL. */
export function useLookupThenCounter() {
  const change = useApiMutation()
  const [, navigate] = useLocation()
  const lookUp = (identifier: string) =>
    change.mutate(async () => {
      const answer = await apiPost<LookupResultWire>('/account/explore/imei', { identifier })
      const { lookup_id: id } = answer.data
      queryClient.setQueryData(apiQuery(`/account/lookup?id=${id}`).queryKey, answer)
      navigate(counterUrl({ lookup: id }))
    })
  return { lookUp, isPending: change.isPending, error: change.error }
}

/** Search box for an identifier, a model number or a name. `onDevice` replaces opening the counter. */
export function DeviceSearchBox({
  autoFocus = false,
  onDevice,
}: {
  autoFocus?: boolean
  onDevice?: (deal: Partial<Deal>) => void
}) {
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const [scanning, setScanning] = useState(false)
  const [, navigate] = useLocation()
  const { lookUp, isPending, error } = useLookupThenCounter()
  const mayCheck = useHasTier('enterprise')
  const { suggestions, isSettled } = useSuggestions(text)
  const id = useId()
  const isOpen = text.trim() !== '' && suggestions.length > 0
  const chosen = Math.min(active, suggestions.length - 1)

  function take(suggestion: SearchSuggestion | undefined) {
    if (!suggestion) return
    if (suggestion.kind === 'device') onDevice ? onDevice(suggestion.deal) : navigate(counterUrl(suggestion.deal))
    else if (mayCheck) lookUp(suggestion.identifier)
  }
  function onKey(event: KeyboardEvent) {
    if (event.key === 'ArrowDown') setActive(Math.min(suggestions.length - 1, chosen + 1))
    else if (event.key === 'ArrowUp') setActive(Math.max(0, chosen - 1))
    else if (event.key === 'Escape') setText('')
    else return
    event.preventDefault()
  }
  function onScanned(code: string) {
    setScanning(false)
    setText(code)
    if (mayCheck && /^\d{14,16}$/.test(code)) lookUp(code)
  }

  return (
    <form
      className="question"
      onSubmit={(event) => {
        event.preventDefault()
        take(suggestions[chosen])
      }}
    >
      <label className="visually-hidden" htmlFor={id}>
        Find a device
      </label>
      <div className="question-row">
        <input
          id={id}
          type="search"
          role="combobox"
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-activedescendant={isOpen ? `${id}-${chosen}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          // biome-ignore lint/a11y/noAutofocus: typing here is the purpose of the page
          autoFocus={autoFocus}
          maxLength={300}
          placeholder="IMEI, serial, model number or name"
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setActive(0)
          }}
          onKeyDown={onKey}
        />
        {canScan ? <Button onClick={() => setScanning(true)}>Scan</Button> : null}
        <Button variant="primary" type="submit" isBusy={isPending} disabled={!isOpen}>
          Appraise
        </Button>
      </div>
      <div className="question-list" id={`${id}-list`} role="listbox" aria-label="Suggestions" hidden={!isOpen}>
        {suggestions.map((suggestion, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input above handles the keys
          <div
            key={`${suggestion.kind} ${suggestion.id}`}
            id={`${id}-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === chosen}
            onClick={() => take(suggestion)}
            onPointerEnter={() => setActive(i)}
          >
            <strong>{suggestion.name}</strong>
            <span className="muted">
              {suggestion.kind === 'identifier' && !mayCheck
                ? 'Identifier checks need the Enterprise tier'
                : suggestion.detail}
            </span>
          </div>
        ))}
      </div>
      <p className="hint" role="status">
        {text.trim().length >= 2 && isSettled && suggestions.length === 0
          ? 'No match. Try fewer words, or the model number on the device.'
          : ''}
      </p>
      {error ? <ErrorMessage error={error} /> : null}
      {scanning ? <ScanDialog onCode={onScanned} close={() => setScanning(false)} /> : null}
    </form>
  )
}

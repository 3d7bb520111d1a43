import i18next from 'i18next'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { QUOTE_ID } from '../../../src/contract/quotes.ts'
import { callApi, RequestError } from '../../api.ts'
import { queryClient, useLatestMutation } from '../../queries.ts'
import { ScanDialog } from '../../scan/scan-dialog.tsx'
import { useHasTier } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Form } from '../../ui/form.tsx'
import { ErrorMessage } from '../../ui/states.tsx'
import { looksLikeIdentifier, lookupQuery } from '../lookups/identifier-check.ts'
import { counterUrl, type Deal } from './deal.ts'
import { openQuote } from './quote-card.tsx'
import {
  looksLikeSerial,
  matchQuery,
  type SearchSuggestion,
  splitIdentifiers,
  statedChoices,
  textOfDeal,
  useSuggestions,
} from './search-suggestions.ts'

/** Looks up an identifier; only the lookup id is used afterwards, so that the identifier never appears in a URL. */
export async function lookUpIdentifier(identifier: string): Promise<string> {
  const response = await callApi('POST /api/imei', { body: { identifier } })
  const { lookup_id: id } = response.data
  queryClient.setQueryData(lookupQuery(id).queryKey, response)
  return id
}

/** The deal that a text means, read as it was typed; null if no single device matches. */
async function resolveText(typed: string, mayCheck: boolean): Promise<Partial<Deal> | null> {
  const text = typed.trim()
  if (QUOTE_ID.test(text)) return openQuote(text)
  const check = async (identifier: string) => {
    if (!mayCheck) throw new RequestError(403, 'FORBIDDEN', i18next.t('counter:search.needsEnterprise'))
    return lookUpIdentifier(identifier)
  }
  if (looksLikeIdentifier(text)) return { lookup: await check(text) }
  const { text: described, identifier } = splitIdentifiers(text)
  const lookup = identifier && mayCheck ? { lookup: await check(identifier) } : {}
  if (described.length < 2) return lookup.lookup ? lookup : null
  const { data: match } = await queryClient.fetchQuery(matchQuery(described))
  if (match.device_id) return { text: textOfDeal(match), ...lookup, ...statedChoices(match) }
  if (lookup.lookup) return { ...lookup, ...statedChoices(match) }
  return match.candidates.length === 0 && looksLikeSerial(text) ? { lookup: await check(text) } : null
}

/**
 * Search box for an identifier, a model number or a name. Enter reads the text as typed; a suggestion is taken only if it
 * was chosen and belongs to that text. `onDevice` and `onIdentifier` replace opening the counter.
 */
export function DeviceSearchBox({
  autoFocus = false,
  onDevice,
  onIdentifier,
}: {
  autoFocus?: boolean
  onDevice?: (deal: Partial<Deal>) => void
  onIdentifier?: ((identifier: string) => unknown) | undefined
}) {
  const { t } = useTranslation('counter')
  const [text, setText] = useState('')
  /** Row chosen with the arrow keys; -1 for none. */
  const [active, setActive] = useState(-1)
  const [scanning, setScanning] = useState(false)
  /** Text that matched no single device when it was submitted. */
  const [unmatched, setUnmatched] = useState<string | null>(null)
  const [, navigate] = useLocation()
  const resolving = useLatestMutation()
  const submission = useRef(0)
  const input = useRef<HTMLInputElement>(null)
  const mayCheck = useHasTier('enterprise')
  const { suggestions, isFresh } = useSuggestions(text)
  const id = useId()
  const isOpen = text.trim() !== '' && suggestions.length > 0
  const chosen = isFresh ? Math.min(active, suggestions.length - 1) : -1

  const open = (deal: Partial<Deal>) =>
    onDevice && !deal.lookup && !deal.quote ? onDevice(deal) : navigate(counterUrl(deal))

  function resolve(typed: string) {
    if (typed.trim() === '') return
    if (onIdentifier && looksLikeIdentifier(typed)) {
      onIdentifier(typed.trim())
      return
    }
    const own = ++submission.current
    resolving.mutate(async () => {
      const deal = await resolveText(typed, mayCheck)
      // The text was changed or submitted again meanwhile.
      if (own !== submission.current) return
      if (deal) open(deal)
      else setUnmatched(typed.trim())
    })
  }
  function take(suggestion: SearchSuggestion | undefined) {
    if (!suggestion || !isFresh) return
    if (suggestion.kind === 'device') open(suggestion.deal)
    else resolve(suggestion.identifier)
  }
  function submit() {
    // The next scan replaces this one.
    input.current?.select()
    if (chosen >= 0) take(suggestions[chosen])
    else resolve(input.current?.value ?? text)
  }
  function change(value: string) {
    setText(value)
    setActive(-1)
    setUnmatched(null)
    submission.current++
    resolving.reset()
  }
  function onKey(event: KeyboardEvent) {
    if (event.key === 'ArrowDown') setActive(Math.min(suggestions.length - 1, chosen + 1))
    else if (event.key === 'ArrowUp') setActive(Math.max(-1, chosen - 1))
    else if (event.key === 'Escape') change('')
    else return
    event.preventDefault()
  }
  function onScanned(code: string) {
    setScanning(false)
    change(code)
    resolve(code)
  }
  const isUnmatched = unmatched !== null && unmatched === text.trim()
  const status = isUnmatched ? (suggestions.length > 0 ? t('search.ambiguous') : t('search.noMatch')) : ''

  return (
    <Form className="question" submit={submit}>
      <label className="visually-hidden" htmlFor={id}>
        {t('search.label')}
      </label>
      <div className="question-row">
        <input
          id={id}
          ref={input}
          type="search"
          role="combobox"
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-activedescendant={isOpen && chosen >= 0 ? `${id}-${chosen}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          // biome-ignore lint/a11y/noAutofocus: typing here is the purpose of the page
          autoFocus={autoFocus}
          maxLength={300}
          placeholder={t('search.placeholder')}
          value={text}
          onChange={(event) => change(event.target.value)}
          onKeyDown={onKey}
        />
        <Button onClick={() => setScanning(true)}>{t('search.scan')}</Button>
        <Button variant="primary" type="submit" isBusy={resolving.isPending} disabled={text.trim() === ''}>
          {t('search.submit')}
        </Button>
      </div>
      <p className="hint" role="status">
        {status}
      </p>
      <ErrorMessage error={resolving.error} onRetry={() => resolve(input.current?.value ?? text)} />
      <div
        className={isFresh ? 'question-list' : 'question-list question-list-stale'}
        id={`${id}-list`}
        role="listbox"
        aria-label={t('search.suggestions')}
        aria-busy={!isFresh}
        hidden={!isOpen}
      >
        {suggestions.map((suggestion, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input above handles the keys
          <div
            key={`${suggestion.kind} ${suggestion.id}`}
            id={`${id}-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === chosen}
            aria-disabled={!isFresh}
            onClick={() => take(suggestion)}
          >
            <strong>{suggestion.name}</strong>
            <span className="muted">
              {suggestion.kind === 'identifier' && !mayCheck ? t('search.needsEnterprise') : suggestion.detail}
            </span>
          </div>
        ))}
      </div>
      {scanning ? <ScanDialog onCode={onScanned} close={() => setScanning(false)} /> : null}
    </Form>
  )
}

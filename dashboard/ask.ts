import { useEffect, useRef, useState } from 'react'
import type { PageMeta } from '../src/contract/paging.ts'

/** A refusal of the service, in its own words. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly field: string | undefined,
  ) {
    super(message)
  }
}

export type Answered<T> = { readonly data: T; readonly meta: PageMeta | undefined; readonly text: string }

export const SIGNED_OUT = 'di-signed-out'

async function call<T>(path: string, init: RequestInit): Promise<Answered<T>> {
  let response: Response
  try {
    response = await fetch(path, { ...init, credentials: 'same-origin' })
  } catch {
    throw new Refusal(0, 'UNREACHABLE', 'The service cannot be reached. Check the connection and try again.', undefined)
  }
  const text = await response.text()
  const body = JSON.parse(text)
  if (response.ok) return { data: body.data, meta: body.meta, text }
  const { code, message, details } = body.error
  if (response.status === 401 && message === 'Sign in first.') window.dispatchEvent(new Event(SIGNED_OUT))
  throw new Refusal(response.status, code, message, details?.[0]?.field)
}

const get = <T>(path: string, signal?: AbortSignal) => call<T>(path, signal ? { signal } : {})

export const post = <T>(path: string, body: unknown) =>
  call<T>(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })

export type Asked<T> = {
  readonly answer: Answered<T> | undefined
  readonly error: Refusal | undefined
  /** True while what is shown is not, or not yet, the answer to what is asked. */
  readonly loading: boolean
  readonly again: () => void
}

/** Asks whenever the path changes and keeps showing the last answer until the next is there, so that nothing jumps. */
export function useAsk<T>(path: string | null): Asked<T> {
  const [answer, setAnswer] = useState<Answered<T>>()
  const [error, setError] = useState<Refusal>()
  const [loading, setLoading] = useState(path !== null)
  const [round, setRound] = useState(0)
  const askedFor = useRef('')

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks the same again
  useEffect(() => {
    if (path === null) return
    const aborter = new AbortController()
    // A list that only changed its filter keeps its rows meanwhile; another page starts empty.
    const [place = ''] = path.split('?')
    if (askedFor.current !== place) setAnswer(undefined)
    askedFor.current = place
    setLoading(true)
    get<T>(path, aborter.signal).then(
      (got) => {
        setAnswer(got)
        setError(undefined)
        setLoading(false)
      },
      (refusal) => {
        if (aborter.signal.aborted) return
        setError(refusal instanceof Refusal ? refusal : new Refusal(0, 'FAILED', String(refusal), undefined))
        setLoading(false)
      },
    )
    return () => aborter.abort()
  }, [path, round])

  return { answer, error, loading, again: () => setRound((count) => count + 1) }
}

/** One change at a time: what it says when it fails, and whether it is under way. */
export function useChange() {
  const [error, setError] = useState<Refusal>()
  const [busy, setBusy] = useState(false)
  async function run(work: () => Promise<void>): Promise<void> {
    setBusy(true)
    setError(undefined)
    try {
      await work()
    } catch (refusal) {
      setError(refusal instanceof Refusal ? refusal : new Refusal(0, 'FAILED', String(refusal), undefined))
    }
    setBusy(false)
  }
  return { error, busy, run, clear: () => setError(undefined) }
}

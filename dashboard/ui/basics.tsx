import type { UseQueryResult } from '@tanstack/react-query'
import {
  type ButtonHTMLAttributes,
  type ComponentProps,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import type { ApiResponse, RequestError } from '../api.ts'

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  readonly variant?: 'main' | 'plain' | 'danger' | 'bare'
  readonly isBusy?: boolean
}

export function Button({ variant: look = 'plain', isBusy: busy = false, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`button button-${look}`}
      disabled={busy || rest.disabled}
      aria-busy={busy}
    >
      {children}
    </button>
  )
}

export function CopyButton({ text, what }: { text: string; what: string }) {
  const [said, setSaid] = useState('')
  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setSaid('Copied')
    } catch {
      setSaid('Copy failed')
    }
    setTimeout(() => setSaid(''), 1500)
  }
  return (
    <button type="button" className="copy" onClick={copy}>
      {said || 'Copy'}
      <span className="unseen"> {what}</span>
    </button>
  )
}

export function PageHeader({ title, lead, children }: { title: string; lead?: ReactNode; children?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Device Intelligence`
  }, [title])
  return (
    <div className="page-head">
      <div>
        <h1>{title}</h1>
        {lead ? <p className="lead">{lead}</p> : null}
      </div>
      {children ? <div className="page-actions">{children}</div> : null}
    </div>
  )
}

export function Card({
  title,
  note,
  action,
  children,
}: {
  title?: ReactNode
  note?: ReactNode
  action?: ReactNode
  children: ReactNode
}) {
  return (
    <section className="card">
      {title ? (
        <header className="card-head">
          <h2>{title}</h2>
          {action}
        </header>
      ) : null}
      {note ? <p className="note">{note}</p> : null}
      {children}
    </section>
  )
}

export function ErrorMessage({ error, again }: { error: RequestError; again?: () => unknown }) {
  return (
    <div className="problem" role="alert">
      <p>{error.message}</p>
      {again ? <Button onClick={again}>Try again</Button> : null}
    </div>
  )
}

export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {children}
    </div>
  )
}

export function LoadingSkeleton({ lines = 4 }: { lines?: number }) {
  return (
    <div className="loading" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all the same
        <span key={i} className="bone" />
      ))}
    </div>
  )
}

/** Shows the data of a query, its error or a loading skeleton. */
export function QueryView<T>({
  asked,
  lines,
  title,
  children,
}: {
  asked: UseQueryResult<ApiResponse<T>>
  lines?: number
  /** Page title while loading. */
  title?: string
  children: (data: T, answer: ApiResponse<T>) => ReactNode
}) {
  if (asked.error && (!asked.data || !asked.isFetching)) {
    return (
      <>
        {title ? <PageHeader title={title} /> : null}
        <ErrorMessage error={asked.error} again={asked.refetch} />
      </>
    )
  }
  if (!asked.data) {
    return (
      <>
        {title ? <PageHeader title={title} /> : null}
        <LoadingSkeleton lines={lines ?? 4} />
      </>
    )
  }
  return <div className={asked.isPlaceholderData ? 'fading' : undefined}>{children(asked.data.data, asked.data)}</div>
}

export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'blue' | 'violet' | 'accent'

export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`badge badge-${tone}`}>{children}</span>
}

const TIER_TONES = { public: 'accent', paid: 'warn', enterprise: 'violet' } as const

export function TierBadge({ tier }: { tier: keyof typeof TIER_TONES }) {
  return <Badge tone={TIER_TONES[tier]}>{tier}</Badge>
}

export function Field({
  label,
  hint,
  error,
  children,
}: {
  label: string
  hint?: string | undefined
  error?: string | undefined
  children: (props: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean }) => ReactNode
}) {
  const id = useId()
  const hintId = `${id}-hint`
  const below = error ?? hint
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': below ? hintId : undefined, 'aria-invalid': error !== undefined })}
      {below ? (
        <p id={hintId} className={error ? 'field-error' : 'hint'}>
          {below}
        </p>
      ) : null}
    </div>
  )
}

type TextFieldProps = Omit<ComponentProps<'input'>, 'id' | 'onChange' | 'value'> & {
  label: string
  hint?: string | undefined
  error?: string | undefined
  value: string
  onValueChange: (text: string) => void
}

export function TextField({ label, hint, error, onValueChange: change, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(props) => <input {...input} {...props} onChange={(event) => change(event.target.value)} />}
    </Field>
  )
}

/**
 * Native modal dialog. `isPersistent`: Escape does not close it, for content that is shown only once.
 */
export function Dialog({
  title,
  close,
  stays = false,
  children,
}: {
  title: string
  close: () => void
  stays?: boolean
  children: ReactNode
}) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = ref.current
    if (!dialog || dialog.open) return
    dialog.showModal()
    // The default focus would be the close button.
    dialog.querySelector<HTMLElement>('input, select, textarea')?.focus()
  }, [])
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      onClose={close}
      onCancel={(event) => (stays ? event.preventDefault() : undefined)}
      // Browsers close a dialog on a second Escape even if `cancel` was prevented.
      onKeyDown={(event) => (stays && event.key === 'Escape' ? event.preventDefault() : undefined)}
    >
      <div className="dialog-head">
        <h2 id={id}>{title}</h2>
        {stays ? null : (
          <button type="button" className="dialog-close" aria-label="Close" onClick={() => ref.current?.close()}>
            ×
          </button>
        )}
      </div>
      {children}
    </dialog>
  )
}

/** Scroll area of a table. `asCards`: on phones each row becomes a card labelled by `data-label`. */
export function TableScroll({
  label,
  cards = false,
  children,
}: {
  label: string
  cards?: boolean
  children: ReactNode
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scroll areas must be reachable by keyboard
    <section className={cards ? 'scroll cards' : 'scroll'} aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}

export function Pagination({
  meta,
  to,
}: {
  meta: { page: number; total_pages: number; has_next: boolean; has_prev: boolean }
  to: (page: number) => void
}) {
  if (meta.total_pages <= 1) return null
  return (
    <nav className="pages" aria-label="Pages">
      <Button disabled={!meta.has_prev} onClick={() => to(meta.page - 1)}>
        Previous
      </Button>
      <span>
        Page {meta.page} of {meta.total_pages}
      </span>
      <Button disabled={!meta.has_next} onClick={() => to(meta.page + 1)}>
        Next
      </Button>
    </nav>
  )
}

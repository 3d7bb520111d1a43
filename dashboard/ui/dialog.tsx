import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '../queries.ts'
import { Button } from './button.tsx'
import { Form } from './form.tsx'
import { ErrorMessage } from './states.tsx'

/**
 * Native modal dialog. `isPersistent`: Escape does not close it, for content that is shown only once.
 */
export function Dialog({
  title,
  onClose,
  isPersistent = false,
  children,
}: {
  title: string
  onClose: () => void
  isPersistent?: boolean
  children: ReactNode
}) {
  const { t } = useTranslation()
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
      onClose={onClose}
      onCancel={(event) => (isPersistent ? event.preventDefault() : undefined)}
      // Browsers close a dialog on a second Escape even if `cancel` was prevented.
      onKeyDown={(event) => (isPersistent && event.key === 'Escape' ? event.preventDefault() : undefined)}
    >
      <div className="dialog-head">
        <h2 id={id}>{title}</h2>
        {isPersistent ? null : (
          <button
            type="button"
            className="dialog-close"
            aria-label={t('action.close')}
            onClick={() => ref.current?.close()}
          >
            ×
          </button>
        )}
      </div>
      {children}
    </dialog>
  )
}

/** Shows something once, such as a secret: only its button closes it. */
export function OnceDialog({ title, close, children }: { title: string; close: () => void; children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <Dialog title={title} onClose={close} isPersistent>
      {children}
      <div className="dialog-actions">
        <Button variant="primary" onClick={close}>
          {t('action.done')}
        </Button>
      </div>
    </Dialog>
  )
}

/** Message of a rejected field, for the children to show at it. */
export type ErrorAt = (field: string) => string | undefined

/** Dialog with a form that sends one change, or with a question to confirm it. It closes unless that failed. */
export function FormDialog<Result>({
  title,
  action,
  cancel,
  isDangerous = false,
  isDisabled = false,
  send,
  onSent,
  close,
  children,
}: {
  title: string
  /** Label of the button that sends the change. */
  action: string
  cancel?: string
  isDangerous?: boolean
  /** Whether something is still missing that the form itself cannot require. */
  isDisabled?: boolean
  send: () => Promise<Result>
  /** Replaces closing the dialog after the change. */
  onSent?: (result: Result) => void
  close: () => void
  children: ReactNode | ((errorAt: ErrorAt) => ReactNode)
}) {
  const { t } = useTranslation()
  const { error, isPending, mutate } = useApiMutation()
  const errorAt: ErrorAt = (field) => (error?.field?.startsWith(field) ? error.message : undefined)
  const submit = () =>
    mutate(async () => {
      const result = await send()
      if (onSent) onSent(result)
      else close()
    })
  return (
    <Dialog title={title} onClose={close}>
      <Form className="stack" submit={submit}>
        {typeof children === 'function' ? children(errorAt) : children}
        <ErrorMessage error={error} />
        <div className="dialog-actions">
          <Button onClick={close}>{cancel ?? t('action.cancel')}</Button>
          <Button variant={isDangerous ? 'danger' : 'primary'} type="submit" disabled={isDisabled} isBusy={isPending}>
            {action}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

import type { FormEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '../queries.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { ErrorMessage } from './states.tsx'

/** Message of a rejected field, for the children to show at it. */
export type ErrorAt = (field: string) => string | undefined

/** Dialog with a form that sends one change, or with a question to confirm it. An error leaves the dialog open. */
export function FormDialog({
  title,
  action,
  cancel,
  isDangerous = false,
  send,
  close,
  children,
}: {
  title: string
  /** Label of the button that sends the change. */
  action: string
  cancel?: string
  isDangerous?: boolean
  send: () => Promise<void>
  close: () => void
  children: ReactNode | ((errorAt: ErrorAt) => ReactNode)
}) {
  const { t } = useTranslation()
  const { error, isPending, mutate } = useApiMutation()
  const errorAt: ErrorAt = (field) => (error?.field?.startsWith(field) ? error.message : undefined)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate(send)
  }
  return (
    <Dialog title={title} onClose={close}>
      <form className="stack" onSubmit={submit}>
        {typeof children === 'function' ? children(errorAt) : children}
        {error ? <ErrorMessage error={error} /> : null}
        <div className="dialog-actions">
          <Button onClick={close}>{cancel ?? t('action.cancel')}</Button>
          <Button variant={isDangerous ? 'danger' : 'primary'} type="submit" isBusy={isPending}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '../queries.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Form } from './form.tsx'
import { ErrorMessage } from './states.tsx'

/** Message of a rejected field, for the children to show at it. */
export type ErrorAt = (field: string) => string | undefined

/** Dialog with a form that sends one change, or with a question to confirm it. It closes unless that failed. */
export function FormDialog<Result>({
  title,
  action,
  cancel,
  isDangerous = false,
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
          <Button variant={isDangerous ? 'danger' : 'primary'} type="submit" isBusy={isPending}>
            {action}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

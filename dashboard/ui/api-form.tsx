import { type FormEvent, type ReactNode, useState } from 'react'
import { useApiMutation } from '../queries.ts'
import { Button } from './button.tsx'
import { ErrorMessage } from './states.tsx'

/** Form that sends one change, with its error and, if `saved` is given, a message that it was saved. */
export function ApiForm({
  action,
  saved,
  send,
  children,
}: {
  /** Label of the button that sends the change. */
  action: string
  saved?: string
  send: () => Promise<void>
  children: ReactNode
}) {
  const [isSaved, setSaved] = useState(false)
  const { error, isPending, mutate } = useApiMutation()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setSaved(false)
    mutate(async () => {
      await send()
      setSaved(true)
    })
  }
  return (
    <form className="stack" onSubmit={submit}>
      {children}
      {error ? <ErrorMessage error={error} /> : null}
      {saved && isSaved ? (
        <p role="status" className="success">
          {saved}
        </p>
      ) : null}
      <Button variant="primary" type="submit" isBusy={isPending}>
        {action}
      </Button>
    </form>
  )
}

import { type ComponentProps, type ReactNode, useState } from 'react'
import { useApiMutation } from '../queries.ts'
import { Button, type ButtonProps } from './button.tsx'
import { ErrorMessage } from './states.tsx'

type FormProps = Omit<ComponentProps<'form'>, 'onSubmit'> & { submit: () => void }

export const Form = ({ submit, ...form }: FormProps) => (
  <form
    {...form}
    onSubmit={(event) => {
      event.preventDefault()
      submit()
    }}
  />
)

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
  const submit = () => {
    setSaved(false)
    mutate(async () => {
      await send()
      setSaved(true)
    })
  }
  return (
    <Form className="stack" submit={submit}>
      {children}
      <ErrorMessage error={error} />
      {saved && isSaved ? (
        <p role="status" className="success">
          {saved}
        </p>
      ) : null}
      <Button variant="primary" type="submit" isBusy={isPending}>
        {action}
      </Button>
    </Form>
  )
}

/** Button that sends one change, with its error. */
export function ApiButton({ send, ...button }: ButtonProps & { readonly send: () => Promise<unknown> }) {
  const { error, isPending, mutate } = useApiMutation()
  return (
    <>
      <Button {...button} isBusy={isPending || button.isBusy === true} onClick={() => mutate(send)} />
      <ErrorMessage error={error} />
    </>
  )
}

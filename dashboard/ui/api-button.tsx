import { useApiMutation } from '../queries.ts'
import { Button, type ButtonProps } from './button.tsx'
import { ErrorMessage } from './states.tsx'

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

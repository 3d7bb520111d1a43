import { TextField } from '../../ui/field.tsx'

export type SecretHeader = { readonly name: string; readonly value: string }

export const NO_HEADER: SecretHeader = { name: 'Authorization', value: '' }

/** Header of a request as the API takes it; nothing if no value was entered. */
export const toHeaders = ({ name, value }: SecretHeader) => (name && value ? { [name]: value } : {})

/** A header with a secret. It is written only: the service never shows it again. */
export function SecretHeaderFields({
  header,
  change,
  storedNames,
}: {
  header: SecretHeader
  change: (header: SecretHeader) => void
  storedNames: readonly string[]
}) {
  return (
    <>
      <TextField
        label="Header with the secret"
        value={header.name}
        maxLength={100}
        autoComplete="off"
        onValueChange={(name) => change({ ...header, name })}
      />
      <TextField
        label="Secret"
        hint={
          storedNames.length > 0
            ? `Stored: ${storedNames.join(', ')}. Leave empty to keep it. It is encrypted and never shown.`
            : 'Optional. It is stored encrypted and never shown again.'
        }
        type="password"
        value={header.value}
        maxLength={4_000}
        autoComplete="new-password"
        onValueChange={(value) => change({ ...header, value })}
      />
    </>
  )
}

import { useTranslation } from 'react-i18next'
import { TextField } from '../../ui/field.tsx'

export type SecretHeader = { readonly name: string; readonly value: string }

const [AUTHORIZATION, API_KEY] = ['Authorization', 'X-Api-Key'] as const
export const NO_HEADER: SecretHeader = { name: AUTHORIZATION, value: '' }
export const NO_API_KEY: SecretHeader = { name: API_KEY, value: '' }

/** The field of a request with the header; nothing if no value was entered, so that a stored one stays. */
export const enteredHeaders = ({ name, value }: SecretHeader) => (name && value ? { headers: { [name]: value } } : {})

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
  const { t } = useTranslation('service-settings')
  return (
    <>
      <TextField
        label={t('secret.header')}
        value={header.name}
        maxLength={100}
        autoComplete="off"
        onValueChange={(name) => change({ ...header, name })}
      />
      <SecretField
        label={t('secret.value')}
        hint={t('secret.headerHint')}
        stored={storedNames.join(', ')}
        value={header.value}
        onValueChange={(value) => change({ ...header, value })}
      />
    </>
  )
}

/** `stored`: name of what is stored and kept if the field stays empty. */
export function SecretField({
  label,
  hint,
  stored,
  value,
  onValueChange,
}: {
  label: string
  hint?: string
  stored: string
  value: string
  onValueChange: (value: string) => void
}) {
  const { t } = useTranslation('service-settings')
  return (
    <TextField
      label={label}
      hint={stored ? t('secret.stored', { names: stored }) : (hint ?? t('secret.hint'))}
      type="password"
      value={value}
      maxLength={4_000}
      autoComplete="new-password"
      onValueChange={onValueChange}
    />
  )
}

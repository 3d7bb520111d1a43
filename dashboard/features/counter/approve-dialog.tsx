import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApprovalWire } from '../../../src/contract/approval.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { EmailField, PasswordField, TextField } from '../../ui/field.tsx'

/** A manager enters their credentials at the clerk's screen to allow one offer or purchase. */
export function ApproveDialog<Result>({
  why,
  send,
  close,
  approved,
}: {
  /** Why the person at the screen may not do it alone. */
  why: string
  send: (approval: ApprovalWire) => Promise<Result>
  close: () => void
  approved: (result: Result) => void
}) {
  const { t } = useTranslation('counter')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  return (
    <FormDialog
      title={t('approve.title')}
      action={t('approve.submit')}
      send={() => send({ email, password, ...(code ? { code } : {}) })}
      onSent={approved}
      close={close}
    >
      {(errorAt) => (
        <>
          <p className="doubt">{why}</p>
          <p>{t('approve.lead')}</p>
          <EmailField label={t('approve.email')} autoComplete="off" value={email} onValueChange={setEmail} />
          <PasswordField
            label={t('approve.password')}
            autoComplete="off"
            value={password}
            onValueChange={setPassword}
          />
          {errorAt('approval.code') || code ? (
            <TextField
              label={t('approve.code')}
              inputMode="numeric"
              autoComplete="off"
              required
              value={code}
              onValueChange={setCode}
            />
          ) : null}
        </>
      )}
    </FormDialog>
  )
}

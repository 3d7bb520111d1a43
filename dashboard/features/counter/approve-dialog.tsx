import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AppraisalWire } from '../../../src/contract/appraisal.ts'
import { type ApiResponse, apiPost } from '../../api.ts'
import { useApiMutation } from '../../queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { ErrorMessage } from '../../ui/states.tsx'

/** A manager enters their credentials at the clerk's screen to save one offer above the clerk's limit. */
export function ApproveDialog({
  request,
  close,
  approved,
}: {
  request: Record<string, unknown>
  close: () => void
  approved: (appraisal: ApiResponse<AppraisalWire>) => void
}) {
  const { t } = useTranslation('counter')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const change = useApiMutation()
  const needsCode = change.error?.field === 'code' || code !== ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const credentials = { email, password, ...(code ? { code } : {}) }
    change.mutate(async () => approved(await apiPost('/account/appraisals/approve', { ...credentials, request })))
  }
  return (
    <Dialog title={t('approve.title')} onClose={close}>
      <form className="stack" onSubmit={submit} autoComplete="off">
        <p>{t('approve.lead')}</p>
        <TextField
          label={t('approve.email')}
          type="email"
          autoComplete="off"
          required
          value={email}
          onValueChange={setEmail}
        />
        <TextField
          label={t('approve.password')}
          type="password"
          autoComplete="off"
          required
          value={password}
          onValueChange={setPassword}
        />
        {needsCode ? (
          <TextField
            label={t('approve.code')}
            inputMode="numeric"
            autoComplete="off"
            required
            value={code}
            onValueChange={setCode}
          />
        ) : null}
        {change.error ? <ErrorMessage error={change.error} /> : null}
        <div className="dialog-actions">
          <Button onClick={close}>{t('approve.cancel')}</Button>
          <Button variant="primary" type="submit" isBusy={change.isPending}>
            {t('approve.submit')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

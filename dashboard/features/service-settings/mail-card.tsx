import { useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import type { MailTestWire, ServiceSettingsWire } from '../../../src/contract/service-settings.ts'
import { callApi } from '../../api.ts'
import { useApiMutation } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { EmailField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Card } from '../../ui/page.tsx'
import { ErrorMessage } from '../../ui/states.tsx'

const EXAMPLE = 'SMTP_URL=smtps://user:password@mail.example:465?from=noreply@shop.example'

export function MailCard({ mail }: Pick<ServiceSettingsWire, 'mail'>) {
  const { t } = useTranslation('service-settings')
  const session = useSession()
  const [to, setTo] = useState(session.person.email)
  const [result, setResult] = useState<MailTestWire | null>(null)
  const sending = useApiMutation()
  function submit() {
    setResult(null)
    sending.mutate(async () => {
      setResult((await callApi('POST /api/manage/service/mail/test', { body: { to } })).data)
    })
  }
  return (
    <Card title={t('mail.title')} note={t('mail.note')}>
      {mail ? (
        <div className="stack">
          <ul className="plain-list settings">
            <li>
              <span className="nowrap">{t('mail.server')}</span> <code className="breakable">{mail.server}</code>
            </li>
            <li>
              <span className="nowrap">{t('mail.from')}</span> <code className="breakable">{mail.from}</code>
            </li>
          </ul>
          <Form className="setting-form settings" submit={submit}>
            <EmailField label={t('mail.to')} maxLength={254} value={to} onValueChange={setTo} />
            <div className="actions">
              <Button type="submit" isBusy={sending.isPending}>
                {t('mail.send')}
              </Button>
            </div>
          </Form>
          <ErrorMessage error={sending.error} />
          <div role="status">
            {result ? (
              <p className="breakable">
                <Badge tone={result.outcome === 'sent' ? 'good' : 'bad'}>{t(`mail.outcome.${result.outcome}`)}</Badge>{' '}
                {result.reason ?? t('mail.sentHint')}
              </p>
            ) : null}
          </div>
        </div>
      ) : (
        <>
          <p>
            <Trans t={t} i18nKey="mail.none" components={{ code: <code /> }} />
          </p>
          <CodeBlock label=".env" code={EXAMPLE} />
        </>
      )}
    </Card>
  )
}

import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SourceTestWire } from '../../../src/contract/service-settings.ts'
import { callApi } from '../../api.ts'
import type { ApiRequest } from '../../endpoint-types.ts'
import { formatCount, humanize } from '../../format.ts'
import { useApiMutation } from '../../queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { ErrorMessage } from '../../ui/states.tsx'
import type { Meaning, Status } from './source-form.ts'

/** Asks a source about one identifier. `request`: a saved source by its name, or a definition. */
export function SourceTest({
  request,
}: {
  request: () => Omit<ApiRequest<'POST /api/manage/service/sources/test'>['body'], 'identifier'>
}) {
  const { t } = useTranslation('service-settings')
  const [identifier, setIdentifier] = useState('')
  const [result, setResult] = useState<SourceTestWire | null>(null)
  const testing = useApiMutation()
  const test = () => {
    setResult(null)
    testing.mutate(async () => {
      const body = { ...request(), identifier }
      setResult((await callApi('POST /api/manage/service/sources/test', { body })).data)
    })
  }
  return (
    <div className="stack">
      <TextField
        label={t('sources.testIdentifier')}
        hint={t('sources.testHint')}
        maxLength={64}
        autoComplete="off"
        value={identifier}
        onValueChange={setIdentifier}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          // Inside the form of a source, Enter tests and does not save.
          event.preventDefault()
          if (identifier.trim()) test()
        }}
      />
      <div>
        <Button isBusy={testing.isPending} disabled={identifier.trim() === ''} onClick={test}>
          {t('sources.test')}
        </Button>
      </div>
      <ErrorMessage error={testing.error} />
      <div role="status">{result ? <TestResult result={result} /> : null}</div>
    </div>
  )
}

function TestResult({ result: { outcome, reason, duration_ms: ms, facts, findings } }: { result: SourceTestWire }) {
  const { t } = useTranslation(['service-settings', 'codes'])
  if (outcome !== 'answered') {
    return (
      <p>
        <Badge tone={outcome === 'failed' ? 'bad' : 'warn'}>{t(`sources.outcome.${outcome}`)}</Badge> {reason}
      </p>
    )
  }
  const { carrier_name: carrier, ...statuses } = facts
  const statements = [
    ...Object.entries(statuses).map(([status, meaning]) => [
      t(`status.${status as Status}`, { defaultValue: humanize(status) }),
      t(`meaning.${meaning as Meaning}`, { defaultValue: humanize(meaning) }),
    ]),
    ...(carrier ? [[t('sources.carrier'), carrier]] : []),
    ...findings.map((code) => [
      t('sources.finding'),
      t(`codes:riskFactor.${code as 'fraud'}`, { defaultValue: humanize(code) }),
    ]),
  ]
  return (
    <>
      <p>
        <Badge tone="good">{t('sources.outcome.answered')}</Badge>{' '}
        <span className="muted">{t('sources.duration', { ms: formatCount(ms) })}</span>
      </p>
      <ul className="plain-list">
        {statements.map(([name, value]) => (
          <li key={`${name} ${value}`}>
            <span>{name}</span>
            <span>{value}</span>
          </li>
        ))}
      </ul>
      {statements.length === 0 ? <p className="muted">{t('sources.statesNothing')}</p> : null}
    </>
  )
}

import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import type { BaseUrlCheckWire, ServiceSettingsWire } from '../../../src/contract/service-settings.ts'
import { apiPost } from '../../api.ts'
import { formatTime } from '../../format.ts'
import { useApiMutation } from '../../queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorMessage } from '../../ui/states.tsx'

const POLL_MS = 2_000
const MAX_FILES = 5
const megabytes = (bytes: number) => `${(bytes / 1e6).toLocaleString(undefined, { maximumFractionDigits: 1 })} MB`

export function BackupCard({ backup, refetch }: { backup: ServiceSettingsWire['backup']; refetch: () => unknown }) {
  const starting = useApiMutation()
  const { is_running: isRunning } = backup
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(refetch, POLL_MS)
    return () => clearInterval(timer)
  }, [isRunning, refetch])
  const start = () =>
    starting.mutate(async () => {
      await apiPost('/account/service/backup', {})
    })
  return (
    <Card title="Backup">
      <p>
        {backup.last_at ? `Last backup ${formatTime(backup.last_at)}.` : 'No backup yet.'}{' '}
        {isRunning ? <Badge tone="blue">Running</Badge> : null}
      </p>
      {backup.is_supported ? (
        <>
          <p>
            <Button isBusy={starting.isPending || isRunning} onClick={start}>
              Back up now
            </Button>
          </p>
          <p className="hint">
            A checked copy in <code className="breakable">{backup.folder}</code> on the machine of the service. Copy it
            to another machine, together with secret.key.
          </p>
        </>
      ) : (
        <p className="hint">The database is PostgreSQL: back it up with pg_dump or your provider's backups.</p>
      )}
      {starting.error ? <ErrorMessage error={starting.error} /> : null}
      {backup.failure ? <p role="alert">The last backup failed: {backup.failure}</p> : null}
      {backup.files.length > 0 ? (
        <ul className="plain-list">
          {backup.files.slice(0, MAX_FILES).map(({ name, bytes }) => (
            <li key={name}>
              <span className="breakable">{name}</span>
              <span className="muted">{megabytes(bytes)}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </Card>
  )
}

export function BaseUrlCard({ baseUrl }: { baseUrl: ServiceSettingsWire['base_url'] }) {
  const [result, setResult] = useState<BaseUrlCheckWire | null>(null)
  const checking = useApiMutation()
  const isHere = new URL(baseUrl.url).origin === location.origin
  const check = () =>
    checking.mutate(async () => {
      setResult((await apiPost<BaseUrlCheckWire>('/account/service/base-url', {})).data)
    })
  return (
    <Card title="Base URL" note="The address in invitations, codes on receipts and links. Set it with BASE_URL.">
      <p>
        <code className="breakable">{baseUrl.url}</code>{' '}
        {baseUrl.is_set ? null : <span className="muted">(BASE_URL is not set)</span>}
      </p>
      <ul className="checks">
        {baseUrl.is_loopback ? <li>Links work on the machine of the service only.</li> : null}
        {baseUrl.is_secure ? null : <li>No HTTPS: no live scanning and no installation on phones.</li>}
        {isHere ? null : (
          <li>
            This browser uses <code>{location.origin}</code>. If people use that address, set BASE_URL to it.
          </li>
        )}
      </ul>
      <p className="term-actions">
        <Button isBusy={checking.isPending} onClick={check}>
          Check
        </Button>
        <Link className="button button-plain" to="/dashboard/phone">
          Open on your phone
        </Link>
      </p>
      {checking.error ? <ErrorMessage error={checking.error} /> : null}
      <div role="status">
        {result ? (
          <p>
            <Badge tone={result.outcome === 'ok' ? 'good' : 'bad'}>
              {result.outcome === 'ok' ? 'The service responds there' : 'The service does not respond there'}
            </Badge>{' '}
            {result.reason}
          </p>
        ) : null}
      </div>
    </Card>
  )
}

import { Trans, useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { ServiceSettingsWire } from '../../../src/contract/service-settings.ts'
import { callApi } from '../../api.ts'
import { formatTime } from '../../format.ts'
import { currentLanguage, localeOf } from '../../i18n.ts'
import { usePolling } from '../../queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { ApiButton } from '../../ui/form.tsx'
import { Card } from '../../ui/page.tsx'

const MAX_FILES = 5
const megabytes = (bytes: number) =>
  new Intl.NumberFormat(localeOf(currentLanguage()), {
    style: 'unit',
    unit: 'megabyte',
    maximumFractionDigits: 1,
  }).format(bytes / 1e6)

export function BackupCard({ backup, refetch }: { backup: ServiceSettingsWire['backup']; refetch: () => unknown }) {
  const { t } = useTranslation('service-settings')
  const { is_running: isRunning } = backup
  usePolling(isRunning, refetch)
  return (
    <Card title={t('backup.title')}>
      <p>
        {backup.last_at ? t('backup.last', { time: formatTime(backup.last_at) }) : t('backup.none')}{' '}
        {isRunning ? <Badge tone="blue">{t('running')}</Badge> : null}
      </p>
      {backup.is_supported ? (
        <>
          <div className="card-actions">
            <ApiButton isBusy={isRunning} send={() => callApi('POST /api/manage/service/backup', {})}>
              {t('backup.start')}
            </ApiButton>
          </div>
          <p className="hint">
            <Trans
              t={t}
              i18nKey="backup.hint"
              values={{ folder: backup.folder, key: 'SECRET_KEY' }}
              components={{ code: <code className="breakable" /> }}
            />
          </p>
        </>
      ) : (
        <p className="hint">{t('backup.postgres', { key: 'SECRET_KEY' })}</p>
      )}
      {backup.failure ? <p role="alert">{t('backup.failed', { reason: backup.failure })}</p> : null}
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
  const { t } = useTranslation(['service-settings', 'common'])
  const isHere = new URL(baseUrl.url).origin === location.origin
  return (
    <Card title={t('baseUrl.title')} note={t('baseUrl.note', { variable: 'BASE_URL' })}>
      <p>
        <code className="breakable">{baseUrl.url}</code>{' '}
        {baseUrl.is_set ? null : <span className="muted">{t('baseUrl.notSet', { variable: 'BASE_URL' })}</span>}
      </p>
      <ul className="checks">
        {baseUrl.is_loopback ? <li>{t('baseUrl.loopback')}</li> : null}
        {baseUrl.is_secure ? null : <li>{t('baseUrl.insecure')}</li>}
        {isHere ? null : (
          <li>
            <Trans
              t={t}
              i18nKey="baseUrl.elsewhere"
              values={{ origin: location.origin, variable: 'BASE_URL' }}
              components={{ code: <code /> }}
            />
          </li>
        )}
      </ul>
      <p className="actions">
        <Link className="button button-plain" to="/dashboard/phone">
          {t('common:nav.phone')}
        </Link>
      </p>
    </Card>
  )
}

import { Trans, useTranslation } from 'react-i18next'
import type { PhoneAccessWire } from '../../../src/contract/management-phone.ts'
import { useOperation } from '../../queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Card, PageHeader } from '../../ui/page.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { QueryView } from '../../ui/states.tsx'

/** Opens the dashboard on a phone by QR code, or explains which settings that needs. */
export function PhonePage() {
  const { t } = useTranslation('phone')
  const query = useOperation('GET /api/manage/phone', { query: { origin: location.origin } })
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <QueryView query={query} skeletonLines={6}>
        {(access) => (
          <>
            {access.urls.map((url) => (
              <Address key={url} url={`${url}/dashboard`} isSecure={access.is_secure} />
            ))}
            {access.urls.length === 0 ? <NotReachable access={access} /> : null}
            {access.urls.length > 0 && !access.is_secure ? <NeedsHttps access={access} /> : null}
          </>
        )}
      </QueryView>
    </>
  )
}

function Address({ url, isSecure }: { url: string; isSecure: boolean }) {
  const { t } = useTranslation('phone')
  return (
    <Card>
      <div className="phone-address">
        <QrCode address={url} label={t('qr', { url })} />
        <div className="stack">
          <p>
            <Trans t={t} i18nKey="scan" components={{ strong: <strong /> }} />
          </p>
          <p className="phone-url">
            <code>{url}</code> <CopyButton text={url} label={t('address')} />
          </p>
          <p>{isSecure ? <Badge tone="good">{t('live')}</Badge> : <Badge tone="warn">{t('photoOnly')}</Badge>}</p>
          <p className="hint">{t(isSecure ? 'installSecure' : 'install')}</p>
        </div>
      </div>
    </Card>
  )
}

function NotReachable({ access }: { access: PhoneAccessWire }) {
  const { t } = useTranslation('phone')
  return (
    <Card title={t('unreachable.title')}>
      <p>{t(access.is_loopback_only ? 'unreachable.loopback' : 'unreachable.noNetwork')}</p>
      <CodeBlock label=".env" code={['HOST=0.0.0.0', ...httpsLines(access.port)].join('\n')} />
      <Steps />
    </Card>
  )
}

function NeedsHttps({ access }: { access: PhoneAccessWire }) {
  const { t } = useTranslation('phone')
  return (
    <Card title={t('https.title')} note={t('https.note')}>
      <CodeBlock label=".env" code={httpsLines(access.port).join('\n')} />
      <Steps />
    </Card>
  )
}

const httpsLines = (port: number) => [
  'TLS_CERT=/path/to/certificate.pem',
  'TLS_KEY=/path/to/key.pem',
  `BASE_URL=https://shop.example:${port}`,
]

function Steps() {
  const { t } = useTranslation('phone')
  return (
    <ul className="checks">
      <li>
        <Trans t={t} i18nKey="steps.name" components={{ code: <code /> }} />
      </li>
      <li>
        <Trans t={t} i18nKey="steps.proxy" components={{ code: <code /> }} />
      </li>
      <li>{t('steps.restart')}</li>
    </ul>
  )
}

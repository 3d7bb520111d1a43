import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import type { PhoneAccessWire } from '../../../src/contract/management-phone.ts'
import { callApi } from '../../api.ts'
import { useOperation } from '../../queries.ts'
import { useHasRole, useSession } from '../../session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { SegmentedControl } from '../../ui/field.tsx'
import { ApiButton } from '../../ui/form.tsx'
import { Card, PageHeader } from '../../ui/page.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { QueryView } from '../../ui/states.tsx'
import { ShopDevices, useCodeOwner } from '../till/shop-devices.tsx'

/** Opens the dashboard on a phone by QR code, or explains which settings that needs. */
export function PhonePage() {
  const { t } = useTranslation('phone')
  const query = useOperation('GET /api/manage/phone', { query: { origin: location.origin } })
  const { runs_service: runsService } = useSession()
  const isOwner = useHasRole('owner')
  const mayChange = runsService && isOwner
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <QueryView query={query} skeletonLines={6}>
        {(access) => (
          <>
            {access.network.fixed_by.length > 0 ? (
              <p className="note">{t('network.fixed', { settings: access.network.fixed_by.join(', ') })}</p>
            ) : null}
            {access.urls.map((url) => (
              <Address key={url} url={`${url}/dashboard`} isSecure={access.is_secure} />
            ))}
            <ShopDevices />
            {access.is_secure && !access.network.is_on ? null : (
              <NetworkFocus isOn={access.network.is_on}>
                <Network access={access} mayChange={mayChange} />
              </NetworkFocus>
            )}
          </>
        )}
      </QueryView>
    </>
  )
}

/** The button that turned the network on or off is gone then: its successor gets the focus. */
function NetworkFocus({ isOn, children }: { isOn: boolean; children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null)
  const wasOn = useRef(isOn)
  useEffect(() => {
    if (wasOn.current !== isOn) ref.current?.querySelector('button')?.focus()
    wasOn.current = isOn
  }, [isOn])
  return <div ref={ref}>{children}</div>
}

/** Devices of the local network: off with a button, on with a code to scan and the steps for the phone. */
function Network({ access, mayChange }: { access: PhoneAccessWire; mayChange: boolean }) {
  const { t } = useTranslation('phone')
  const { network } = access
  const turn = (isOn: boolean) => callApi('PATCH /api/manage/service', { body: { network: isOn } })
  if (network.is_on) {
    return (
      <Card
        title={t('network.onTitle')}
        action={mayChange ? <ApiButton send={() => turn(false)}>{t('network.turnOff')}</ApiButton> : null}
      >
        {network.urls.length === 0 ? <p className="doubt">{t('unreachable.noNetwork')}</p> : null}
        {network.urls.map((url) => (
          <OneTimeCode key={url} url={url} />
        ))}
        {network.urls[0] ? <TrustSteps url={network.urls[0]} /> : null}
      </Card>
    )
  }
  const isPossible = network.fixed_by.length === 0
  return (
    <Card title={t('network.offTitle')} note={t('network.offNote')}>
      {isPossible && mayChange ? (
        <p>
          <ApiButton variant="primary" send={() => turn(true)}>
            {t('network.turnOn')}
          </ApiButton>
        </p>
      ) : null}
      {isPossible && !mayChange ? <p className="muted">{t('network.ownersOnly')}</p> : null}
      <details>
        <summary>{t('network.own')}</summary>
        <CodeBlock
          label=".env"
          code={[...(access.is_loopback_only ? ['HOST=0.0.0.0'] : []), ...httpsLines(access.port)].join('\n')}
        />
        <Steps />
      </details>
    </Card>
  )
}

/** A code that signs a person in on the device that scans it, once. */
function OneTimeCode({ url }: { url: string }) {
  const { t } = useTranslation('phone')
  const [token, setToken] = useState<string | null>(null)
  const page = `${url}/dashboard`
  const address = token ? `${page}/sign-in#device=${token}` : page
  const { fields, makeToken, key } = useCodeOwner()
  // A code that was made for another person is not shown any more.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another person is chosen
  useEffect(() => setToken(null), [key])
  const showCode = async () => setToken(await makeToken())
  return (
    <div className="phone-address">
      <QrCode address={address} label={t('qr', { url })} />
      <div className="stack">
        <p>
          <Trans t={t} i18nKey="scan" components={{ strong: <strong /> }} />
        </p>
        <p className="phone-url">
          <code>{page}</code> <CopyButton text={page} label={t('address')} />
        </p>
        {fields}
        <p className="hint">{t(token ? 'network.oneTimeOn' : 'network.oneTimeOff')}</p>
        <p>
          <ApiButton send={showCode}>{t(token ? 'network.newCode' : 'network.signInCode')}</ApiButton>
        </p>
      </div>
    </div>
  )
}

const SYSTEMS = ['ios', 'android'] as const
const TRUST_STEPS = ['warning', 'download', 'install', 'trust', 'home'] as const

/** How a phone comes to trust the certificate: the camera and the installed app need that. */
function TrustSteps({ url }: { url: string }) {
  const { t } = useTranslation('phone')
  const certificate = `${url}/network.crt`
  const [system, setSystem] = useState<(typeof SYSTEMS)[number]>('ios')
  return (
    <section>
      <h3>{t('trust.title')}</h3>
      <p className="muted">{t('trust.note')}</p>
      <SegmentedControl
        label={t('trust.system')}
        options={SYSTEMS.map((value) => ({ value, text: t(`trust.name.${value}`) }))}
        chosen={system}
        choose={setSystem}
      />
      <div className="phone-address">
        <figure className="qr-with-name">
          <QrCode address={certificate} label={t('trust.qr')} />
          <figcaption>{t('trust.qr')}</figcaption>
        </figure>
        <ol className="trust-steps">
          {TRUST_STEPS.map((step) => (
            <li key={step}>{t(`trust.${system}.${step}`, { url: certificate })}</li>
          ))}
        </ol>
      </div>
    </section>
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

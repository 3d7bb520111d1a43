import type { PhoneAccessWire } from '../../../src/contract/dashboard.ts'
import { useApiQuery } from '../../queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { QueryView } from '../../ui/query-view.tsx'

/** Opens the dashboard on a phone by QR code, or explains which settings that needs. */
export function PhonePage() {
  const query = useApiQuery<PhoneAccessWire>(`/account/phone?origin=${encodeURIComponent(location.origin)}`)
  return (
    <>
      <PageHeader
        title="Open on your phone"
        lead="Use a phone or tablet in the same network as a scanner at the counter."
      />
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
  return (
    <Card>
      <div className="phone-address">
        <QrCode address={url} label={`QR code of ${url}`} />
        <div className="stack">
          <p>
            <strong>Scan this code with the phone's camera</strong>, or type the address:
          </p>
          <p className="phone-url">
            <code>{url}</code> <CopyButton text={url} label="address" />
          </p>
          <p>
            {isSecure ? (
              <Badge tone="good">Live scanning works</Badge>
            ) : (
              <Badge tone="warn">No HTTPS: scanning by photo only</Badge>
            )}
          </p>
          <p className="hint">
            Sign in, then choose “Add to Home screen” in the browser's menu. Then it opens like an app
            {isSecure ? ' and shows a clear message when the connection is lost.' : '.'}
          </p>
        </div>
      </div>
    </Card>
  )
}

function NotReachable({ access }: { access: PhoneAccessWire }) {
  return (
    <Card title="The service cannot be reached from a phone yet">
      <p>
        {access.is_loopback_only
          ? 'It listens on this computer only. Start it with these settings, as environment variables or in the file .env:'
          : 'This computer has no address in a local network. Connect it to the network of the phone, or set the address:'}
      </p>
      <CodeBlock label=".env" code={['HOST=0.0.0.0', ...httpsLines(access.port)].join('\n')} />
      <Steps />
    </Card>
  )
}

function NeedsHttps({ access }: { access: PhoneAccessWire }) {
  return (
    <Card
      title="Set up HTTPS for live scanning"
      note="Browsers give a page the camera, passkeys and installation over HTTPS only. Without it, take a photo of the barcode instead."
    >
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
  return (
    <ul className="checks">
      <li>
        The name in <code>BASE_URL</code> is the one that the phone opens, and the certificate is for that name.
      </li>
      <li>
        With a reverse proxy such as Caddy, leave out <code>HOST</code>, <code>TLS_CERT</code> and <code>TLS_KEY</code>,
        and set <code>BASE_URL</code> and <code>TRUST_PROXY=1</code>.
      </li>
      <li>Restart the service, then open this page again. docs/phone.md has the steps in detail.</li>
    </ul>
  )
}

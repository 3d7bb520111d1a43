import { baseUrlOf, type Config } from '../config.ts'
import { getPhoneAccess, type PhoneAccessWire } from '../contract/management-phone.ts'
import { type ApiRoute, type HttpContext, route } from '../http/context.ts'
import type { SiteRoute } from '../http/router.ts'
import { notFound } from '../lib/errors.ts'
import { isLoopback, lanAddresses } from './lan-addresses.ts'
import type { NetworkAccess } from './network-access.ts'

const ALL_INTERFACES = ['0.0.0.0', '::']

/** How a phone on the same network opens the dashboard, and what prevents it. */
export function phoneAccess(
  config: Pick<Config, 'baseUrl' | 'host' | 'port' | 'tls'>,
  requestOrigin: string,
  lanAddresses: readonly string[],
): Omit<PhoneAccessWire, 'network'> {
  const baseUrl = config.baseUrl && !isLoopback(new URL(config.baseUrl).hostname) ? config.baseUrl : null
  const reachableOrigin = isLoopback(new URL(requestOrigin).hostname) ? null : requestOrigin
  const urls = baseUrl ? [baseUrl] : reachableOrigin ? [reachableOrigin] : lanUrls(config, lanAddresses)
  return {
    urls,
    is_loopback_only: urls.length === 0 && isLoopback(config.host),
    is_secure: urls.length > 0 && urls.every((url) => url.startsWith('https:')),
    has_base_url: baseUrl !== null,
    port: config.port,
  }
}

function lanUrls(config: Pick<Config, 'host' | 'port' | 'tls'>, lanAddresses: readonly string[]): string[] {
  const { host, port, tls } = config
  if (isLoopback(host)) return []
  const hosts = ALL_INTERFACES.includes(host) ? lanAddresses : [host]
  return hosts.map((lanHost) => baseUrlOf({ baseUrl: '', host: lanHost, port, tls }))
}

const HTTP_URL = /^https?:\/\//

type PhoneRouteDependencies = {
  readonly config: Pick<Config, 'baseUrl' | 'host' | 'port' | 'tls'>
  readonly network: Pick<NetworkAccess, 'fixedBy' | 'state' | 'urls'>
}

export function phoneRoutes({ config, network }: PhoneRouteDependencies): ApiRoute[] {
  const present = (origin = ''): PhoneAccessWire => {
    const isUrl = HTTP_URL.test(origin) && URL.canParse(origin)
    return {
      ...phoneAccess(config, isUrl ? new URL(origin).origin : 'http://localhost', lanAddresses()),
      network: { is_on: network.state().isOn, urls: network.urls(), fixed_by: [...network.fixedBy] },
    }
  }
  return [route(getPhoneAccess, (c) => ({ data: present(c.get('query').origin) }))]
}

/** The certificate that a phone has to trust. It holds no secret, so that a phone gets it before it signs in. */
export function networkCertificateRoute({
  authorityCertificate,
}: Pick<NetworkAccess, 'authorityCertificate'>): SiteRoute {
  return {
    method: 'GET',
    path: '/network.crt',
    handle(c: HttpContext) {
      const certificate = authorityCertificate()
      if (certificate === null) throw notFound('The certificate of the network')
      return new Response(certificate, {
        headers: {
          'Content-Type': 'application/x-x509-ca-cert',
          'Content-Disposition': 'attachment; filename="device-intelligence.crt"',
          'X-Request-Id': c.get('facts').id,
        },
      })
    },
  }
}

import { networkInterfaces } from 'node:os'
import { baseUrlOf, type Config } from '../config.ts'
import { getPhoneAccess, type PhoneAccessWire } from '../contract/management-phone.ts'
import { type ApiRoute, route } from '../http/context.ts'

const LOOPBACK = /^(?:localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/
const ALL_INTERFACES = ['0.0.0.0', '::']

export const isLoopback = (host: string) => LOOPBACK.test(host)

/** How a phone on the same network opens the dashboard, and what prevents it. */
export function phoneAccess(
  config: Pick<Config, 'baseUrl' | 'host' | 'port' | 'tls'>,
  requestOrigin: string,
  lanAddresses: readonly string[],
): PhoneAccessWire {
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

/** IPv4 addresses of this machine in its networks. */
function lanAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((addresses) =>
    (addresses ?? []).flatMap(({ family, internal, address }) => (family === 'IPv4' && !internal ? address : [])),
  )
}

const HTTP_URL = /^https?:\/\//

export function phoneRoutes(config: Pick<Config, 'baseUrl' | 'host' | 'port' | 'tls'>): ApiRoute[] {
  return [
    route(getPhoneAccess, (c) => {
      const { origin = '' } = c.get('query')
      const isUrl = HTTP_URL.test(origin) && URL.canParse(origin)
      return { data: phoneAccess(config, isUrl ? new URL(origin).origin : 'http://localhost', lanAddresses()) }
    }),
  ]
}

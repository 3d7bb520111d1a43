import { networkInterfaces } from 'node:os'

const LOOPBACK = /^(?:localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/

export const isLoopback = (host: string) => LOOPBACK.test(host)

/** IPv4 addresses of this machine in its networks. */
export function lanAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((addresses) =>
    (addresses ?? []).flatMap(({ family, internal, address }) => (family === 'IPv4' && !internal ? address : [])),
  )
}

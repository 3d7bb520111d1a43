import type { Environment } from '../config.ts'
import { CommandError } from './command-error.ts'

const URL_VARIABLE = 'DEVICE_INTELLIGENCE_URL'
const KEY_VARIABLE = 'DEVICE_INTELLIGENCE_KEY'

/** A running service that a command calls instead of opening the database. */
export type RemoteTarget = { readonly url: string; readonly key: string }

type TargetOptions = { readonly url: string | undefined; readonly key: string | undefined }

export const URL_HELP = `call a running service there; default ${URL_VARIABLE}`
export const KEY_HELP = `API key of that service; default ${KEY_VARIABLE}`

/** The service that the options or the environment name; undefined to use the database of this machine. */
export function findRemoteTarget(options: TargetOptions, environment: Environment): RemoteTarget | undefined {
  const url = options.url ?? environment[URL_VARIABLE]?.trim()
  if (!url) {
    if (options.key !== undefined) throw new CommandError('--key needs --url.', 2)
    return undefined
  }
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    throw new CommandError(`--url must be an address such as https://devices.example, not "${url}".`, 2)
  }
  const key = options.key ?? environment[KEY_VARIABLE]?.trim()
  if (!key) throw new CommandError(`--key or ${KEY_VARIABLE} is missing: an API key of the service at ${url}.`, 2)
  return { url: url.replace(/\/+$/, ''), key }
}

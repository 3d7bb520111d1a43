import type { ApiError, DeviceIntelligence } from '../../client/src/index.ts'
import type { Environment } from '../config.ts'
import { VERSION } from '../lib/version.ts'
import { CommandError } from './command-error.ts'

export const URL_VARIABLE = 'DEVICE_INTELLIGENCE_URL'
export const KEY_VARIABLE = 'DEVICE_INTELLIGENCE_KEY'

/** The running service that a command calls instead of opening the database. */
export type RemoteTarget = { readonly url: string; readonly key: string }

/** The management API of a running service, or on the database of this machine. */
export type ManagementService = {
  readonly client: DeviceIntelligence
  /** Query of the organization that `--org` names; without it that of the key, or of the id in the request. */
  readonly of: { readonly organization_id?: string }
}

/** Few retries: a person is waiting. */
const MAX_RETRIES = 2

/** Calls the service and turns its errors into messages for the command line. */
export async function callRemote<Result>(
  { url, key }: RemoteTarget,
  organizationId: string | undefined,
  call: (service: ManagementService) => Promise<Result>,
): Promise<Result> {
  if (!key) throw new CommandError(`--key or ${KEY_VARIABLE} is missing: an API key of the service at ${url}.`, 2)
  // Loaded on demand: most commands do not need it.
  const { DeviceIntelligence, ...errors } = await import('../../client/src/index.ts')
  try {
    const client = new DeviceIntelligence({
      url,
      key,
      maxRetries: MAX_RETRIES,
      userAgent: `device-intelligence-cli/${VERSION}`,
    })
    return await call({ client, of: organizationId === undefined ? {} : { organization_id: organizationId } })
  } catch (error) {
    if (error instanceof errors.ApiError) throw apiCommandError(error, url)
    if (error instanceof errors.UnexpectedResponseError) {
      const message = `${url} did not respond as the service does (status ${error.status}). Check --url and any proxy in between.`
      throw new CommandError(message, 1, error, 'unexpected_response')
    }
    if (error instanceof errors.ConnectionError) {
      const { message } = error.cause instanceof Error ? error.cause : error
      throw new CommandError(`Cannot reach the service at ${url}: ${message} Check --url.`, 1, error, 'unreachable')
    }
    if (error instanceof TypeError && error.message.startsWith('The option')) {
      throw new CommandError(`--url must be an address such as https://devices.example, not "${url}".`, 2, error)
    }
    throw error
  }
}

function apiCommandError(error: ApiError, url: string): CommandError {
  const { code, message } = error
  const hint = code === 'UNAUTHORIZED' ? ` Check --key or ${KEY_VARIABLE}; the service is ${url}.` : ''
  return new CommandError(message + hint, 1, error, code.toLowerCase())
}

/** `--url` and `--key` before the command are the same as the variables; a command may have options of these names. */
export function takeLeadingTarget(args: readonly string[], environment: Environment) {
  const variables: Record<string, string> = {}
  let at = 0
  for (; at < args.length; at++) {
    const [, name, inline] = /^--(url|key)(?:=(.*))?$/.exec(args[at] ?? '') ?? []
    if (name === undefined) break
    variables[name === 'url' ? URL_VARIABLE : KEY_VARIABLE] = inline ?? args[++at] ?? ''
  }
  return { args: args.slice(at), environment: { ...environment, ...variables } }
}

export function noRemoteForm(command: string): CommandError {
  const message = `"${command}" works on the database only: run it on the machine of the service, without --url and ${URL_VARIABLE}.`
  return new CommandError(message, 2)
}

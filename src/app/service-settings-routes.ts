import { acceptedLanguage, DEFAULT_LANGUAGE } from '../contract/languages.ts'
import {
  changeServiceSettings,
  getServiceSettings,
  putFeed,
  putSource,
  removeFeed,
  removeSource,
  runFeed,
  sendTestMail,
  startBackup,
  testSource,
} from '../contract/management-service-settings.ts'
import { DONE } from '../contract/management-shared.ts'
import type { ServiceSettingsWire } from '../contract/service-settings.ts'
import { type ApiContext, type ApiRoute, route } from '../http/context.ts'
import { invalid } from '../lib/errors.ts'
import { reason } from '../lib/reasons.ts'
import type { ServiceOperations, SettingsAuthor } from './service-operations.ts'
import type { EnteredEntry } from './stored-entries.ts'

export type ServiceSettingsDependencies = {
  readonly operations: ServiceOperations
  /** The settings as they are now. */
  readonly present: () => Promise<ServiceSettingsWire>
}

/** Settings of the whole service, for its operator. Secrets are written, never read. */
export function serviceSettingsRoutes({ operations, present }: ServiceSettingsDependencies): ApiRoute[] {
  return [
    route(getServiceSettings, async () => ({ data: await present() })),
    route(changeServiceSettings, async (c) => {
      const { network, sources, feeds, ...settings } = c.get('body')
      const author = authorOf(c)
      await operations.changeSettings(author, settings)
      if (network !== undefined) await operations.turnNetwork(author, network)
      const replaced = {
        sources: sources ? await operations.replaceSources(author, sources) : null,
        feeds: feeds ? await operations.replaceFeeds(author, feeds) : null,
      }
      return { data: { ...(await present()), replaced } }
    }),
    route(putSource, async (c) => {
      const { definition, ...secrets } = c.get('body')
      await operations.putSource(authorOf(c), c.get('params').name, toEntry(definition, secrets))
      return { data: await present() }
    }),
    route(removeSource, async (c) => {
      await operations.removeSource(authorOf(c), c.get('params').name)
      return { data: await present() }
    }),
    route(testSource, async (c) => {
      const { name, identifier, definition, feed, query, ...secrets } = c.get('body')
      if (query !== undefined) {
        return { data: await operations.testFeed(authorOf(c), name ?? 'test', feed, query) }
      }
      if (identifier === undefined)
        throw invalid('identifier', identifier, 'an identifier, or a query', reason('not_an_identifier'))
      if (!definition && name === undefined) throw invalid('name', name, 'the name of a source, or a definition')
      const tested = definition ? toEntry(definition, secrets) : { name: name ?? '' }
      return { data: await operations.testSource(authorOf(c), tested, identifier) }
    }),
    route(putFeed, async (c) => {
      await operations.putFeed(authorOf(c), c.get('params').name, c.get('body'))
      return { data: await present() }
    }),
    route(removeFeed, async (c) => {
      await operations.removeFeed(authorOf(c), c.get('params').name)
      return { data: await present() }
    }),
    route(runFeed, async (c) => {
      await operations.runFeed(authorOf(c), c.get('params').name)
      return { data: DONE }
    }),
    route(startBackup, async (c) => {
      await operations.startBackup(authorOf(c))
      return { data: await present() }
    }),
    route(sendTestMail, async (c) => {
      const language = acceptedLanguage(c.req.header('accept-language')) ?? DEFAULT_LANGUAGE
      return { data: await operations.sendTestMail(authorOf(c), { email: c.get('body').to, language }) }
    }),
  ]
}

function authorOf(c: ApiContext): SettingsAuthor {
  const { organizationId, actor } = c.get('principal')
  return { organizationId, actor, now: c.get('facts').now }
}

function toEntry(
  definition: Readonly<Record<string, unknown>>,
  {
    headers,
    client_secret: clientSecret,
  }: {
    readonly headers?: Readonly<Record<string, string>> | undefined
    readonly client_secret?: string | undefined
  },
): EnteredEntry {
  return { definition, clientSecret, ...(headers ? { headers } : {}) }
}

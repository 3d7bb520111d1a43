import { type Config, ConfigError, type Environment } from '../config.ts'
import { readProviderFile } from '../risk/sources/provider-file-service.ts'
import { loadFeeds } from './feeds.ts'

/** What the operator describes in files: outside sources and feeds. All mistakes of both are told before anything starts. */
export async function readSettingsFiles({ sourcesFile, feedsFile }: Config, environment: Environment) {
  const sources = readProviderFile(sourcesFile, environment)
  const { feeds, errors: mistakes } = await loadFeeds(feedsFile, environment)
  const all = [...sources.mistakes.map((mistake) => `SOURCES_FILE: ${mistake}`), ...mistakes]
  if (all.length > 0) throw new ConfigError(all)
  return { providers: sources.providers, feeds }
}

import { type Config, ConfigError, type Environment } from '../config.ts'
import { readProviderFile } from '../risk/sources/provider-file-service.ts'
import { loadFeeds } from './feeds.ts'

/** Reads the files with outside sources and feeds; reports all errors of both together. */
export async function readSettingsFiles({ sourcesFile, feedsFile }: Config, environment: Environment) {
  const sources = readProviderFile(sourcesFile, environment)
  const { feeds, errors } = await loadFeeds(feedsFile, environment)
  const allErrors = [...sources.mistakes.map((mistake) => `SOURCES_FILE: ${mistake}`), ...errors]
  if (allErrors.length > 0) throw new ConfigError(allErrors)
  return { providers: sources.providers, feeds }
}

import { readServiceSettings, type ServiceSettings } from '../app/service-settings.ts'
import type { Database } from '../db/database.ts'
import type { FeedSettings } from '../import/feeds/feed-settings.ts'
import { openEncryption } from '../lib/encryption.ts'
import type { CommandContext } from './command.ts'

/** Market of prices and organizations that name none. */
export const defaultMarketOf = async (
  db: Database,
  context: Pick<CommandContext, 'config' | 'environment' | 'report'>,
) => (await storedSettings(db, context)).config.market

/** The settings in effect: the configuration of this command and what was changed in the dashboard. */
export function storedSettings(
  db: Database,
  { config, environment, report }: Pick<CommandContext, 'config' | 'environment' | 'report'>,
  feeds: readonly FeedSettings[] = [],
): Promise<ServiceSettings> {
  return readServiceSettings(db, {
    ...{ config, environment, encryption: openEncryption(config), files: { providers: [], feeds } },
    onInvalid: (name, reasons) => report(`Skipping the stored setting ${name}: ${reasons.join('; ')}`),
  })
}

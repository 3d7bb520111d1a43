import type { DatabaseOptions } from '../db/database.ts'
import { CommandError } from './command-error.ts'

/** Which store is meant, for a sentence. */
const describeLocation = ({ url, dataDir }: DatabaseOptions) => (url ? 'the database that DATABASE_URL names' : dataDir)

/** A command that only looks, run in another folder than the service, must not make a second store and look at that. */
export class DatabaseNotFoundError extends CommandError {
  constructor(opening: DatabaseOptions) {
    super(
      `There is no store in ${describeLocation(opening)}. Run this in the folder that the service is started in, or set DATA_DIR or DATABASE_URL as the service has it.`,
    )
  }
}

export function databaseCreatedMessage(opening: DatabaseOptions): string {
  return `A new store was made in ${describeLocation(opening)}: there was none. If the service keeps its data elsewhere, set DATA_DIR or DATABASE_URL as it has them.`
}

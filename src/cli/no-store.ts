import type { Opening } from '../db/open.ts'
import { CommandError } from './command-error.ts'

/** Which store is meant, for a sentence. */
const placeOf = ({ url, dataDir }: Opening) => (url ? 'the database that DATABASE_URL names' : dataDir)

/** A command that only looks, run in another folder than the service, must not make a second store and look at that. */
export class NoStore extends CommandError {
  constructor(opening: Opening) {
    super(
      `There is no store in ${placeOf(opening)}. Run this in the folder that the service is started in, or set DATA_DIR or DATABASE_URL as the service has it.`,
    )
  }
}

export function madeStore(opening: Opening): string {
  return `A new store was made in ${placeOf(opening)}: there was none. If the service keeps its data elsewhere, set DATA_DIR or DATABASE_URL as it has them.`
}

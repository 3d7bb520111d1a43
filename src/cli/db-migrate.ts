import { MIGRATIONS } from '../db/migrations/index.ts'
import { type Command, parseArguments } from './command.ts'

export const dbMigrate: Command = {
  name: 'store migrate',
  usage: '',
  help: 'Make the store, or bring its schema up to date, before a new version serves; a service that starts does so too.',
  async run(args, { openOrCreateDatabase: openOrMakeStore, print }) {
    parseArguments(args, {}, { least: 0, most: 0, usage: 'store migrate' })
    await openOrMakeStore()
    print(`The schema is that of ${MIGRATIONS.at(-1)?.name}.`)
    return 0
  },
}

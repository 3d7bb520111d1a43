import { profileStore } from '../import/prices/profile-store.ts'
import { formatItemTable } from '../lib/text-table.ts'
import { type CommandContext, command, text } from './command.ts'
import { CommandError } from './command-error.ts'

const openStore = async ({ openExistingDatabase }: CommandContext) => profileStore(await openExistingDatabase())

const formatOptions = (options: Readonly<Record<string, string>>) =>
  Object.entries(options)
    .map(([name, value]) => `--${name} ${/[\s"']/.test(value) ? JSON.stringify(value) : value}`)
    .join(' ')

const profileList = command({
  name: 'profile list',
  help: 'List the import profiles that were saved with import --profile.',
  json: true,
  async run(_, context) {
    const profiles = await (await openStore(context)).list()
    const table = formatItemTable(profiles, {
      NAME: ({ name }) => name,
      OPTIONS: ({ options }) => formatOptions(options),
    })
    return { json: profiles, text: table }
  },
})

const profileShow = command({
  name: 'profile show',
  help: 'Show the options of an import profile.',
  arguments: { name: text('NAME') },
  json: true,
  async run({ name }, context) {
    const { options } = await (await openStore(context)).read(name)
    return { json: options, text: formatOptions(options) }
  },
})

const profileRemove = command({
  name: 'profile remove',
  help: 'Delete an import profile. Imported data stays.',
  arguments: { name: text('NAME') },
  async run({ name }, context) {
    if (!(await (await openStore(context)).remove(name))) throw new CommandError(`There is no profile ${name}.`)
    context.report(`Profile ${name} deleted.`)
  },
})

export const profileCommands = [profileList, profileShow, profileRemove]

import { profileStore } from '../import/prices/profile-store.ts'
import { formatTextTable } from '../lib/text-table.ts'
import { type Command, parseArguments } from './command.ts'
import { CommandError } from './command-error.ts'

const formatOptions = (options: Readonly<Record<string, string>>) =>
  Object.entries(options)
    .map(([name, value]) => `--${name} ${/[\s"']/.test(value) ? JSON.stringify(value) : value}`)
    .join(' ')

export const profileList: Command = {
  name: 'profile list',
  usage: '[--json]',
  help: 'List the ways of reading price lists that were kept with import --profile.',
  async run(args, context) {
    const { values } = parseArguments(
      args,
      { json: { type: 'boolean' } },
      { least: 0, most: 0, usage: 'profile list [--json]' },
    )
    const profiles = await profileStore(await context.openExistingDatabase()).list()
    if (values.json) context.print(JSON.stringify(profiles))
    else
      context.print(
        formatTextTable(
          ['NAME', 'OPTIONS'],
          profiles.map(({ name, options }) => [name, formatOptions(options)]),
        ),
      )
    return 0
  },
}

export const profileShow: Command = {
  name: 'profile show',
  usage: 'NAME [--json]',
  help: 'Show the options that a profile stands for.',
  async run(args, context) {
    const usage = 'profile show NAME [--json]'
    const { values, positionals } = parseArguments(args, { json: { type: 'boolean' } }, { least: 1, most: 1, usage })
    const { options } = await profileStore(await context.openExistingDatabase()).read(positionals[0] ?? '')
    context.print(values.json ? JSON.stringify(options) : formatOptions(options))
    return 0
  },
}

export const profileRemove: Command = {
  name: 'profile remove',
  usage: 'NAME',
  help: 'Forget a profile. What was imported with it stays.',
  async run(args, context) {
    const { positionals } = parseArguments(args, {}, { least: 1, most: 1, usage: 'profile remove NAME' })
    const [name = ''] = positionals
    if (!(await profileStore(await context.openExistingDatabase()).remove(name)))
      throw new CommandError(`There is no profile ${name}.`)
    context.report(`The profile ${name} is forgotten.`)
    return 0
  },
}

import { listSettings } from '../config.ts'
import { formatTextTable } from '../lib/text-table.ts'
import { type Command, parseArguments } from './command.ts'

export const configCommand: Command = {
  name: 'config',
  usage: '[--json]',
  help: 'Show the settings in force, secrets masked.',
  async run(args, context) {
    const { values } = parseArguments(
      args,
      { json: { type: 'boolean' } },
      { least: 0, most: 0, usage: 'config [--json]' },
    )
    const settings = listSettings(context.environment)
    if (values.json) context.print(JSON.stringify(settings))
    else {
      const rows = settings.map(({ name, value, source: from, description: about }) => [
        name,
        value || '-',
        from,
        about,
      ])
      context.print(formatTextTable(['SETTING', 'VALUE', 'FROM', 'WHAT IT IS'], rows))
    }
    return 0
  },
}

import { shownSettings } from '../config.ts'
import { textTable } from '../text/text-table.ts'
import { type Command, readArguments } from './command.ts'

export const configCommand: Command = {
  name: 'config',
  usage: '[--json]',
  help: 'Show the settings in force, secrets masked.',
  async run(args, context) {
    const { values } = readArguments(
      args,
      { json: { type: 'boolean' } },
      { least: 0, most: 0, usage: 'config [--json]' },
    )
    const settings = shownSettings(context.environment)
    if (values.json) context.print(JSON.stringify(settings))
    else {
      const rows = settings.map(({ name, value, from, about }) => [name, value || '-', from, about])
      context.print(textTable(['SETTING', 'VALUE', 'FROM', 'WHAT IT IS'], rows))
    }
    return 0
  },
}

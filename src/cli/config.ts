import { listSettings } from '../config.ts'
import { formatItemTable } from '../lib/text-table.ts'
import { command } from './command.ts'

export const configCommand = command({
  name: 'config',
  help: 'Show the settings in use, with secrets masked.',
  json: true,
  async run(_, { environment }) {
    const settings = listSettings(environment)
    const table = formatItemTable(settings, {
      SETTING: ({ name }) => name,
      VALUE: ({ value }) => value || '-',
      FROM: ({ source }) => source,
      DESCRIPTION: ({ description }) => description,
    })
    return { json: settings, text: table }
  },
})

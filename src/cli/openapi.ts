import { baseUrlOf } from '../config.ts'
import { openApiJson } from '../contract/openapi.ts'
import { VERSION } from '../lib/version.ts'
import { type Command, parseArguments } from './command.ts'

export const openapi: Command = {
  name: 'openapi',
  usage: '',
  help: 'Print the OpenAPI document.',
  async run(args, context) {
    parseArguments(args, {}, { least: 0, most: 0, usage: 'openapi' })
    context.print(openApiJson({ baseUrl: baseUrlOf(context.config), version: VERSION }))
    return 0
  },
}

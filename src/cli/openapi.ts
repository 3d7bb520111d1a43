import { baseUrlOf } from '../config.ts'
import { openApiJson } from '../contract/openapi.ts'
import { VERSION } from '../version.ts'
import { type Command, readArguments } from './command.ts'

export const openapi: Command = {
  name: 'openapi',
  usage: '',
  help: 'Print the OpenAPI document.',
  async run(args, context) {
    readArguments(args, {}, { least: 0, most: 0, usage: 'openapi' })
    context.print(openApiJson({ baseUrl: baseUrlOf(context.config), version: VERSION }))
    return 0
  },
}

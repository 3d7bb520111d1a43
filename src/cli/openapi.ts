import { baseUrlOf } from '../config.ts'
import { openApiJson } from '../contract/openapi.ts'
import { VERSION } from '../lib/version.ts'
import { command } from './command.ts'

export const openapi = command({
  name: 'openapi',
  help: 'Print the OpenAPI document.',
  async run(_, { config }) {
    return { text: openApiJson({ baseUrl: baseUrlOf(config), version: VERSION }) }
  },
})

import { z } from 'zod'

/** Schemas that the OpenAPI document shows under a name of their own. */
export const components = z.registry<{ id: string }>()

/** Gives a schema its name in the OpenAPI document; where it is used, the document refers to it. */
export function component<S extends z.ZodType>(id: string, schema: S): S {
  components.add(schema, { id })
  return schema
}

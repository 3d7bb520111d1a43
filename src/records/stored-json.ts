/** Checks stored JSON before it is embedded in a response: a corrupt row must fail only the request that needs it. */
export function checkStoredJson(json: string): string {
  JSON.parse(json)
  return json
}

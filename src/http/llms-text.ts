import { endpoints } from '../contract/endpoints.ts'
import { KEY_PREFIXES, TIER_NAMES, TIERS } from '../contract/tiers.ts'

/** A summary of the service in Markdown for language models; see https://llmstxt.org. */
export function llmsText(baseUrl: string): string {
  const lines = [
    '# Device Intelligence',
    '',
    '> What a used device is, what it is worth, what repairs cost, and whether it is safe to buy. HTTP and JSON, with an API key.',
    '',
    `Send \`Authorization: Bearer <API_KEY>\`. The prefix of a key names its tier: ${TIERS.map((tier) => `\`${KEY_PREFIXES[tier]}\` ${TIER_NAMES[tier]}`).join(', ')}; a higher tier may do what the lower ones may.`,
    'Every response is `{ success, data, meta?, timestamp }` or `{ success: false, error: { code, message } }`. Amounts are integers in minor units, US cents unless another currency was asked for.',
    'Every response names its source and its confidence: unknown is never clean, estimate is never observed, sample is never real.',
    '',
    '## For language models',
    '',
    `- [Model Context Protocol](${baseUrl}/mcp): the same as tools, over Streamable HTTP, with the same key`,
    '',
    '## Documents',
    '',
    `- [OpenAPI 3.1](${baseUrl}/openapi.json): every endpoint, field and error code, for programs`,
    `- [Reference](${baseUrl}/docs): the same for people, with examples`,
    '',
    '## Endpoints',
    '',
    ...endpoints.map(
      (endpoint) =>
        `- [${endpoint.method} ${endpoint.path}](${baseUrl}/docs#${endpoint.id}): ${endpoint.summary} (${TIER_NAMES[endpoint.tier]})`,
    ),
  ]
  return `${lines.join('\n')}\n`
}
